import type { ErrorCode } from "../../canonical/mod.ts";

/** Why a call failed, in a few words. */
export const causes: Record<ErrorCode | "interrupted", string> = {
  invalid_json: "Body is not JSON",
  invalid_request: "A field is missing or wrong",
  unsupported_parameter: "Parameter not supported",
  content_blocked: "Prompt blocked by the upstream",
  context_length_exceeded: "Conversation too long",
  conversion_lossy: "Conversion would lose something",
  invalid_api_key: "Key not accepted",
  insufficient_quota: "Balance or budget used up",
  model_not_allowed: "Model not allowed for the key",
  format_not_allowed: "Format not allowed for the group",
  ip_not_allowed: "Address not allowed for the key",
  model_unpriced: "Model has no price",
  model_not_found: "No such model",
  response_not_found: "No such stored response",
  previous_response_not_found: "No such earlier response",
  conversation_not_found: "No such conversation",
  item_not_found: "No such item",
  unknown_endpoint: "No such address",
  endpoint_not_served: "No upstream has this endpoint",
  duplicated_path_segment: "Base URL has a segment too many",
  method_not_allowed: "Wrong HTTP method",
  body_timeout: "Body arrived too slowly",
  body_too_large: "Body too large",
  body_too_complex: "Body too complex",
  unsupported_media_type: "Content type is not JSON",
  websocket_unsupported: "WebSockets are not served",
  rate_limit_exceeded: "Rate limit reached",
  client_closed: "Caller hung up",
  internal_error: "Fault of the gateway",
  upstream_error: "Upstream failed",
  upstream_invalid_response: "Upstream's answer is malformed",
  upstream_unauthorized: "Upstream refused the gateway",
  upstream_unreachable: "Upstream not reachable",
  upstream_truncated: "Upstream broke off",
  no_upstream: "No upstream available",
  upstream_overloaded: "Upstream overloaded",
  gateway_overloaded: "Gateway overloaded",
  shutting_down: "Gateway was stopping",
  upstream_timeout: "Upstream took too long",
  interrupted: "Gateway stopped in mid-call",
};

/** What to do about a call during which the gateway stopped. */
export const interruptedRemedy =
  "The server stopped while it answered: send the call again. What had been delivered was charged.";
