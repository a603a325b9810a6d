import type { Call } from "./call.ts";
import type { Match } from "./endpoints.ts";
import { newRequestId } from "./request_id.ts";

/** Where and when a request came in. */
export interface Incoming {
  readonly request: Request;
  readonly url: URL;
  readonly nowMs: number;
  /** The caller's address. */
  readonly ip: string;
  /** Absent where the request has none yet. */
  readonly id?: string;
  /** See `Call`. */
  readonly completed?: Promise<void>;
}

/** A request whose address is known, at the start of its way. */
export function newCall(
  { request, url, nowMs, ip, id, completed }: Incoming,
  match: Match,
): Call {
  return {
    id: id ?? newRequestId(nowMs),
    request,
    url,
    ...match,
    startedAtMs: nowMs,
    startedAt: performance.now(),
    ip,
    signal: request.signal,
    ...(completed && { completed }),
  };
}
