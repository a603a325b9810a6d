import { keptByHead } from "../kept_by_head.ts";
import { createReach, type ReachOptions } from "../reach.ts";
import type { Outbound, Phases, Transport, UpstreamAnswer } from "../transport.ts";
import { ChunkReader } from "./chunk_reader.ts";

/** The runtime's client: HTTP/1.1 and HTTP/2, proxies from the environment, spans. */
export function createFetchTransport(options: ReachOptions): Transport {
  const reach = createReach(options);
  const send = async (outbound: Outbound, phases: Phases) => {
    const reached = reach(outbound, () => {
      phases.awaitConnection();
      return phases.signal;
    });
    const client = reached instanceof Promise ? await reached : reached;
    phases.awaitFirstByte();
    const rest = { body: outbound.body, client, signal: phases.signal };
    return answerOf(await fetch(requestFor(outbound), rest));
  };
  return Object.assign(send, { doubt: reach.doubt, close: () => {} });
}

/** The request without its body. Copying it costs less than parsing its URL and headers again. */
const requestFor = keptByHead(({ url, method = "POST", headers, body }) =>
  new Request(url, {
    method,
    headers: { ...(body !== undefined && { "content-type": "application/json" }), ...headers },
    redirect: "manual",
  })
);

function answerOf(response: Response): UpstreamAnswer {
  let reader: ChunkReader | undefined;
  return {
    status: response.status,
    headers: response.headers,
    read: () => {
      reader ??= response.body ? new ChunkReader(response.body) : undefined;
      return reader?.read() ?? Promise.resolve(undefined);
    },
    readRest: () => response.bytes(),
    cancel: (reason) => void reader?.cancel(reason).catch(() => {}),
  };
}
