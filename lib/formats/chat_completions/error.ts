import type { ErrorCode, GatewayError, JsonObject } from "../../canonical/mod.ts";
import {
  codeOfWords,
  limitMember,
  sharedCodes,
  upstreamError,
  type UpstreamWords,
  upstreamWords,
  wireError,
} from "../error.ts";
import type { ServerSentEvent, WireError } from "../wire.ts";

/** An upstream's error answer. */
export function decodeError({ status, headers, body }: WireError): GatewayError {
  const said = upstreamWords(body);
  return upstreamError(codeOf(said, status), said, { status, headers });
}

/** The error within a stream's chunk or an answer with status 200. Some vendors put a status into `code`. */
export function decodeStreamError(carrier: JsonObject): GatewayError {
  const said = upstreamWords(carrier);
  const status = /^[45]\d\d$/.test(said.code) ? Number(said.code) : undefined;
  return upstreamError(codeOf(said, status), said, { status });
}

export function encodeError(error: GatewayError, requestId: string): WireError {
  return wireError(error, { error: errorBody(error, requestId) });
}

/** One line with an `error`, at which the vendor's SDK throws. No `[DONE]` follows. */
export function encodeStreamError(
  error: GatewayError,
  requestId: string,
): readonly ServerSentEvent[] {
  return [{ data: JSON.stringify({ error: errorBody(error, requestId) }) }];
}

function errorBody(error: GatewayError, requestId: string): JsonObject {
  return {
    message: error.message,
    type: typeTable[error.code] ?? error.type,
    param: error.param ?? null,
    code: error.code,
    ...limitMember(error),
    request_id: requestId,
  };
}

/** Error types for which this format has its own name. */
const typeTable: Partial<Record<ErrorCode, string>> = {
  model_not_found: "invalid_request_error",
  body_too_large: "invalid_request_error",
  body_too_complex: "invalid_request_error",
  internal_error: "server_error",
  upstream_error: "server_error",
  upstream_invalid_response: "server_error",
  upstream_unauthorized: "server_error",
  upstream_unreachable: "server_error",
  upstream_truncated: "server_error",
  upstream_overloaded: "server_error",
  upstream_timeout: "server_error",
  no_upstream: "server_error",
  gateway_overloaded: "server_error",
  shutting_down: "server_error",
  store_unavailable: "server_error",
};

/** Codes and types that are more specific than the status. The upstream's account is not the caller's. */
const codeTable = new Map<string, ErrorCode>([
  ...sharedCodes,
  ["requests", "rate_limit_exceeded"],
  ["tokens", "rate_limit_exceeded"],
  ["server_overloaded", "upstream_overloaded"],
  ["service_unavailable_error", "upstream_overloaded"],
  ["engine_overloaded_error", "upstream_overloaded"],
  ["timeout", "upstream_timeout"],
]);

function codeOf(said: UpstreamWords, status: number | undefined): ErrorCode {
  const known = status === undefined || status < 500 ? codeTable.get(said.code) : undefined;
  return known ?? codeOfWords(said, status, codeTable);
}
