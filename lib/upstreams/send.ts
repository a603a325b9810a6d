import { type ErrorCode, GatewayError } from "../canonical/mod.ts";
import { Pace } from "../http/stream/pace.ts";
import { truncated } from "../http/stream/transcoder.ts";
import type { UpstreamTimeouts as Timeouts } from "../store/mod.ts";
import { ChunkReader } from "./chunk_reader.ts";
import { Deadline } from "./deadline.ts";
import { type NetworkFault, networkFaultOf, networkFaultWords } from "./network_fault.ts";
import { createReach, type Destination, type ReachOptions } from "./reach.ts";

/** An outbound call. A configured address is called as written, one from the console is checked. */
export interface Outbound extends Destination {
  /** Absent: `POST`. */
  readonly method?: "GET" | "POST";
  readonly headers: Readonly<Record<string, string>>;
  /** JSON, unless its headers name another content type. */
  readonly body?: string | Uint8Array<ArrayBuffer>;
}

/** An upstream's answer: its headers have arrived, its body is unread. */
export interface Inbound {
  readonly status: number;
  readonly headers: Headers;
  /** Reads a chunk; undefined at the end. Throws a `GatewayError` on timeout or disconnect. */
  read(): Promise<Uint8Array | undefined>;
  /** Reads the rest of a small body. Throws like `read`. */
  readRest(): Promise<Uint8Array>;
  /** Ends the call at once; no effect after its end. */
  cancel(reason: GatewayError): void;
}

/**
 * The only outbound path. Resolves with the answer's headers, whatever its status; throws
 * `upstream_unreachable`, `upstream_invalid_response`, `upstream_timeout` or `client_closed`.
 * Redirects are not followed.
 */
export interface Send {
  (outbound: Outbound, timeouts: Timeouts, caller: AbortSignal): Promise<Inbound>;
  /** Ends every open call with `shutting_down`, and refuses new ones. */
  endAll(): void;
  /** Aborts with `shutting_down`, for models that run in this process. */
  readonly ended: AbortSignal;
}

/** `dialFirst` separates the connect and first-byte timeouts; switch it off behind a proxy. */
export function createSend(options: ReachOptions): Send {
  const reach = createReach(options);
  const open = new Set<Deadline>();
  const end = new AbortController();
  const send = async (outbound: Outbound, timeouts: Timeouts, caller: AbortSignal) => {
    end.signal.throwIfAborted();
    const deadline = new Deadline(timeouts, { caller, onClose: (closed) => open.delete(closed) });
    if (!deadline.signal.aborted) open.add(deadline);
    try {
      const client = await reach(outbound, () => {
        deadline.awaitConnection();
        return deadline.signal;
      });
      return inboundOf(await request(outbound, deadline, client), deadline);
    } catch (cause) {
      deadline.close();
      const failure = failureOf(cause, deadline, unanswered);
      if (isSilence(failure)) reach.doubt(outbound);
      throw failure;
    }
  };
  return Object.assign(send, {
    ended: end.signal,
    endAll: () => {
      const error = new GatewayError("shutting_down", "The server is shutting down. Retry");
      end.abort(error);
      for (const deadline of [...open]) deadline.abort(error);
    },
  });
}

async function request(
  { url, method = "POST", headers, body }: Outbound,
  deadline: Deadline,
  client: Deno.HttpClient | undefined,
): Promise<Response> {
  deadline.awaitFirstByte();
  return await fetch(url, {
    method,
    headers: { ...(body !== undefined && { "content-type": "application/json" }), ...headers },
    ...(body !== undefined && { body }),
    ...(client && { client }),
    redirect: "manual",
    signal: deadline.signal,
  });
}

function inboundOf(response: Response, deadline: Deadline): Inbound {
  const pace = new Pace();
  let reader: ChunkReader | undefined;
  let begun = false;
  const failed = (cause: unknown) => {
    deadline.close();
    return failureOf(cause, deadline, truncated);
  };
  return {
    status: response.status,
    headers: response.headers,
    read: async () => { // a single function: every further one would cost a promise per chunk
      const startedAt = deadline.startReading();
      try {
        reader ??= response.body ? new ChunkReader(response.body) : undefined;
        const chunk = await reader?.read();
        const turn = pace.afterRead(startedAt);
        if (turn) await turn;
        if (!begun) deadline.awaitChunks();
        begun = true;
        deadline.stopReading();
        if (!chunk) deadline.close();
        return chunk;
      } catch (cause) {
        throw failed(cause);
      }
    },
    readRest: async () => {
      deadline.awaitChunks(); // its length is known, so it has been sent
      const bytes = await response.bytes().catch((cause) => {
        throw failed(cause);
      });
      deadline.close();
      return bytes;
    },
    cancel: (reason) => {
      deadline.abort(reason);
      void reader?.cancel(reason).catch(() => {});
    },
  };
}

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
  return new GatewayError(codeOf[fault] ?? "upstream_unreachable", words, { cause });
}

/** Codes for faults in which the upstream was reached but sent an invalid answer. */
const codeOf: Readonly<Partial<Record<NetworkFault, ErrorCode>>> = {
  headers: "upstream_invalid_response",
  "not-http": "upstream_invalid_response",
};
