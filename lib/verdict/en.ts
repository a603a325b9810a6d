import { limitTitle, refuserTitle, usdText } from "../canonical/mod.ts";
import type { NamedVerdict, VerdictLanguage, VerdictWords } from "./verdict.ts";

const named = ({ detail }: NamedVerdict) => detail === "" ? "" : ` (${detail})`;
const returned = ({ upstream, status, type }: NamedVerdict) =>
  status === undefined
    ? `${upstream} failed${type ? ` (${type})` : ""}`
    : `${upstream} returned ${status}${type ? ` (${type})` : ""}`;
const rejected = (call: NamedVerdict) => `${call.upstream} rejected the request${named(call)}`;
const orSecond = ({ oneUpstream, model }: NamedVerdict) =>
  oneUpstream ? `, or add a second upstream for ${model}` : "";
const fixRequest = () => "Fix the request; an unchanged retry fails again.";

/** The sentences about failed calls, in English. */
export const verdictWordsEn: VerdictWords = {
  space: " ",
  saying: (what, said) => {
    const whole = said ? `${what}: ${said}` : what;
    return /[.!?…]$/.test(whole) ? whole : `${whole}.`;
  },
  onAll: (tries) => tries === 2 ? " on both attempts" : ` on all ${tries} attempts`,
  onLast: (tries) => ` on the last of ${tries} attempts`,
  notSent: "The fault is in the request, so it was not sent.",
  notCharged: "Not charged.",
  charged: (amount) => `Charged ${amount}.`,
  deliveredCharged: "Delivered tokens are charged.",
  safeToRetry: "Safe to retry.",
  retryStartsOver: "A retry starts a new answer.",
  upstreamReturned: returned,
  upstream: {
    rate_limit_exceeded: (call) => `${call.upstream} rate-limited us${named(call)}`,
    upstream_unauthorized: (call) =>
      `${call.upstream} rejected the gateway's credential${named(call)}`,
    upstream_unreachable: ({ upstream }) => `The gateway could not connect to ${upstream}`,
    compaction_failed: ({ upstream, model }) =>
      `${model} at ${upstream} wrote no summary of the conversation`,
    upstream_invalid_response: ({ upstream }) => `${upstream} sent a malformed response`,
    upstream_truncated: ({ upstream, answered }) =>
      `${upstream} closed the connection ${answered ? "in the middle of" : "before"} its answer`,
    upstream_timeout: (call) =>
      call.status === undefined ? `${call.upstream} timed out` : returned(call),
    upstream_overloaded: (call) => `${call.upstream} is overloaded${named(call)}`,
    upstream_error: (call) =>
      call.answered
        ? `${call.upstream} failed in the middle of its answer${named(call)}`
        : returned(call),
    content_blocked: ({ upstream }) => `${upstream} blocked the prompt`,
    context_length_exceeded: (call) =>
      `${call.upstream} rejected the request as too long for ${call.model}${named(call)}`,
    model_not_found: (call) => `${call.upstream} does not know the model${named(call)}`,
    endpoint_not_served: (call) => `${call.upstream} does not have this endpoint${named(call)}`,
    invalid_request: rejected,
    invalid_json: rejected,
    unsupported_parameter: rejected,
    body_too_large: rejected,
    insufficient_quota: (call) =>
      `${call.upstream} says the gateway's account has no credit${named(call)}`,
  },
  gateway: {
    invalid_json: () => "The request body is not valid JSON",
    invalid_request: () => "A field of the request is missing or wrong",
    unsupported_parameter: ({ model }) =>
      `The request uses a parameter that ${model} does not support`,
    content_blocked: () => "The upstream blocked the prompt",
    context_length_exceeded: ({ model }) => `The conversation is longer than ${model} accepts`,
    conversion_lossy: () =>
      "The request cannot be converted without loss, which tessera-strict forbids",
    invalid_api_key: () => "The gateway did not accept the API key",
    insufficient_quota: ({ limitName, limitLeft }) =>
      limitName
        ? `${limitName} has ${limitLeft ? `${limitLeft} left, ` : ""}too little for this call`
        : "The balance or a budget does not pay for this call",
    model_not_allowed: ({ refuserName, model }) => `${refuserName} does not allow ${model}`,
    format_not_allowed: ({ refuserName }) => `${refuserName} does not allow this API format`,
    ip_not_allowed: () => "The key may not be used from this address",
    model_unpriced: ({ model }) => `${model} has no price`,
    tier_unpriced: ({ model }) =>
      `The service tier, region or fallback model of ${model} has no price`,
    model_not_found: ({ model }) => `Model '${model}' is not available on this gateway`,
    response_not_found: () => "The stored response does not exist",
    previous_response_not_found: () => "The previous response does not exist",
    conversation_not_found: () => "The conversation does not exist",
    item_not_found: () => "The item does not exist",
    unknown_endpoint: () => "The gateway has no such endpoint",
    endpoint_not_served: ({ model }) => `No upstream of ${model} has this endpoint`,
    duplicated_path_segment: () => "The client's base URL has an extra path segment",
    method_not_allowed: () => "The endpoint does not allow this HTTP method",
    body_timeout: () => "The request body did not arrive in time",
    request_in_progress: () => "The first call with this Idempotency-Key is still running",
    idempotency_key_reused: () => "Another request had this Idempotency-Key",
    answer_not_stored: () => "The answer of the first call with this Idempotency-Key is not stored",
    body_too_large: () => "The request body is too large",
    body_too_complex: () => "The request body is too complex",
    unsupported_media_type: () => "The request body is not sent as JSON",
    websocket_unsupported: () => "The gateway opens no WebSocket at this address",
    rate_limit_exceeded: ({ limitName, model }) =>
      limitName
        ? `${limitName} limit is reached`
        : `Every upstream of ${model} is rate limiting us`,
    client_closed: () => "The client disconnected before the answer was complete",
    internal_error: () => "The gateway failed",
    upstream_error: () => "The upstream failed",
    compaction_failed: ({ model }) => `${model} wrote no summary of the conversation`,
    upstream_invalid_response: () => "The upstream sent a malformed response",
    upstream_unauthorized: () => "The upstream rejected the gateway's credential",
    upstream_unreachable: () => "The gateway could not connect to the upstream",
    upstream_truncated: () => "The upstream closed the connection in the middle of its answer",
    no_upstream: ({ model }) => `No upstream can serve ${model} right now`,
    upstream_overloaded: () => "The upstream is overloaded",
    gateway_overloaded: () => "The gateway has no memory left for another large request",
    store_unavailable: () => "The gateway's store could not record the call",
    shutting_down: () => "The gateway was shutting down",
    upstream_timeout: () => "The upstream timed out",
    interrupted: () => "The server restarted before the answer was complete",
  },
  upstreamRemedies: {
    rate_limit_exceeded: (call) => `Retry later${orSecond(call)}.`,
    upstream_overloaded: (call) => `Retry later${orSecond(call)}.`,
    upstream_unauthorized: () => "An administrator must replace the credential.",
    insufficient_quota: () => "An administrator must add credit at the upstream.",
    upstream_unreachable: (call) => `Retry later${orSecond(call)}.`,
    invalid_request: fixRequest,
    invalid_json: fixRequest,
    unsupported_parameter: () => "Remove the parameter, or choose another model.",
    body_too_large: () => "Send a smaller request.",
    context_length_exceeded: () => "Shorten the conversation.",
    content_blocked: () => "Rephrase the prompt.",
    model_not_found: () => "An administrator must correct the upstream's models.",
    endpoint_not_served: () =>
      "Choose another model, or ask an administrator for an upstream that has it.",
  },
  remedies: {
    invalid_json: () => "Check quotes and commas, and that the body was sent completely.",
    invalid_request: fixRequest,
    unsupported_parameter: () => "Remove the parameter, or choose another model.",
    content_blocked: () => "Rephrase the prompt.",
    context_length_exceeded: () => "Shorten the conversation.",
    conversion_lossy: () => "Remove the header, or choose a model of the same format.",
    invalid_api_key: () => "Check that the key is complete, enabled and not expired.",
    insufficient_quota: () => "Add funds, raise the budget, or wait for its next period.",
    model_not_allowed: () => "Choose a model from GET /v1/models, or change the rule.",
    format_not_allowed: () => "Call another endpoint, or allow the format for the group.",
    ip_not_allowed: () => "Allow the address in the key's settings.",
    model_unpriced: () => "An administrator must set a price, or allow models without one.",
    tier_unpriced: () => "Remove it, or ask an administrator to set its price.",
    model_not_found: () => "Choose a model from GET /v1/models.",
    response_not_found: () => "It expired, or belongs to another account.",
    previous_response_not_found: () => "Send the whole input instead.",
    conversation_not_found: () => "It was deleted, or belongs to another account.",
    item_not_found: () => "Send the whole item.",
    unknown_endpoint: () => "Check the client's base URL.",
    endpoint_not_served: () =>
      "Choose another model, or ask an administrator for an upstream that has it.",
    duplicated_path_segment: () => "Remove the segment from the base URL.",
    method_not_allowed: () => "Use the method that the error names.",
    body_timeout: () => "Check the connection and retry.",
    request_in_progress: () => "Retry with the same key.",
    idempotency_key_reused: () => "Use a new key for each request.",
    answer_not_stored: () => "Use a new key to call the model again.",
    body_too_large: () => "Send a smaller request.",
    body_too_complex: () => "Send fewer or less deeply nested values.",
    unsupported_media_type: () => "Send the body as application/json.",
    websocket_unsupported: () => "Use HTTP with streaming.",
    rate_limit_exceeded: ({ limitName }) =>
      limitName ? "Retry later, or raise the limit." : "Retry later, or add another upstream.",
    client_closed: () => "Check the client's own timeout.",
    internal_error: () => "Give your administrator the request ID.",
    upstream_unauthorized: () => "An administrator must replace the credential.",
    no_upstream: ({ model }) => `Retry later, or add another upstream for ${model}.`,
    gateway_overloaded: () => "Retry later.",
    store_unavailable: () => "Retry later; the remedy is in the gateway's log.",
    interrupted: () => "Send the call again.",
  },
};

/** The language of the API's errors. */
export const apiLanguage: VerdictLanguage = {
  words: verdictWordsEn,
  money: usdText,
  limitName: (limit) => `The ${limitTitle(limit)}`,
  refuserName: refuserTitle,
  limitAmount: ({ kind }, amount) => kind === "money" ? usdText(amount) : String(amount),
};
