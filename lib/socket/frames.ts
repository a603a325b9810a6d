import {
  changedError,
  errorCatalog,
  type GatewayError,
  isJsonObject,
  type JsonObject,
} from "../canonical/mod.ts";
import type { WireError } from "../formats/wire.ts";

/** A client's mistake for which only sockets have a code. Charges nothing; the socket stays open. */
export class FrameFault extends Error {
  readonly code: FaultCode;
  readonly param?: string;

  constructor(code: FaultCode, message: string, param?: string) {
    super(message);
    this.code = code;
    this.param = param;
  }
}

type FaultCode =
  | "invalid_request_error"
  | "invalid_stream_id"
  | "websocket_stream_limit_reached"
  | "websocket_connection_limit_reached";

/** Frames of a named lane carry its name; those of the default lane none. */
export function inLane(data: string, lane: string): string {
  return lane === "" ? data : `{"stream_id":${JSON.stringify(lane)},${data.slice(1)}`;
}

export function faultFrame({ code, message: said, param }: FrameFault, lane: string): string {
  const message = `${said}. ${notCharged}`;
  const error = { type: "invalid_request_error", code, message, param: param ?? null };
  return inLane(JSON.stringify({ type: "error", status: 400, error }), lane);
}

/** An error of a frame that became no call. */
export function uncharged(error: GatewayError): GatewayError {
  const { message } = error;
  if (message.includes(notCharged)) return error;
  return changedError(error, { message: `${message}. ${notCharged}` });
}

const notCharged = "Not charged";

/** Headers of an error that clients act on. */
const errorHeader = /^(retry-after|x-ratelimit|x-should-retry|x-request-id)/;

/**
 * An error answer as a frame. Its headers are in both places where clients look for them: Codex
 * reads them beside the error, the vendor's SDK within it.
 */
export function errorFrame({ status, headers, body }: WireError, lane: string): string {
  const said = isJsonObject(body) && isJsonObject(body.error) ? body.error : {};
  const kept = Object.fromEntries(
    Object.entries(headers).filter(([name]) => errorHeader.test(name)),
  );
  const error = { ...said, headers: kept };
  return inLane(JSON.stringify({ type: "error", status, error, headers: kept }), lane);
}

/** An error event within an answer, flat or nested, as a frame with a status. */
export function eventErrorFrame(event: JsonObject, lane: string): string {
  const { error: nested, sequence_number, code = null, message = "", param = null } = event;
  const error = isJsonObject(nested) ? nested : { type: "api_error", code, message, param };
  const status = statusOf(error.code);
  return inLane(JSON.stringify({ type: "error", status, error, sequence_number }), lane);
}

const statuses = new Map<unknown, number>(
  Object.entries(errorCatalog).map(([code, { status }]) => [code, status]),
);

function statusOf(code: unknown): number {
  return statuses.get(code) ?? 500;
}

/** The beginning of an event, in which its type is searched for if the event has no name. */
const typeCharsMax = 200;

export function typeOf({ event, data }: { readonly event?: string; readonly data: string }) {
  return event ?? /"type"\s*:\s*"([\w.]+)"/.exec(data.slice(0, typeCharsMax))?.[1] ?? "";
}

/** The place after an event in its response. */
export function nextPlace(data: string): number {
  const said = /"sequence_number"\s*:\s*(\d+)/.exec(data)?.[1];
  return said === undefined ? 0 : Number(said) + 1;
}
