import { changedError, type ErrorCode, GatewayError } from "../canonical/mod.ts";
import { copiedBytes } from "../http/body/slab.ts";
import { answerComplete } from "../http/stream/source.ts";
import { truncated } from "../http/stream/transcoder.ts";
import { Pace } from "../pace.ts";
import { Roster } from "../roster.ts";
import type { UpstreamTimeouts as Timeouts } from "../store/mod.ts";
import { AddressError } from "./address.ts";
import { Deadline } from "./deadline.ts";
import { type Outbound, UpstreamFetch } from "./fetch.ts";
import { createReach, type ReachOptions } from "./reach.ts";
import { SocketDialer } from "./sockets/dialer.ts";
import type { UpstreamSockets } from "./sockets/mod.ts";

export type { Outbound } from "./fetch.ts";

const bytesMin = 4 * 1024;
const bytesMax = 64 * 1024;
/** Maximum bytes of a chunk that is copied: a new buffer costs more than a copy of this length. */
const copiedMax = 1024;

/**
 * Reads a body chunk by chunk into buffers sized by the recent chunks. The default of 64 KiB would
 * be most of the memory of an idle stream. A small chunk, such as one event, is copied, and the next
 * read uses its buffer again.
 */
export class ChunkReader {
  readonly #reader: ReadableStreamBYOBReader;
  #bytes = bytesMin;
  /** The buffer of a chunk that was copied. */
  #spare?: Uint8Array<ArrayBuffer>;

  /** `body` is a response body, which is always a byte stream. */
  constructor(body: ReadableStream<Uint8Array>) {
    this.#reader = body.getReader({ mode: "byob" });
  }

  /** Reads the next chunk; undefined at the end. Rejects if the body fails. */
  async read(): Promise<Uint8Array | undefined> {
    const { done, value } = await this.#reader.read(this.#spare ?? new Uint8Array(this.#bytes));
    this.#spare = undefined;
    if (done || !value) return undefined;
    const filled = this.#bytes;
    this.#bytes = value.length === filled ? bytesMax : Math.max(filled / 4, bytesMin);
    if (this.#bytes !== filled || value.length > copiedMax) return value;
    this.#spare = new Uint8Array(value.buffer);
    return copiedBytes(value);
  }

  cancel(reason: unknown): Promise<void> {
    return this.#reader.cancel(reason);
  }
}

/**
 * The only outbound path. Resolves with the answer's headers, whatever its status; throws
 * `upstream_unreachable`, `upstream_invalid_response`, `upstream_timeout` or `client_closed`.
 * Redirects are not followed. With `sockets`, the request is one of the responses format, and goes
 * over a kept WebSocket if it can.
 */
export interface Send {
  (
    outbound: Outbound,
    timeouts: Timeouts,
    caller: AbortSignal,
    sockets?: UpstreamSockets,
  ): Promise<UpstreamAnswer>;
  /** Ends every open call with `shutting_down`, and refuses new ones. */
  endAll(): void;
  /** Aborts with `shutting_down`, for models that run in this process. */
  readonly ended: AbortSignal;
}

/** `dialFirst` separates the connect and first-byte timeouts; switch it off behind a proxy. */
export function createSend(options: ReachOptions): Send {
  const reach = createReach(options);
  const client = new UpstreamFetch(reach);
  const dialer = new SocketDialer(reach, { isBehindProxy: !options.dialFirst });
  const open = new Roster<Deadline>();
  const end = new AbortController();
  const onClose = (closed: Deadline) => open.delete(closed);
  const send = async (...[outbound, timeouts, caller, sockets]: Parameters<Send>) => {
    end.signal.throwIfAborted();
    const deadline = new Deadline(timeouts, { caller, onClose });
    if (!deadline.signal.aborted) open.add(deadline);
    try {
      const kept = sockets && await sockets.answer({ outbound, deadline, dialer, timeouts });
      return new UpstreamAnswer(kept ?? await client.fetch(outbound, deadline), deadline);
    } catch (cause) {
      deadline.close();
      const failure = failureOf(cause, deadline, unanswered);
      if (isSilence(failure)) client.doubt(outbound);
      throw failure;
    }
  };
  return Object.assign(send, {
    ended: end.signal,
    endAll: () => {
      const error = new GatewayError("shutting_down", "The server is shutting down. Retry");
      end.abort(error);
      for (const deadline of open.members()) deadline.abort(error);
      client.close();
    },
  });
}

/** An upstream's answer: its headers have arrived, its body is unread. */
export class UpstreamAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly #response: Response;
  readonly #deadline: Deadline;
  #chunks?: ChunkReader;
  /** Present once the first chunk was requested. */
  #pace?: Pace;
  #begun = false;

  constructor(response: Response, deadline: Deadline) {
    this.status = response.status;
    this.headers = response.headers;
    this.#response = response;
    this.#deadline = deadline;
  }

