import type { Call } from "./call.ts";
import type { Match } from "./endpoints.ts";
import { newRequestId } from "./request_id.ts";

/** The source and the time of a request. */
interface Incoming {
  readonly request: Request;
  readonly url: URL;
  readonly nowMs: number;
  /** The caller's address. */
  readonly ip: string;
  /** Absent if the request has none yet. */
  readonly id?: string;
  /** See `Call`. */
  readonly completed?: Promise<void>;
}

/** Makes the call of a matched request. */
export function newCall(
  { request, url, nowMs, ip, id, completed }: Incoming,
  { codec, endpoint, parameter, item, wirePath }: Match,
): Call {
  return {
    id: id ?? newRequestId(nowMs),
    request,
    url,
    codec,
    endpoint,
    parameter,
    item,
    wirePath,
    startedAtMs: nowMs,
    startedAt: performance.now(),
    ip,
    signal: request.signal,
    completed,
  };
}
