import {
  type CanonicalResponse,
  errorCatalog,
  type ErrorCode,
  type FormatName,
  GatewayError,
  hasHiddenAmounts,
  type JsonObject,
  type NativeFields,
  resetText,
  usdText,
  waitSecondsMax,
} from "../canonical/mod.ts";
import type { WireError } from "./wire.ts";
import { objectOf, textOf, textOrNothing } from "./wire_value.ts";

/** The upstream's own description of its failure. */
export interface UpstreamWords {
  readonly message: string;
  readonly type: string;
  readonly code: string;
  readonly param?: string;
}

/**
 * Reads an error body of any shape: `{error: {…}}`, `{error: "…"}`, `{message}`, `{detail}`, the
 * error without its envelope (as vLLM once wrote it), or text.
 */
export function upstreamWords(body: unknown): UpstreamWords {
  if (typeof body === "string") return { message: body, type: "", code: "" };
  const outer = objectOf(body);
  const inner = objectOf(outer.error);
  const error = Object.keys(inner).length > 0 ? inner : outer;
  const param = textOrNothing(error.param);
  return {
    message: textOf(error.message) || textOf(outer.error) || textOf(outer.message) ||
      textOf(outer.detail),
    type: textOf(error.type),
    code: typeof error.code === "number" ? String(error.code) : textOf(error.code),
    ...(param && { param }),
  };
}

/** The error code of a status. The upstream's account and credential are not the caller's. */
export const codeOfStatus: ReadonlyMap<number, ErrorCode> = new Map<number, ErrorCode>([
  [401, "upstream_unauthorized"],
  [402, "rate_limit_exceeded"],
  [403, "upstream_unauthorized"],
  [404, "model_not_found"],
  [408, "upstream_timeout"],
  [409, "upstream_error"],
  [413, "body_too_large"],
  [425, "upstream_error"],
  [429, "rate_limit_exceeded"],
  [503, "upstream_overloaded"],
  [504, "upstream_timeout"],
  [524, "upstream_timeout"],
  [529, "upstream_overloaded"],
]);

/** The error code of any other status, by its range. */
export function codeOfRange(status: number): ErrorCode {
  if (status >= 500) return "upstream_error";
  return status >= 400 ? "invalid_request" : "upstream_invalid_response";
}

/** Codes and types of both formats of one vendor, and of the other servers that speak them. */
export const sharedCodes: readonly (readonly [string, ErrorCode])[] = [
  ["context_length_exceeded", "context_length_exceeded"],
  ["unsupported_parameter", "unsupported_parameter"],
  ["unsupported_value", "unsupported_parameter"],
  ["bio_policy", "content_blocked"],
  ["content_filter", "content_blocked"], // Azure
  ["misalignment_policy_violation", "content_blocked"],
  ["content_filter", "content_blocked"], // Azure
  ["content_policy_violation", "content_blocked"],
  ["data_residency_mismatch", "invalid_request"],
  ["invalid_api_key", "upstream_unauthorized"],
  ["authentication_error", "upstream_unauthorized"],
  ["permission_error", "upstream_unauthorized"],
  ["insufficient_quota", "rate_limit_exceeded"],
  ["billing_hard_limit_reached", "rate_limit_exceeded"],
  ["rate_limit_exceeded", "rate_limit_exceeded"],
  ["rate_limit_error", "rate_limit_exceeded"],
  ["model_not_found", "model_not_found"],
  ["overloaded_error", "upstream_overloaded"],
  ["server_error", "upstream_error"],
  ["api_error", "upstream_error"],
  ["timeout_error", "upstream_timeout"],
  ["invalid_request_error", "invalid_request"],
  ["invalid_request", "invalid_request"],
];

/** The error code of an upstream's words, whose type a format's table names. */
export function codeOfWords(
  { type, message }: UpstreamWords,
  status: number | undefined,
  codeOfType: ReadonlyMap<string, ErrorCode>,
): ErrorCode {
  if (isOverflow(message, status)) return "context_length_exceeded";
  if (status === undefined) return codeOfType.get(type) ?? "upstream_error";
  const byStatus = codeOfStatus.get(status);
  if (byStatus) return byStatus;
  const overloaded = status >= 500 && codeOfType.get(type) === "upstream_overloaded";
  return overloaded ? "upstream_overloaded" : codeOfRange(status);
}

const overflowWords =
  /maximum context|context (length|window|size)|exceeds? (the )?context limit|(prompt|input) is too long/i;

/**
 * Returns true if the prompt was longer than the model's context, which vendors report only in the
 * message; `status` is undefined in a stream.
 */
function isOverflow(message: string, status: number | undefined): boolean {
  return isRefusal(status) && overflowWords.test(message.slice(0, messageCharsMax));
}

/** Returns true if the upstream refused the request itself. */
export function isRefusal(status: number | undefined): boolean {
  return status === undefined || status === 400 || status === 413 || status === 422;
}

/** An upstream's error apart from its message. */
interface UpstreamFailure {
  /** The upstream's status; undefined for an error within an answer. */
  readonly status?: number;
  readonly headers?: WireError["headers"];
  /** Members for a caller of the same format, if the error is about the request. */
  readonly native?: NativeFields;
}

