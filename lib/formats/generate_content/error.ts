import {
  type ErrorCode,
  GatewayError,
  hasHiddenAmounts,
  isJsonObject,
  type JsonObject,
  type LimitState,
  usdText,
} from "../../canonical/mod.ts";
import { codeOfRange, codeOfStatus, limitMember, retryHeaders } from "../error.ts";
import type { ServerSentEvent, WireError } from "../wire.ts";
import { listOf, objectOf, objectsOf, textOf } from "../wire_value.ts";
import { protoNumber } from "./proto_number.ts";

/** An upstream's error, or the error within its stream; both `{error}` and `[{error}]` occur. */
export function decodeError({ status, headers, body }: WireError): GatewayError {
  const error = errorOf(body);
  const wireStatus = textOf(error.status);
  const httpStatus = protoNumber(error.code) ?? status;
  const message = textOf(error.message) || (typeof body === "string" ? body : "");
  const code = codeOf(wireStatus, { httpStatus, message, error });
  const retryAfterSeconds = retryDelayOf(error) ?? protoNumber(headers["retry-after"]);
  return new GatewayError(code, describe(message, httpStatus), {
    upstreamStatus: httpStatus,
    said: { message, type: wireStatus },
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  });
}

/** The error object of a body of any shape; empty if there is none. */
export function errorOf(body: unknown): JsonObject {
  return objectOf(objectOf(Array.isArray(body) ? body[0] : body).error);
}

export function encodeError(error: GatewayError, requestId: string): WireError {
  return {
    status: error.status,
    headers: retryHeaders(error),
    body: { error: { ...errorBody(error, requestId), code: codeOnWire(error) } },
  };
}

/**
 * The vendor's `code` is the status, and its clients read the other members only beside a number.
 * A wrong key keeps the name that it has in all formats: programs that serve several look for it.
 */
function codeOnWire({ code, status }: GatewayError): string | number {
  return code === "invalid_api_key" ? code : status;
}

/**
 * An error is an event of its own. The vendor's SDK throws only for a numeric `code` in a stream
 * (@google/genai 3.1.0) and would take a named one for a clean end.
 */
export function encodeStreamError(
  error: GatewayError,
  requestId: string,
): readonly ServerSentEvent[] {
  return [{
    data: JSON.stringify({ error: { ...errorBody(error, requestId), code: error.status } }),
  }];
}

function errorBody(error: GatewayError, requestId: string): JsonObject {
  const { type, code, param } = error;
  return {
    message: messageFor(error),
    type,
    reason: code,
    status: wireStatuses[code],
    ...(param !== undefined && { param }),
    details: detailsOf(error),
    ...limitMember(error),
    request_id: requestId,
  };
}

/**
 * The vendor's command-line agent reads the delay from exactly this phrase where it does not read
 * `details` (seen 2026).
 */
function messageFor({ code, message, retryAfterSeconds }: GatewayError): string {
  const waits = code === "rate_limit_exceeded" && retryAfterSeconds !== undefined;
  if (!waits || message.includes(waitWords)) return message;
  const said = /\btry again in (?=\d)/i;
  return said.test(message)
    ? message.replace(said, waitWords)
    : `${message.replace(/\.$/, "")}. ${waitWords}${Math.max(0, retryAfterSeconds)}s`;
}

const waitWords = "Please retry in ";

function detailsOf({ code, limit, retryAfterSeconds }: GatewayError): JsonObject[] {
  return [
    { "@type": `${rpc}.ErrorInfo`, reason: code, domain: "tessera" },
    ...(limit ? [{ "@type": `${rpc}.QuotaFailure`, violations: [violationOf(limit)] }] : []),
    ...(retryAfterSeconds === undefined
      ? []
      : [{ "@type": `${rpc}.RetryInfo`, retryDelay: `${Math.max(0, retryAfterSeconds)}s` }]),
  ];
}

/** Clients look for `PerMinute` and `Daily` in the id, to distinguish a short wait from a long one. */
function violationOf(state: LimitState): JsonObject {
  const { name, kind, limit, remaining } = state;
  const isHidden = hasHiddenAmounts(state);
  const amount = (value: bigint) => kind === "money" ? usdText(value) : String(value);
  return {
    quotaMetric: `tessera/${kind}`,
    quotaId: name.replace(/(?:^| )(\w)/g, (_, letter: string) => letter.toUpperCase()),
    ...(limit !== undefined && !isHidden && { quotaValue: amount(limit) }),
    description: isHidden
      ? `The ${name} is used up`
      : `${amount(remaining)} remains of the ${name}`,
  };
}

const rpc = "type.googleapis.com/google.rpc";

