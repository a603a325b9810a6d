import { atOnceMax } from "../../http/body/json_scan.ts";
import { publicOnly } from "../address.ts";
import { isHttp2Only } from "../http2_only.ts";
import { keptByHead } from "../kept_by_head.ts";
import { blobOf } from "./blob.ts";
import { createPlaces } from "../place.ts";
import { createReach, type ReachOptions } from "../reach.ts";
import { SkippedHosts } from "../skipped_hosts.ts";
import type { Outbound, Phases, Transport, UpstreamAnswer } from "../transport.ts";
import { ChunkReader } from "./chunk_reader.ts";

/**
 * Calls upstreams with the runtime's client, which uses proxies from the environment and makes spans.
 * HTTP/1.1; over TLS, HTTP/2 where an upstream accepts nothing else.
 */
export function createFetchTransport(options: ReachOptions): Transport {
  const reach = createReach(options);
  const tls = new TlsFetch(options);
  const begin = (outbound: Outbound, phases: Phases, pinned: Deno.HttpClient | undefined) =>
    outbound.url.startsWith("https:")
      ? tls.fetch(outbound, phases)
      : fetched(outbound, phases, pinned);
  const send = (outbound: Outbound, phases: Phases) => {
    const reached = reach(outbound, () => {
      phases.awaitConnection();
      return phases.signal;
    });
    return reached instanceof Promise
      ? reached.then((client) => begin(outbound, phases, client))
      : begin(outbound, phases, reached);
  };
  return Object.assign(send, { doubt: reach.doubt, close: () => tls.close() });
}

/**
 * Calls over TLS with HTTP/1.1, and with HTTP/2 only if the upstream accepts nothing else. The
 * runtime's client leaves Nagle's algorithm on (Deno 2.8.2) and sends a request over HTTP/2 in
 * several writes; each waits until the upstream has acknowledged the previous one. No client is
 * pinned to an address: the certificate proves the name. See
 * `docs/decisions/0048-http1-over-tls.md`.
 */
class TlsFetch {
  readonly #placeOf: ReturnType<typeof createPlaces>;
  readonly #skipped = new SkippedHosts();
  #http1?: Deno.HttpClient;

  constructor({ addresses = publicOnly }: ReachOptions) {
    this.#placeOf = createPlaces(addresses);
  }

  async fetch(outbound: Outbound, phases: Phases): Promise<UpstreamAnswer> {
    const { host } = this.#placeOf(outbound);
    if (this.#skipped.has(host)) return await fetched(outbound, phases);
    try {
      this.#http1 ??= Deno.createHttpClient({ http2: false });
      return await fetched(outbound, phases, this.#http1);
    } catch (error) {
      if (!isHttp2Only(error)) throw error;
      this.#skipped.add(host);
      return await fetched(outbound, phases);
    }
  }

  close(): void {
    this.#http1?.close();
    this.#http1 = undefined;
  }
}

function fetched(
  outbound: Outbound,
  phases: Phases,
  client?: Deno.HttpClient,
): Promise<UpstreamAnswer> {
  const { body } = outbound;
  const ask = (sent?: BodyInit) => {
    phases.awaitFirstByte();
    const rest = { body: sent, client, signal: phases.signal };
    return fetch(requestFor(outbound), rest).then(answerOf);
  };
  return body && body.length > atOnceMax ? blobOf(body).then(ask) : ask(body);
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
