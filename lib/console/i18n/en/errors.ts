import type { ErrorCode } from "../../../canonical/mod.ts";

/** What to do about a call that failed with a code. */
export const errorRemedies: Record<ErrorCode, string> = {
  invalid_json: "The body was not JSON: check quotes, commas and that it arrived whole.",
  invalid_request: "A field was missing or wrong: the error's message names it.",
  unsupported_parameter: "Leave the parameter out: the model or the format does not have it.",
  content_blocked: "The upstream's content rules blocked the prompt: word it differently.",
  context_length_exceeded: "The conversation was too long for the model: shorten it.",
  conversion_lossy:
    "The upstream's format cannot express the request, and tessera-strict forbids changing it.",
  invalid_api_key: "Check that the key was copied whole, is enabled and has not expired.",
  insufficient_quota:
    "The balance or a budget is used up: add funds, raise the budget, or wait for its next period.",
  model_not_allowed: "The key or its group may not use this model: choose one from the model list.",
  format_not_allowed: "The key's group may not use this format: call another endpoint.",
  ip_not_allowed: "The key may not be used from that address: change its allowed addresses.",
  model_unpriced:
    "The model has no price: an administrator sets one, or allows unpriced models for the group.",
  tier_unpriced:
    "The service tier, region or fallback model has no price: leave it out, or have an administrator set one.",
  model_not_found: "Check the model's name against the model list.",
  response_not_found: "The stored response is gone, or belongs to another account.",
  previous_response_not_found:
    "A response of the chain is no longer kept, or belongs to another account: send the whole input.",
  conversation_not_found: "The conversation is gone, or belongs to another account.",
  item_not_found: "The item is gone, or belongs to another account: send it as a whole.",
  unknown_endpoint: "Check the path: the base URL in the client is probably wrong.",
  endpoint_not_served:
    "No upstream of the model has this endpoint: choose another model, or ask an administrator for one.",
  duplicated_path_segment: "The base URL in the client has a path segment too many: remove it.",
  method_not_allowed: "The address exists, but for another HTTP method.",
  body_timeout: "The body arrived too slowly: check the connection and send it again.",
  body_too_large: "The body was too large: send less at once.",
  body_too_complex: "The body held too many or too deeply nested objects: send less at once.",
  unsupported_media_type: "Send the body as application/json.",
  websocket_unsupported: "Use plain HTTP with streaming: WebSockets are not served.",
  rate_limit_exceeded: "The key calls too often: wait, or raise its limits.",
  client_closed: "The program that called went away: check its own time limit.",
  internal_error: "This is a fault of the gateway: tell your administrator the request ID.",
  upstream_error: "Try again; if it stays, ask your administrator about this upstream.",
  upstream_invalid_response:
    "The upstream answered with something that is not of its format: try again or another model.",
  upstream_unauthorized: "The upstream refused the gateway's credential: tell your administrator.",
  upstream_unreachable: "The upstream could not be reached: try again later.",
  upstream_truncated: "The upstream broke off: try again.",
  no_upstream: "No upstream can serve the model right now: try again later or use another model.",
  upstream_overloaded: "The upstream is overloaded: try again later.",
  gateway_overloaded: "The gateway is overloaded: try again later.",
  shutting_down: "The gateway was restarting: try again.",
  store_unavailable: "The gateway could not record the call: retry later, or ask its operator.",
  upstream_timeout: "The upstream took too long: try again, or ask for a shorter answer.",
};