  /** Reads a chunk; undefined at the end. Throws a `GatewayError` on timeout or disconnect. */
  async read(): Promise<Uint8Array | undefined> { // a single function: every further one would cost a promise per chunk
    const deadline = this.#deadline;
    const pace = this.#pace ??= new Pace();
    const startedAt = deadline.startReading();
    try {
      const chunk = await this.#readChunk();
      const turn = pace.afterRead(startedAt);
      if (turn) await turn;
      if (!this.#begun) deadline.awaitChunks();
      this.#begun = true;
      deadline.stopReading();
      if (!chunk) deadline.close();
      return chunk;
    } catch (cause) {
      throw this.#failed(cause);
    }
  }

  /** Reads the rest of a small body in one step. Throws like `read`. */
  readRest(): Promise<Uint8Array> {
    this.#deadline.awaitChunks(); // its length is known, so it has been sent
    return this.#response.bytes().then((bytes) => {
      this.#deadline.close();
      return bytes;
    }, (cause) => {
      throw this.#failed(cause);
    });
  }

  /** Ends the call at once; no effect after its end. */
  cancel(reason: GatewayError): void {
    this.#deadline.abort(reason);
    this.#chunks?.cancel(reason).catch(() => {});
  }

  /** Leaves a complete answer. Keeps its connection if the body ends within a second and 64 KB. */
  release(): void {
    if (this.#deadline.isReading) this.cancel(answerComplete); // a read is pending, or has failed
    else void this.#readEnd();
  }

  async #readEnd(): Promise<void> {
    this.#deadline.awaitEnd();
    try {
      for (let left = endBytesMax; left > 0;) {
        const chunk = await this.#readChunk();
        if (!chunk) return this.#deadline.close();
        left -= chunk.length;
      }
    } catch {
      // the caller has the whole answer
    }
    this.cancel(answerComplete);
  }

  #readChunk(): Promise<Uint8Array | undefined> | undefined {
    const { body } = this.#response;
    this.#chunks ??= body ? new ChunkReader(body) : undefined;
    return this.#chunks?.read();
  }

  #failed(cause: unknown): GatewayError {
    this.#deadline.close();
    return failureOf(cause, this.#deadline, this.#begun || !this.#isStream ? truncated : unbegun);
  }

  /** Of a whole answer, the headers say that the upstream has done its work, and bills it. */
  get #isStream(): boolean {
    return this.headers.get("content-type")?.startsWith("text/event-stream") ?? false;
  }
}

/** The error of a stream that broke before its first byte. */
function unbegun(cause: unknown): GatewayError {
  return changedError(truncated(cause), { isBroken: true });
}

/** Maximum bytes to read after a complete answer, such as keep-alives. More would cost more than a new connection. */
const endBytesMax = 64 * 1024;

/** The error of a failed call: the deadline's reason, else the network's. */
function failureOf(
  cause: unknown,
  deadline: Deadline,
  otherwise: (cause: unknown) => GatewayError,
): GatewayError {
  const reason: unknown = deadline.signal.reason;
  if (reason instanceof GatewayError) return reason;
  return cause instanceof GatewayError ? cause : otherwise(cause);
}

function isSilence({ code }: GatewayError): boolean {
  return code === "upstream_timeout" || code === "upstream_unreachable";
}

/** The error without an answer. Its message has no address; the cause does. */
function unanswered(cause: unknown): GatewayError {
  const fault = networkFaultOf(cause);
  const words = `Cannot reach the upstream: ${networkFaultWords[fault]}`;
  const isBroken = passing.has(fault);
  return new GatewayError(codeOf[fault] ?? "upstream_unreachable", words, { cause, isBroken });
}

/** Faults that are often gone at once, unlike a wrong name or certificate. */
const passing: ReadonlySet<NetworkFault> = new Set(["refused", "closed", "unknown"]);

/** Codes for faults in which the upstream was reached but sent an invalid answer. */
const codeOf: Readonly<Partial<Record<NetworkFault, ErrorCode>>> = {
  headers: "upstream_invalid_response",
  "not-http": "upstream_invalid_response",
};

/** The network errors that the runtime's messages distinguish. */
export type NetworkFault =
  | "address"
  | "name"
  | "refused"
  | "unreachable"
  | "certificate"
  | "tls"
  | "closed"
  | "headers"
  | "not-http"
  | "unknown";

/** The meaning of each fault, for callers and operators; reveals no upstream address. */
const networkFaultWords: Readonly<Record<NetworkFault, string>> = {
  address: "its address is not allowed",
  name: "its name cannot be resolved",
  refused: "the connection was refused",
  unreachable: "its network is unreachable",
  certificate: "its certificate is invalid",
  tls: "it does not use TLS, so its base URL may need http://",
  closed: "it closed the connection without a response",
  headers: "its response headers are too large",
  "not-http": "it does not respond in HTTP, so its base URL may need https://",
  unknown: "the connection failed",
};

/** Patterns of the runtime's messages (Deno 2.9.6), the only way to distinguish faults. */
const words: readonly (readonly [RegExp, NetworkFault])[] = [
  [/failed to lookup|dns error|ENOTFOUND|EAI_AGAIN/i, "name"],
  [/connection refused|ECONNREFUSED/i, "refused"],
  [/(network|host) (is )?unreachable|no route to host/i, "unreachable"],
  [/peer certificate|CertificateUnknown|UnknownIssuer/i, "certificate"],
  [/without sending TLS close_notify/i, "closed"],
  [/corrupt message|InvalidContentType|handshake|\btls\b/i, "tls"],
  [/message head is too large/i, "headers"],
  [/invalid HTTP|parsed|HTTP2?.*protocol error/i, "not-http"],
  [/closed before|reset by peer|broken pipe|unexpected end of file|\bEOF\b/i, "closed"],
];

export function networkFaultOf(thrown: unknown): NetworkFault {
  const texts: string[] = [];
  for (let error = thrown; error instanceof Error; error = error.cause) {
    if (error instanceof AddressError) return error.isUnknown ? "name" : "address";
    texts.push(`${error.name} ${error.message}`);
  }
  const text = texts.join(" ");
  return words.find(([pattern]) => pattern.test(text))?.[1] ?? "unknown";
}
