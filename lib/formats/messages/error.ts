import type { ErrorCode, GatewayError, JsonObject, NativeFields } from "../../canonical/mod.ts";
import {
  codeOfWords,
  isRefusal,
  limitMember,
  upstreamError,
  type UpstreamWords,
  upstreamWords,
  wireError,
} from "../error.ts";
import type { ServerSentEvent, WireError } from "../wire.ts";
import { defined, objectOf, textOf, textsOf } from "../wire_value.ts";
import { mark, ownFields } from "./native.ts";

/** An upstream's error answer. */
export function decodeError({ status, headers, body }: WireError): GatewayError {
  const said = wordsOf(body);
  return upstreamError(codeOf(said, status), said, { status, headers, ...detailsIn(body) });
}

/** The error of an `error` event. The answer's status was 200, so only its type is known. */
export function decodeStreamError(event: JsonObject): GatewayError {
  const said = wordsOf(event);
  return upstreamError(codeOf(said, undefined), said, detailsIn(event));
}

/** The message of an error, with the code that only its `details` state. */
function wordsOf(body: unknown): UpstreamWords {
  const said = upstreamWords(body);
  const code = textOf(detailsOf(body).error_code);
  return code === "" ? said : { ...said, code };
}

function detailsOf(body: unknown): JsonObject {
  return objectOf(objectOf(objectOf(body).error).details);
}

/** The known members of `details`: agents act on its code, whatever the message (2026-11). */
function detailsIn(body: unknown): { native?: NativeFields } {
  const { error_code: code, max_side_length_pixels: pixels, paths } = detailsOf(body);
  if (typeof code !== "string") return {};
  const details = defined({
    error_code: code,
    max_side_length_pixels: typeof pixels === "number" ? pixels : undefined,
    paths: Array.isArray(paths) ? textsOf(paths) : undefined,
  });
  return mark({ details });
}

/** The vendor's own status of an overload. All other statuses and all types but one are the catalog's. */
const overloadedStatus = 529;

/** The wire error, with `code`, `request_id` and `param` in addition to the vendor's members. */
export function encodeError(error: GatewayError, requestId: string): WireError {
  const wire = wireError(error, errorBody(error, requestId));
  return error.code === "upstream_overloaded" || error.code === "compaction_failed"
    ? { ...wire, status: overloadedStatus }
    : wire;
}

/** Ends the stream at the error: no `message_stop` follows. */
export function encodeStreamError(
  error: GatewayError,
  requestId: string,
): readonly ServerSentEvent[] {
  return [{ event: "error", data: JSON.stringify(errorBody(error, requestId)) }];
}

const uncompacted = { error_code: "compaction_unavailable" };

function errorBody(error: GatewayError, requestId: string): JsonObject {
  return {
    type: "error",
    error: {
      type: error.code === "insufficient_quota" ? "billing_error" : error.type,
      message: error.code === "context_length_exceeded"
        ? overflowText(error.message)
        : error.message,
      code: error.code,
      ...ownFields(error),
      ...(error.code === "compaction_failed" && { details: uncompacted }),
      ...(error.param !== undefined && { param: error.param }),
      ...limitMember(error),
      request_id: requestId,
    },
    request_id: requestId,
  };
}

/** Other vendors' messages about the prompt's length and its maximum. */
const overflows: readonly {
  readonly pattern: RegExp;
  readonly tokens: 1 | 2;
  readonly max: 1 | 2;
}[] = [
  {
    pattern:
      /maximum context length is (\d+) tokens.{0,80}?(?:resulted in|requested) (\d+) tokens/is,
    max: 1,
    tokens: 2,
  },
  { pattern: /token count \((\d+)\).{0,80}?allowed \((\d+)\)/is, tokens: 1, max: 2 },
];

const overflowBeginning = "prompt is too long";

/** Agents of this format recognise an overflow by the vendor's phrase, and then shorten their history. */
function overflowText(message: string): string {
  if (message.includes(overflowBeginning)) return message;
  for (const { pattern, tokens, max } of overflows) {
    const found = pattern.exec(message);
    if (found) return `${overflowBeginning}: ${found[tokens]} tokens > ${found[max]} maximum`;
  }
  return `${overflowBeginning}: ${message}`;
}

/** Types that are more specific than the status. The upstream's account is not the caller's. */
const typeTable = new Map<string, ErrorCode>([
  ["authentication_error", "upstream_unauthorized"],
  ["permission_error", "upstream_unauthorized"],
  ["billing_error", "upstream_unauthorized"],
  ["not_found_error", "model_not_found"],
  ["request_too_large", "body_too_large"],
  ["rate_limit_error", "rate_limit_exceeded"],
  ["overloaded_error", "upstream_overloaded"],
  ["timeout_error", "upstream_timeout"],
  ["api_error", "upstream_error"],
  ["conflict_error", "upstream_error"],
  ["invalid_request_error", "invalid_request"],
]);

/** Codes of `details`, which are more specific than the type and the status (2026-11). */
const detailTable = new Map<string, ErrorCode>([
  ["contract_spend_limit_reached", "upstream_unauthorized"],
  ["enforced_spend_limit_reached", "upstream_unauthorized"],
  ["linked_organization_billing_unavailable", "upstream_unauthorized"],
  ["linked_organization_spend_limit_reached", "upstream_unauthorized"],
  ["organization_on_hold", "upstream_unauthorized"],
  ["ramp_limit_exceeded", "rate_limit_exceeded"],
  ["user_profile_billing_not_authorized", "invalid_request"],
  ["user_profile_not_billable", "invalid_request"],
  ["image_dimensions_too_large", "invalid_request"],
  ["request_body_too_large_after_decoding", "body_too_large"],
  ["thread_not_found", "conversation_not_found"],
]);

function codeOf(said: UpstreamWords, status: number | undefined): ErrorCode {
  const detailed = detailTable.get(said.code);
  if (detailed) return detailed;
  const code = codeOfWords({ ...said, type: said.type || said.code }, status, typeTable);
  if (code === "context_length_exceeded") return code;
  return isAboutAccount(said, status) ? "upstream_unauthorized" : code;
}

const accountWords = /credit balance is too low|usage limits/i;

/** This vendor refuses calls of an account without money with 402, or with 400 and these words. */
function isAboutAccount({ message }: UpstreamWords, status: number | undefined): boolean {
  return status === 402 || (isRefusal(status) && accountWords.test(message));
}
