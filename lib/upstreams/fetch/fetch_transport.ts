import { createReach, type ReachOptions } from "../reach.ts";
import type { Outbound, Phases, Transport, UpstreamAnswer } from "../transport.ts";
import { ChunkReader } from "./chunk_reader.ts";

/** The runtime's client: HTTP/1.1 and HTTP/2, proxies from the environment, spans. */
export function createFetchTransport(options: ReachOptions): Transport {
  const reach = createReach(options);
  const send = async (outbound: Outbound, phases: Phases) => {
    const client = await reach(outbound, () => {
      phases.awaitConnection();
      return phases.signal;
    });
    return answerOf(await request(outbound, phases, client));
  };
  return Object.assign(send, { doubt: reach.doubt, close: () => {} });
}

async function request(
  { url, method = "POST", headers, body }: Outbound,
  phases: Phases,
  client: Deno.HttpClient | undefined,
): Promise<Response> {
  phases.awaitFirstByte();
  return await fetch(url, {
    method,
    headers: { ...(body !== undefined && { "content-type": "application/json" }), ...headers },
    ...(body !== undefined && { body }),
    ...(client && { client }),
    redirect: "manual",
    signal: phases.signal,
  });
}

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
