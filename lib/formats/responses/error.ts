import {
  type ErrorCode,
  GatewayError,
  isJsonObject,
  type JsonObject,
} from "../../canonical/mod.ts";
import {
  codeOfWords,
  limitMember,
  sharedCodes,
  upstreamError,
  type UpstreamWords,
  upstreamWords,
  wireError,
} from "../error.ts";
import type { SentEvents, ServerSentEvent, WireError } from "../wire.ts";
import { numberOrNothing, objectIn, textOf } from "../wire_value.ts";
import { ownFields } from "./native.ts";

/** An upstream's error answer. */
export function decodeError({ status, headers, body }: WireError): GatewayError {
  const said = upstreamWords(body);
  return upstreamError(codeOf(said, status), said, { status, headers });
}

/** The error of a failed or cancelled response object. */
export function decodeFailure(response: JsonObject): GatewayError {
  return decodeStreamError({ error: response.error });
}

/** The error of an `error` event, flat or nested, or of any object with an `error`. */
export function decodeStreamError(event: JsonObject): GatewayError {
  const nested = isJsonObject(event.error) || typeof event.error === "string";
  const said = upstreamWords(nested ? event : { error: event });
  return upstreamError(codeOf(said, undefined), said);
}

export function encodeError(error: GatewayError, requestId: string): WireError {
  return wireError(error, { error: errorBody(error, requestId) });
}

/** Sends both `error` and `response.failed`, because a client may read only one of them. Their numbers continue those of the sent events. */
export function encodeStreamError(
  error: GatewayError,
  requestId: string,
  sent: SentEvents = { count: 0 },
): readonly ServerSentEvent[] {
  const begun = objectIn(sent.first?.data ?? "")?.response;
  const head = isJsonObject(begun) ? begun : unstated(requestId);
  const response = { ...head, status: "failed", error: failureOf(error), output: [], usage: null };
  const number = nextNumber(sent);
  return [
    wireEvent({ type: "error", sequence_number: number, error: errorBody(error, requestId) }),
    wireEvent({ type: "response.failed", sequence_number: number + 1, response }),
  ];
}

/** Counts the events of servers that do not number them. */
export function nextNumber({ last, count }: SentEvents): number {
  const number = numberOrNothing(objectIn(last?.data ?? "")?.sequence_number);
  return number === undefined ? count : number + 1;
}

/** A response object for a failure before the first event. */
function unstated(requestId: string): JsonObject {
  return {
    id: `resp_${requestId.replace(/^req_/, "")}`,
    object: "response",
    created_at: 0,
    incomplete_details: null,
  };
}

export function wireEvent(event: JsonObject): ServerSentEvent {
  return { event: textOf(event.type), data: JSON.stringify(event) };
}

/** The same for an event that may repeat a whole answer. */
export function lateEvent(value: JsonObject): ServerSentEvent {
  let data: string | undefined;
  return {
    event: textOf(value.type),
    value,
    get data() {
      return data ??= JSON.stringify(value);
    },
  };
}

/** The nested form, for which the vendor's SDK throws its own error immediately. */
export function errorBody(error: GatewayError, requestId: string): JsonObject {
  return {
    message: error.message,
    type: error.type,
    code: error.code,
    param: error.param ?? null,
    ...ownFields(error),
    ...limitMember(error),
    request_id: requestId,
  };
}

/** `error` of a failed response object. Agents know a few codes and retry on all others. */
export function failureOf({ code, message }: GatewayError): JsonObject {
  return { code: failureCodes[code] ?? "server_error", message };
}

const failureCodes: Partial<Record<ErrorCode, string>> = {
  content_blocked: "invalid_prompt",
  context_length_exceeded: "context_length_exceeded",
  insufficient_quota: "insufficient_quota",
  rate_limit_exceeded: "rate_limit_exceeded",
  invalid_json: "invalid_prompt",
  invalid_request: "invalid_prompt",
  unsupported_parameter: "invalid_prompt",
  conversion_lossy: "invalid_prompt",
  upstream_overloaded: "server_is_overloaded",
  no_upstream: "server_is_overloaded",
  gateway_overloaded: "server_is_overloaded",
  shutting_down: "server_is_overloaded",
  store_unavailable: "server_is_overloaded",
};

/** Codes and types that are more specific than the status. The upstream's account is not the caller's. */
const codeTable = new Map<string, ErrorCode>([
  ...sharedCodes,
  ["usage_not_included", "rate_limit_exceeded"],
  ["too_many_requests", "rate_limit_exceeded"],
  ["not_found", "model_not_found"],
  ["server_is_overloaded", "upstream_overloaded"],
  ["slow_down", "upstream_overloaded"],
  ["model_error", "upstream_error"],
  ["vector_store_timeout", "upstream_timeout"],
  ["invalid_prompt", "invalid_request"],
  ["cyber_policy", "content_blocked"],
  ["image_content_policy_violation", "content_blocked"],
  ["invalid_encrypted_content", "invalid_request"],
  ["invalid_image", "invalid_request"],
  ["invalid_image_format", "invalid_request"],
  ["invalid_base64_image", "invalid_request"],
  ["invalid_image_url", "invalid_request"],
  ["invalid_image_mode", "invalid_request"],
  ["image_too_large", "invalid_request"],
  ["image_too_small", "invalid_request"],
  ["image_parse_error", "invalid_request"],
  ["image_file_too_large", "invalid_request"],
  ["image_file_not_found", "invalid_request"],
  ["empty_image_file", "invalid_request"],
  ["unsupported_image_media_type", "invalid_request"],
  ["failed_to_download_image", "invalid_request"],
]);

function codeOf(said: UpstreamWords, status: number | undefined): ErrorCode {
  return codeTable.get(said.code) ?? codeOfWords(said, status, codeTable);
}
