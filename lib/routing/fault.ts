import type { ErrorCode, GatewayError } from "../canonical/mod.ts";

/**
 * The party at fault for a failed attempt, whose health it affects: an upstream, one of its models
 * or credentials, or the pace of calls. Faults of the caller or the gateway affect no health.
 */
type Fault = "caller" | "gateway" | "upstream" | "model" | "credential" | "pace";

/** The one table that decides what a failure does to health. */
const faults = {
  invalid_json: "caller",
  invalid_request: "caller",
  unsupported_parameter: "caller",
  content_blocked: "caller",
  context_length_exceeded: "caller",
  conversion_lossy: "caller",
  invalid_api_key: "caller",
  insufficient_quota: "caller",
  model_not_allowed: "caller",
  format_not_allowed: "caller",
  ip_not_allowed: "caller",
  model_unpriced: "caller",
  tier_unpriced: "caller",
  model_not_found: "caller",
  response_not_found: "caller",
  previous_response_not_found: "caller",
  conversation_not_found: "caller",
  item_not_found: "caller",
  unknown_endpoint: "caller",
  endpoint_not_served: "caller",
  duplicated_path_segment: "caller",
  method_not_allowed: "caller",
  body_timeout: "caller",
  body_too_large: "caller",
  body_too_complex: "caller",
  unsupported_media_type: "caller",
  websocket_unsupported: "caller",
  client_closed: "caller",
  internal_error: "gateway",
  no_upstream: "gateway",
  gateway_overloaded: "gateway",
  shutting_down: "gateway",
  store_unavailable: "gateway",
  rate_limit_exceeded: "pace",
  upstream_unauthorized: "credential",
  upstream_unreachable: "upstream",
  upstream_error: "model",
  upstream_invalid_response: "model",
  upstream_overloaded: "model",
  upstream_timeout: "model",
  upstream_truncated: "model",
} as const satisfies Record<ErrorCode, Fault>;

export function faultOf({ code }: GatewayError): Fault {
  return faults[code];
}

/** True if the failure proves that the upstream is reachable: it answered at least in part. */
export function hasAnswered({ code, upstreamStatus }: GatewayError): boolean {
  return upstreamStatus !== undefined || code === "upstream_truncated" ||
    code === "upstream_invalid_response";
}

/** A forbidden model is no reason to leave a credential's other models. */
export function isForbidden({ code, upstreamStatus }: GatewayError): boolean {
  return code === "upstream_unauthorized" && upstreamStatus === 403;
}
