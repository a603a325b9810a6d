import type { GatewayError } from "../canonical/mod.ts";
import type { Codec } from "../formats/codec.ts";
import type { Endpoint } from "../formats/wire.ts";
import type { ReadText } from "../json/mod.ts";
import type { Match } from "./endpoints.ts";
import type { Steering } from "./steering.ts";

/** One API request on its way through the gateway, before its body is read. */
export interface Call {
  /** `req_` + ULID: part of every answer, error, log row and metric of this call. */
  readonly id: string;
  readonly request: Request;
  readonly url: URL;
  /** The format of the requested address. */
  readonly codec: Codec;
  readonly endpoint: Endpoint;
  /** The `{model}` or `{id}` of the path. */
  readonly parameter?: string;
  /** The `{item}` of the path. */
  readonly item?: string;
  /** The path relative to the format's base URL, for the codec. */
  readonly wirePath: string;
  readonly startedAtMs: number;
  /** `performance.now()` at the start, for durations. */
  readonly startedAt: number;
  readonly ip: string;
  /** Aborts when the caller disconnects. */
  readonly signal: AbortSignal;
  /** The body, if it was read before the call: a frame of a socket. */
  readonly read?: ReadText;
  /** Settles once the answer is sent or the caller has disconnected; absent for a call of the console. */
  readonly completed?: Promise<void>;
  /** Changes its errors before they are sent; `errorCodecOf` applies them. */
  readonly errors?: ErrorChanges;
  /** The caller's WebSocket that the call came on, and behind a slash its lane if that has a name. */
  readonly socket?: string;
  /** Present for a call whose answer its caller may steer. */
  readonly steering?: Steering;
}

/** The changes of a call's errors on their way to the caller. */
export interface ErrorChanges {
  /** Changes an error before it is encoded. */
  word(error: GatewayError): GatewayError;
  /** Changes the body of an error that was encoded. */
  link(body: unknown, error: GatewayError): unknown;
}

/** The source and the time of a request. */
export interface Incoming {
  readonly request: Request;
  readonly url: URL;
  readonly nowMs: number;
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

const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const timeChars = 10;
const randomPairs = 8;
const pairs = [...alphabet].flatMap((first) => [...alphabet].map((second) => first + second));

/** Random numbers for many ids at once, whose count divides their length. */
const pool = new Uint16Array(512 * randomPairs);
let used = pool.length;

/**
 * A new request id: `req_` and a ULID (github.com/ulid/spec), which is 48 bits of milliseconds and 80
 * random bits in Crockford's base 32, so that ids sort by time.
 */
export function newRequestId(atMs: number): string {
  if (used === pool.length) {
    crypto.getRandomValues(pool);
    used = 0;
  }
  let id = `req_${timeText(atMs)}`;
  for (let n = 0; n < randomPairs; n++) id += pairs[pool[used++] % pairs.length];
  return id;
}

/** The time of the last id: many ids share it. */
const last = { atMs: NaN, text: "" };

function timeText(atMs: number): string {
  if (atMs === last.atMs) return last.text;
  let time = "";
  for (let rest = atMs, n = 0; n < timeChars; n++) {
    time = alphabet[rest % 32] + time;
    rest = Math.floor(rest / 32);
  }
  Object.assign(last, { atMs, text: time });
  return time;
}