/** `error.status` of every code: the canonical names of RPC errors. */
const wireStatuses = {
  invalid_json: "INVALID_ARGUMENT",
  invalid_request: "INVALID_ARGUMENT",
  unsupported_parameter: "INVALID_ARGUMENT",
  content_blocked: "INVALID_ARGUMENT",
  context_length_exceeded: "INVALID_ARGUMENT",
  conversion_lossy: "INVALID_ARGUMENT",
  invalid_api_key: "UNAUTHENTICATED",
  insufficient_quota: "RESOURCE_EXHAUSTED",
  model_not_allowed: "PERMISSION_DENIED",
  format_not_allowed: "PERMISSION_DENIED",
  ip_not_allowed: "PERMISSION_DENIED",
  model_unpriced: "PERMISSION_DENIED",
  tier_unpriced: "PERMISSION_DENIED",
  model_not_found: "NOT_FOUND",
  response_not_found: "NOT_FOUND",
  previous_response_not_found: "INVALID_ARGUMENT",
  conversation_not_found: "NOT_FOUND",
  item_not_found: "NOT_FOUND",
  unknown_endpoint: "NOT_FOUND",
  endpoint_not_served: "NOT_FOUND",
  duplicated_path_segment: "NOT_FOUND",
  method_not_allowed: "UNIMPLEMENTED",
  body_timeout: "DEADLINE_EXCEEDED",
  body_too_large: "INVALID_ARGUMENT",
  body_too_complex: "INVALID_ARGUMENT",
  unsupported_media_type: "INVALID_ARGUMENT",
  websocket_unsupported: "UNIMPLEMENTED",
  rate_limit_exceeded: "RESOURCE_EXHAUSTED",
  client_closed: "CANCELLED",
  internal_error: "INTERNAL",
  upstream_error: "INTERNAL",
  upstream_invalid_response: "INTERNAL",
  upstream_unauthorized: "INTERNAL",
  upstream_unreachable: "UNAVAILABLE",
  upstream_truncated: "INTERNAL",
  no_upstream: "UNAVAILABLE",
  upstream_overloaded: "UNAVAILABLE",
  gateway_overloaded: "UNAVAILABLE",
  shutting_down: "UNAVAILABLE",
  store_unavailable: "UNAVAILABLE",
  upstream_timeout: "DEADLINE_EXCEEDED",
} as const satisfies Record<ErrorCode, string>;

interface Refusal {
  readonly httpStatus: number;
  readonly message: string;
  readonly error: JsonObject;
}

/** The error code of a vendor's status. The key and the quota are the gateway's: a caller cannot fix them. */
const codeOfRpcStatus: ReadonlyMap<string, ErrorCode> = new Map<string, ErrorCode>([
  ["OUT_OF_RANGE", "invalid_request"],
  ["FAILED_PRECONDITION", "upstream_error"],
  ["UNAUTHENTICATED", "upstream_unauthorized"],
  ["PERMISSION_DENIED", "upstream_unauthorized"],
  ["NOT_FOUND", "model_not_found"],
  ["ABORTED", "upstream_error"],
  ["ALREADY_EXISTS", "upstream_error"],
  ["RESOURCE_EXHAUSTED", "rate_limit_exceeded"],
  ["CANCELLED", "upstream_error"],
  ["INTERNAL", "upstream_error"],
  ["UNKNOWN", "upstream_error"],
  ["DATA_LOSS", "upstream_error"],
  ["UNIMPLEMENTED", "invalid_request"],
  ["UNAVAILABLE", "upstream_overloaded"],
  ["DEADLINE_EXCEEDED", "upstream_timeout"],
]);

function codeOf(wireStatus: string, refusal: Refusal): ErrorCode {
  const { httpStatus, message, error } = refusal;
  if (httpStatus === 402) return "insufficient_quota"; // its status is that of a rate limit
  const known = codeOfRpcStatus.get(wireStatus);
  if (known) return known;
  if (isKeyFault(error)) return "upstream_unauthorized";
  if (isTooLong(message)) return "context_length_exceeded";
  if (wireStatus === "INVALID_ARGUMENT" && httpStatus < 500) {
    return httpStatus === 413 ? "body_too_large" : "invalid_request";
  }
  if (httpStatus === 499 || httpStatus >= 520) return "upstream_error"; // the vendor itself sends no such status
  const byNumber = codeOfStatus.get(httpStatus);
  if (byNumber) return byNumber;
  return codeOfRange(httpStatus);
}

/** The vendor answers a bad key with 400. */
function isKeyFault(error: JsonObject): boolean {
  return objectsOf(error.details).some(({ reason }) => textOf(reason).startsWith("API_KEY_"));
}

/** "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576)." */
function isTooLong(message: string): boolean {
  return /token count.*exceeds|exceeds the maximum number of tokens/is.test(message.slice(0, 500));
}

/** `34.4s` within the details. */
function retryDelayOf(error: JsonObject): number | undefined {
  const delays = listOf(error.details).filter(isJsonObject).map(({ retryDelay }) =>
    /^(\d+(?:\.\d+)?)s$/.exec(textOf(retryDelay))?.[1]
  );
  return protoNumber(delays.find((delay) => delay !== undefined));
}

const messageCharsMax = 500;

function describe(message: string, status: number): string {
  const text = message.trim().replace(/\s+/g, " ").slice(0, messageCharsMax);
  return text === ""
    ? `The upstream refused the request with status ${status}`
    : `The upstream refused the request: ${text}`;
}
