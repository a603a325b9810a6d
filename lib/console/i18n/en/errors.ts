import type { ErrorCode } from "../../../canonical/mod.ts";

/** The remedy for each error code. */
export const errorRemedies: Record<ErrorCode, string> = {
  invalid_json:
    "The body is not valid JSON. Check quotes and commas, and that it was sent completely.",
  invalid_request: "A field is missing or invalid. The error message names it.",
  unsupported_parameter: "Remove the parameter: the model or the format does not support it.",
  content_blocked: "The upstream's content filter blocked the prompt. Rephrase it.",
  context_length_exceeded: "The prompt exceeds the model's context length. Shorten it.",
  conversion_lossy:
    "The upstream's format cannot express the request, and tessera-strict forbids lossy conversion. Remove the header, or choose a model of the same format.",
  invalid_api_key: "Check that the key is complete, enabled and not expired.",
  insufficient_quota:
    "The balance or a budget is exhausted. Add funds, raise the budget, or wait for its next period.",
  model_not_allowed: "The key or its group may not use this model. Choose one from the model list.",
  format_not_allowed: "The key's group may not use this format. Call another endpoint.",
  ip_not_allowed: "The key does not allow this IP address. Change its allowed addresses.",
  model_unpriced:
    "The model has no price. Ask an administrator to set one, or to allow unpriced models for the group.",
  tier_unpriced:
    "The service tier, region or fallback model has no price. Remove it, or ask an administrator to set one.",
  model_not_found: "Check the model's name against the model list.",
  response_not_found: "The stored response has expired, or belongs to another account.",
  previous_response_not_found:
    "An earlier response of the chain has expired, or belongs to another account. Send the whole input.",
  conversation_not_found: "The conversation was deleted, or belongs to another account.",
  item_not_found: "The item was deleted, or belongs to another account. Send the whole item.",
  unknown_endpoint: "Check the path: the client's base URL is probably wrong.",
  endpoint_not_served:
    "No upstream of the model supports this endpoint. Choose another model, or ask an administrator to add such an upstream.",
  duplicated_path_segment: "The client's base URL has an extra path segment. Remove it.",
  method_not_allowed: "This address needs another HTTP method.",
  body_timeout: "The request body arrived too slowly. Check the connection and retry.",
  body_too_large: "The request body is too large. Send a smaller one.",
  body_too_complex:
    "The request body has too many or too deeply nested objects. Send a simpler one.",
  unsupported_media_type: "Send the body as application/json.",
  websocket_unsupported: "Use HTTP streaming: WebSockets are not supported.",
  rate_limit_exceeded: "A rate limit was reached. Retry later, or raise the limit.",
  client_closed: "The client disconnected. Check its timeout settings.",
  internal_error: "This is a gateway bug. Give your administrator the request ID.",
  upstream_error: "Retry. If it persists, ask your administrator about this upstream.",
  upstream_invalid_response: "The upstream sent a malformed response. Retry, or use another model.",
  upstream_unauthorized:
    "The upstream rejected the gateway's credential. Notify your administrator.",
  upstream_unreachable: "The gateway could not connect to the upstream. Retry later.",
  upstream_truncated: "The upstream interrupted the stream. Retry.",
  no_upstream: "No upstream can serve the model at the moment. Retry later, or use another model.",
  upstream_overloaded: "The upstream is overloaded. Retry later.",
  gateway_overloaded: "The gateway is overloaded. Retry later.",
  shutting_down: "The gateway was restarting. Retry.",
  store_unavailable:
    "The gateway could not record the call. Retry later; the cause is in the gateway's log.",
  upstream_timeout: "The upstream timed out. Retry, or request a shorter response.",
};
