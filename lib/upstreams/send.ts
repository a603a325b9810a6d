import { GatewayError } from "../canonical/mod.ts";
import { Deadline } from "./deadline.ts";
import type { UpstreamTimeouts as Timeouts } from "../store/mod.ts";

/** A call as it goes out. */
export interface Outbound {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** An upstream's answer whose headers have come and whose body is still to be read. */
export interface Inbound {
  readonly status: number;
  readonly headers: Headers;
  /** The next chunk, undefined at the end. Throws a `GatewayError` on a time-out or a broken connection. */
  read(): Promise<Uint8Array | undefined>;
  /** The rest of the body, for one that is known to be small. Throws as `read` does. */
  readRest(): Promise<Uint8Array>;
  /** Ends the call at once; harmless when it is over. */
  cancel(reason: GatewayError): void;
}

/**
 * The only thing that calls out. Resolves with the answer's headers, whatever their status; throws
 * `upstream_unreachable`, `upstream_timeout` or `client_closed`. Redirects are not followed.
 */
export interface Send {
  (outbound: Outbound, timeouts: Timeouts, caller: AbortSignal): Promise<Inbound>;
  /** Ends every call that is out with `shutting_down`, and refuses further ones. */
  endAll(): void;
  /** Aborts with that error: for answers that are made in this process. */
  readonly ended: AbortSignal;
}

/** `dialFirst` keeps the connect time-out apart from the first byte's; switch it off behind a proxy. */
export function createSend(options: { readonly dialFirst: boolean }): Send {
  const dial = options.dialFirst ? createDial() : () => Promise.resolve();
  const open = new Set<Deadline>();
  const end = new AbortController();
  const send = async (outbound: Outbound, timeouts: Timeouts, caller: AbortSignal) => {
    end.signal.throwIfAborted();
    const deadline = new Deadline(timeouts, { caller, onClose: (closed) => open.delete(closed) });
    if (!deadline.signal.aborted) open.add(deadline);
    try {
      await dial(outbound.url, deadline);
      return inboundOf(await request(outbound, deadline), deadline);
    } catch (cause) {
      deadline.close();
      throw failureOf(cause, deadline, "upstream_unreachable");
    }
  };
  return Object.assign(send, {
    ended: end.signal,
    endAll: () => {
      const error = new GatewayError("shutting_down", "The server is stopping: try again");
      end.abort(error);
      for (const deadline of [...open]) deadline.abort(error);
    },
  });
}

async function request(outbound: Outbound, deadline: Deadline): Promise<Response> {
  deadline.awaitFirstByte();
  const response = await fetch(outbound.url, {
    method: "POST",
    headers: { "content-type": "application/json", ...outbound.headers },
    body: outbound.body,
    redirect: "manual",
    signal: deadline.signal,
  });
  deadline.awaitChunks();
  return response;
}

function inboundOf(response: Response, deadline: Deadline): Inbound {
  let reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  const guarded = async <T>(reading: Promise<T>): Promise<T> => {
    try {
      return await reading;
    } catch (cause) {
      deadline.close();
      throw failureOf(cause, deadline, "upstream_truncated");
    }
  };
  return {
    status: response.status,
    headers: response.headers,
    read: async () => {
      reader ??= response.body?.getReader();
      deadline.startReading();
      const next = reader && await guarded(reader.read());
      deadline.stopReading();
      if (next && !next.done) return next.value;
      deadline.close();
      return undefined;
    },
    readRest: async () => {
      const bytes = await guarded(response.bytes());
      deadline.close();
      return bytes;
    },
    cancel: (reason) => {
      deadline.abort(reason);
      void reader?.cancel(reason).catch(() => {});
    },
  };
}

/** Why a call failed: what the deadline said, else what the network did. The address stays out of the message. */
function failureOf(
  cause: unknown,
  deadline: Deadline,
  code: "upstream_unreachable" | "upstream_truncated",
): GatewayError {
  const reason: unknown = deadline.signal.reason;
  if (reason instanceof GatewayError) return reason;
  if (cause instanceof GatewayError) return cause;
  const message = code === "upstream_unreachable"
    ? "Cannot reach the upstream: the connection failed"
    : "The upstream closed the connection before its answer was complete";
  return new GatewayError(code, message, { cause });
}

/** How long after a call the connection to its host is taken as alive. */
const warmMs = 30_000;

/**
 * `fetch` cannot tell a connection that hangs from an answer that is slow. A host that has not been
 * called lately is therefore dialled first, under the connect time-out.
 */
function createDial(): (url: string, deadline: Deadline) => Promise<void> {
  const warmUntil = new Map<string, number>();
  return async (url, deadline) => {
    const { hostname, port, protocol, host } = new URL(url);
    const now = performance.now();
    if ((warmUntil.get(host) ?? 0) < now) {
      deadline.awaitConnection();
      const connection = await Deno.connect({
        hostname: hostname.replace(/^\[|\]$/g, ""),
        port: Number(port || (protocol === "https:" ? 443 : 80)),
        signal: deadline.signal,
      });
      connection.close();
    }
    warmUntil.set(host, now + warmMs);
  };
}