/** The error for the caller. */
export function upstreamError(
  code: ErrorCode,
  { message, param, ...names }: UpstreamWords,
  { status, headers = {}, native }: UpstreamFailure = {},
): GatewayError {
  const seconds = retryAfter(headers) ?? secondsIn(message);
  return new GatewayError(code, messageOf(code, message), {
    ...(status !== undefined && { upstreamStatus: status }),
    said: { message, ...names },
    ...(seconds !== undefined && { retryAfterSeconds: seconds }),
    ...(param !== undefined && { param }),
    ...(native && errorCatalog[code].status < 500 && { native }),
  });
}

/** The wire error of a body. Its headers say whether to retry, and after how many whole seconds. */
export function wireError(error: GatewayError, body: JsonObject): WireError {
  return { status: error.status, headers: retryHeaders(error), body };
}

function retryHeaders(
  { retryable, retryAfterSeconds: seconds }: GatewayError,
): Record<string, string> {
  const isLong = seconds !== undefined && seconds > waitSecondsMax;
  return {
    ...((!retryable || isLong) && { "x-should-retry": "false" }),
    ...(seconds !== undefined && !isLong && {
      "retry-after": String(Math.max(0, Math.ceil(seconds))),
    }),
  };
}

/**
 * The exceeded limit as the member `limit` of an error's body; money in dollars. Amounts that only
 * administrators see are absent.
 */
export function limitMember({ limit: state }: GatewayError): { readonly limit?: JsonObject } {
  if (!state) return {};
  const { name, kind, limit, remaining } = state;
  const resets = resetText(state);
  const amount = (value: bigint) => kind === "money" ? usdText(value) : Number(value);
  const isHidden = hasHiddenAmounts(state);
  return {
    limit: {
      name,
      ...(limit !== undefined && !isHidden && { limit: amount(limit) }),
      ...(!isHidden && { remaining: amount(remaining) }),
      ...(resets !== undefined && { resets_at: resets }),
    },
  };
}

/** The error of a connection that ended before the answer did. */
export function truncatedAnswer(): GatewayError {
  return new GatewayError(
    "upstream_truncated",
    "The upstream interrupted the stream",
  );
}

/** The error of a body or an event that is not in the format. */
export function invalidAnswer(problem: string, cause?: unknown): GatewayError {
  return new GatewayError(
    "upstream_invalid_response",
    `Cannot decode the upstream's response: ${problem}`,
    { cause },
  );
}

export function unreadableEvent(cause?: unknown): GatewayError {
  return invalidAnswer("an event is not a JSON object", cause);
}

/**
 * The error of a request that the target format cannot express, if leaving the member out would
 * change its meaning.
 */
export function unsupported(param: string, problem: string): GatewayError {
  return new GatewayError("unsupported_parameter", `Cannot encode request: ${param} ${problem}`, {
    param,
  });
}

/** The error of a file whose id only another vendor knows. */
export function foreignFile(param: string): GatewayError {
  return unsupported(
    param,
    "is a file stored by another vendor. Send its bytes or a URL instead",
  );
}

/** The same for a medium; `medium` is a noun, such as `a file of type text/csv`. */
export function unsupportedMedia(param: string, medium: string, format: FormatName): GatewayError {
  return unsupported(param, `is ${medium}, which the ${format} format does not accept`);
}

const messageCharsMax = 2000;

/** The upstream's message goes to the caller, except about a credential, which is not the caller's. */
function messageOf(code: ErrorCode, message: string): string {
  if (code === "upstream_unauthorized") return "The upstream refused the gateway's credential";
  const said = message.slice(0, messageCharsMax).trim().replace(/\bsk-[\w*-]{4,}/g, "sk-…");
  return said === "" ? "The upstream returned an error without a message" : said;
}

/** Seconds to wait. Dates are ignored: reading one needs a clock. */
function retryAfter(headers: WireError["headers"]): number | undefined {
  const milliseconds = positive(headers["retry-after-ms"]);
  return milliseconds === undefined ? positive(headers["retry-after"]) : milliseconds / 1000;
}

function positive(text: string | undefined): number | undefined {
  if (text === undefined || !/^\d{1,9}(\.\d{1,9})?$/.test(text.trim())) return undefined;
  return Number(text);
}

/** `Please try again in 1.5s`, `in 20ms`. */
function secondsIn(message: string): number | undefined {
  const found = /try again in (\d{1,6}(?:\.\d{1,6})?)(ms|s)\b/i.exec(
    message.slice(0, messageCharsMax),
  );
  if (!found) return undefined;
  return Number(found[1]) / (found[2] === "ms" ? 1000 : 1);
}

/**
 * Returns the answer unless it is empty: no content, no usage and no finish reason. Some upstreams
 * fail this way with a success status; an answer that is only short has one of the three. Throws
 * `upstream_invalid_response`.
 */
export function withContent(response: CanonicalResponse, statesEnd: boolean): CanonicalResponse {
  const { usage, alternatives } = response;
  const says = statesEnd || usage !== undefined ||
    alternatives.some(({ parts, promptBlocked }) =>
      promptBlocked || parts.some((part) => part.type !== "text" || part.text !== "")
    );
  if (says) return response;
  throw invalidAnswer("it has no content, no usage and no reason for its end");
}
