import {
  type ErrorCode,
  type ErrorStatus,
  GatewayError,
  hasHiddenAmounts,
  isJsonObject,
  type JsonObject,
  type LimitState,
  usdText,
} from "../../canonical/mod.ts";
import { codeOfRange, codeOfStatus, limitMember, wireError } from "../error.ts";
import type { ServerSentEvent, WireError } from "../wire.ts";
import { listOf, objectOf, objectsOf, textOf } from "../wire_value.ts";
import { protoNumber } from "./spelling.ts";

/** An upstream's error, or the error within its stream; both `{error}` and `[{error}]` occur. */
export function decodeError({ status, headers, body }: WireError): GatewayError {
  const error = errorOf(body);
  const httpStatus = protoNumber(error.code) ?? status;
  const message = textOf(error.message) || (typeof body === "string" ? body : "");
  const code = codeOf(error, httpStatus, message);
  const retryAfterSeconds = retryDelayOf(error) ?? protoNumber(headers["retry-after"]);
  return new GatewayError(code, describe(message, httpStatus), {
    upstreamStatus: httpStatus,
    said: { message, type: textOf(error.status) },
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  });
}

/** The error object of a body of any shape; empty if there is none. */
export function errorOf(body: unknown): JsonObject {
  return objectOf(objectOf(Array.isArray(body) ? body[0] : body).error);
}

export function encodeError(error: GatewayError, requestId: string): WireError {
  return wireError(error, {
    error: { ...errorBody(error, requestId), code: codeOnWire(error) },
  });
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
 * (@google/genai 3.3.0) and would take a named one for a clean end.
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
    status: code === "upstream_unreachable" ? "UNAVAILABLE" : wireStatuses[error.status],
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

/** The beginning of the types of an error's details. */
export const rpc = "type.googleapis.com/google.rpc";

/** `error.status`, the canonical name of an RPC error, by the status. */
const wireStatuses = {
  400: "INVALID_ARGUMENT",
  401: "UNAUTHENTICATED",
  402: "FAILED_PRECONDITION", // opencode (1.18.33) retries whatever says that something is exhausted
  403: "PERMISSION_DENIED",
  404: "NOT_FOUND",
  405: "UNIMPLEMENTED",
  408: "DEADLINE_EXCEEDED",
  409: "ABORTED",
  413: "INVALID_ARGUMENT",
  415: "UNIMPLEMENTED",
  426: "UNIMPLEMENTED",
  429: "RESOURCE_EXHAUSTED",
  499: "CANCELLED",
  500: "INTERNAL",
  502: "INTERNAL",
  503: "UNAVAILABLE",
  504: "DEADLINE_EXCEEDED",
} as const satisfies Record<ErrorStatus, string>;

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

function codeOf(error: JsonObject, httpStatus: number, message: string): ErrorCode {
  const wireStatus = textOf(error.status);
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
