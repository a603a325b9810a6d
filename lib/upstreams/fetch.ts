import { atOnceMax, pieceEnd } from "../json/mod.ts";
import { Pace } from "../pace.ts";
import type { UpstreamRecord } from "../store/catalog/mod.ts";
import type { CredentialSource } from "./credentials/source.ts";
import type { Deadline } from "./deadline.ts";
import type { Destination, Host, Reach } from "./reach.ts";

const pieceLength = 512 * 1024;

/**
 * A long body in pieces, made with turns for other work between them: the runtime encodes and copies
 * any other body at once, and sends this one with its length, too (Deno 2.8.2).
 */
async function blobOf(body: string | Uint8Array<ArrayBuffer>): Promise<Blob> {
  const pace = new Pace();
  const pieces: Blob[] = [];
  for (let at = 0; at < body.length;) {
    const end = pieceEnd(body, at + pieceLength);
    pieces.push(new Blob([body.slice(at, end)]));
    at = end;
    await pace.giveWay();
  }
  return new Blob(pieces);
}

/** An outbound call. A configured address is called as written, one from the console is checked. */
export interface Outbound extends Destination {
  /** Absent: `POST`. */
  readonly method?: "GET" | "POST" | "PUT";
  /** Calls with equal headers may share the object: its requests are kept for the next call. */
  readonly headers: Readonly<Record<string, string>>;
  /** JSON, unless its headers name another content type. */
  readonly body?: string | Uint8Array<ArrayBuffer>;
  /** The credential that authorizes it, unless its headers hold one. */
  readonly source?: OutboundSource;
}

/** A credential source with its text, and the upstream that it is for. */
interface OutboundSource {
  readonly source: CredentialSource;
  readonly secret: string;
  readonly upstream: Pick<UpstreamRecord, "origin" | "cloud">;
  /** The service and region of a signature, if not those of the upstream. */
  readonly signing?: { readonly service: string; readonly region: string };
}

/**
 * The runtime's client, which uses proxies from the environment and makes spans. It speaks HTTP/1.1;
 * over TLS, HTTP/2 where an upstream accepts nothing else: the client leaves Nagle's algorithm on
 * (Deno 2.8.2) and sends a request over HTTP/2 in several writes, each of which waits until the
 * upstream has acknowledged the previous one (`docs/decisions/0048-http1-over-tls.md`).
 */
export class UpstreamFetch {
  readonly #reach: Reach;
  #http1?: Deno.HttpClient;
  #byAddress?: Deno.HttpClient;

  constructor(reach: Reach) {
    this.#reach = reach;
  }

  /** Rejects with `AddressError` or the network's error. */
  fetch(outbound: Outbound, deadline: Deadline): Promise<Response> {
    const host = this.#reach(outbound, () => {
      deadline.awaitConnection();
      return deadline.signal;
    });
    return host instanceof Promise
      ? host.then((reached) => this.#fetchFrom(reached, outbound, deadline))
      : this.#fetchFrom(host, outbound, deadline);
  }

  /** Forgets the last check of a host after a call without an answer. */
  doubt(outbound: Outbound): void {
    this.#reach.doubt(outbound);
  }

  close(): void {
    this.#http1?.close();
    this.#byAddress?.close();
    this.#http1 = this.#byAddress = undefined;
  }

  #fetchFrom(host: Host, outbound: Outbound, deadline: Deadline): Promise<Response> {
    if (outbound.url.startsWith("https:")) return this.#fetchOverTls(host, outbound, deadline);
    if (host.address === undefined) return fetched(outbound, deadline);
    const client = this.#byAddress ??= Deno.createHttpClient({ allowHost: true });
    return fetched(outbound, deadline, { client, address: host.address });
  }

  async #fetchOverTls(host: Host, outbound: Outbound, deadline: Deadline): Promise<Response> {
    if (host.http2Until > performance.now()) return await fetched(outbound, deadline);
    try {
      const client = this.#http1 ??= Deno.createHttpClient({ http2: false });
      return await fetched(outbound, deadline, { client });
    } catch (error) {
      if (!isHttp2Only(error)) throw error;
      host.http2Until = performance.now() + http2Ms;
      return await fetched(outbound, deadline);
    }
  }
}

/** After this time, HTTP/1.1 is tried again at an upstream that refused it. */
const http2Ms = 10 * 60_000;

/**
 * True if an upstream refused HTTP/1.1 in the TLS handshake, so that nothing was sent. The message
 * quotes the URL, which cannot have these words: it has no spaces.
 */
function isHttp2Only(error: unknown): boolean {
  return error instanceof Error &&
    error.message.includes("received fatal alert: NoApplicationProtocol");
}

interface Client {
  readonly client?: Deno.HttpClient;
  /** Called instead of the URL's name, which is sent as `host`. */
  readonly address?: string;
}

function fetched(
  outbound: Outbound,
  deadline: Deadline,
  { client, address }: Client = {},
): Promise<Response> {
  const { body } = outbound;
  const send = (sent?: BodyInit) => {
    deadline.awaitFirstByte();
    const rest = { body: sent, client, signal: deadline.signal };
    return fetch(requestFor(outbound, address), rest);
  };
  return body && body.length > atOnceMax ? blobOf(body).then(send) : send(body);
}

interface KeptRequest extends Pick<Outbound, "url" | "method"> {
  readonly address: string | undefined;
  readonly hasBody: boolean;
  readonly request: Request;
}

/** Nearly all calls to a candidate share their URL, their method and the object of their headers. */
const keptRequests = new WeakMap<Outbound["headers"], KeptRequest>();

/** The request without its body. Copying it costs less than parsing its URL and headers again. */
function requestFor(outbound: Outbound, address: string | undefined): Request {
  const { url, method, headers } = outbound;
  const hasBody = outbound.body !== undefined;
  const kept = keptRequests.get(headers);
  const isSame = kept?.url === url && kept.method === method && kept.hasBody === hasBody &&
    kept.address === address;
  if (isSame) return kept.request;
  const request = newRequest(outbound, address);
  keptRequests.set(headers, { url, method, hasBody, address, request });
  return request;
}

function newRequest({ url, method = "POST", headers, body }: Outbound, address?: string): Request {
  const target = new URL(url);
  const { host } = target;
  if (address !== undefined) target.hostname = address.includes(":") ? `[${address}]` : address;
  return new Request(target, {
    method,
    headers: {
      ...(body !== undefined && { "content-type": "application/json" }),
      ...(address !== undefined && { host }),
      ...headers,
    },
    redirect: "manual",
  });
}
