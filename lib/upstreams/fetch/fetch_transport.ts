import { keptByHead } from "../kept_by_head.ts";
import { createReach, type ReachOptions } from "../reach.ts";
import type { Outbound, Phases, Transport, UpstreamAnswer } from "../transport.ts";
import { ChunkReader } from "./chunk_reader.ts";

/** The runtime's client: HTTP/1.1 and HTTP/2, proxies from the environment, spans. */
export function createFetchTransport(options: ReachOptions): Transport {
  const reach = createReach(options);
  const send = (outbound: Outbound, phases: Phases) => {
    const reached = reach(outbound, () => {
      phases.awaitConnection();
      return phases.signal;
    });
    return reached instanceof Promise
      ? reached.then((client) => fetched(outbound, phases, client))
      : fetched(outbound, phases, reached);
  };
  return Object.assign(send, { doubt: reach.doubt, close: () => {} });
}

function fetched(
  outbound: Outbound,
  phases: Phases,
  client: Deno.HttpClient | undefined,
): Promise<UpstreamAnswer> {
  phases.awaitFirstByte();
  const rest = { body: outbound.body, client, signal: phases.signal };
  return fetch(requestFor(outbound), rest).then(answerOf);
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
  return new FetchAnswer(response);
}

class FetchAnswer implements UpstreamAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly #response: Response;
  #reader?: ChunkReader;

  constructor(response: Response) {
    this.status = response.status;
    this.headers = response.headers;
    this.#response = response;
  }

  read(): Promise<Uint8Array | undefined> {
    const { body } = this.#response;
    this.#reader ??= body ? new ChunkReader(body) : undefined;
    return this.#reader?.read() ?? Promise.resolve(undefined);
  }

  readRest(): Promise<Uint8Array> {
    return this.#response.bytes();
  }

  cancel(reason: unknown): void {
    this.#reader?.cancel(reason).catch(() => {});
  }
}
