import { changedError, type ErrorCode, GatewayError } from "../canonical/mod.ts";
import type { HealthStatus } from "./health_status.ts";

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
  request_in_progress: "caller",
  idempotency_key_reused: "caller",
  answer_not_stored: "caller",
  body_too_large: "caller",
  body_too_complex: "caller",
  unsupported_media_type: "caller",
  websocket_unsupported: "caller",
  client_closed: "caller",
  compaction_failed: "caller",
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

/**
 * The part of an upstream that should rest after a refusal: its credential, one model by that
 * credential, or nothing beyond the pause that the upstream asks for.
 */
export function restingAfter(error: GatewayError): "credential" | "model" | undefined {
  if (faultOf(error) === "credential") return isForbidden(error) ? "model" : "credential";
  if (faultOf(error) !== "pace") return undefined;
  const words = wordsOf(error);
  if (ofAccount.test(words)) return "credential";
  return ofDay.test(words) ? "model" : undefined;
}

/** A forbidden model is no reason to leave a credential's other models; a 403 may mean both. */
function isForbidden(error: GatewayError): boolean {
  return error.upstreamStatus === 403 && !ofCredential.test(wordsOf(error));
}

/** Words about the credential itself. */
const ofCredential = /\bexpired\b|security token/i;
/** A quota of the whole account, which waiting for some seconds does not restore. */
const ofAccount = /ServiceQuotaExceeded/i;
/** A quota of a day, which is one of a model at clouds. */
const ofDay = /per[ _-]?day|\bdaily\b/i;

function wordsOf({ said, cause }: GatewayError): string {
  const inner = cause instanceof GatewayError ? cause.said : undefined;
  return [said, inner].flatMap((one) => [one?.type, one?.code, one?.message]).join(" ")
    .slice(0, wordsMax);
}

const wordsMax = 2_000;

/** Codes that inform a caller better than a general upstream error. */
const preference: readonly ErrorCode[] = ["upstream_overloaded", "upstream_timeout"];

/**
 * The error when every candidate failed or was skipped: a 429 with the earliest retry time if an
 * upstream is rate limited, else the most informative failure, and of several the last. `statuses`
 * has one status per candidate.
 */
export function failoverError(
  failures: readonly GatewayError[],
  statuses: readonly HealthStatus[],
  nowMs: number,
): GatewayError {
  const seconds = pauseSeconds(statuses, nowMs);
  const limited = soonest(failures.filter(({ code }) => code === "rate_limit_exceeded"));
  if (limited && (limited.retryAfterSeconds !== undefined || seconds === undefined)) return limited;
  if (seconds !== undefined) {
    return limited ? changedError(limited, { retryAfterSeconds: seconds }) : paused(seconds);
  }
  const failure = mostInformative(failures);
  const brokenSeconds = breakerSeconds(statuses, nowMs);
  if (brokenSeconds === undefined) return failure ?? nobodyServes();
  if (!failure) return notTried(statuses, brokenSeconds);
  return lacksWait(failure) ? changedError(failure, { retryAfterSeconds: brokenSeconds }) : failure;
}

/** Returns true if the error needs a retry time: waiting does not repair a refused credential. */
function lacksWait(failure: GatewayError): boolean {
  return failure.retryable && failure.retryAfterSeconds === undefined &&
    faultOf(failure) !== "credential";
}

function mostInformative(failures: readonly GatewayError[]): GatewayError | undefined {
  const last = (code: ErrorCode) => failures.findLast((failure) => failure.code === code);
  return preference.map(last).find((failure) => failure !== undefined) ??
    failures.findLast(({ code }) => code !== "endpoint_not_served") ?? failures.at(-1);
}

function soonest(limited: readonly GatewayError[]): GatewayError | undefined {
  const secondsOf = ({ retryAfterSeconds = Infinity }: GatewayError) => retryAfterSeconds;
  return limited.toSorted((a, b) => secondsOf(a) - secondsOf(b))[0];
}

function paused(seconds: number): GatewayError {
  return new GatewayError(
    "rate_limit_exceeded",
    `Every upstream of this model is rate limiting us. Try again in ${seconds} s`,
    { retryAfterSeconds: seconds },
  );
}

/**
 * The error of a call that was not sent, because breakers keep it from every candidate and the
 * maximum number of probes is running. Uses only the codes of earlier failures, since their
 * messages may quote prompts.
 */
function notTried(statuses: readonly HealthStatus[], retryAfterSeconds: number): GatewayError {
  const causes = statuses.flatMap(({ cause }) => cause ?? []);
  const code = preference.find((one) => causes.includes(one)) ?? causes.at(-1) ?? "no_upstream";
  return new GatewayError(
    code,
    `Every upstream of this model is paused after errors, and test calls are already running. Not charged. Retry in ${retryAfterSeconds} s`,
    { retryAfterSeconds },
  );
}

function nobodyServes(): GatewayError {
  return new GatewayError(
    "no_upstream",
    "No upstream can serve this model to the key's group at the moment",
  );
}

/** A longer wait would keep callers away from an upstream that has recovered. */
const breakerSecondsMax = 30;

/**
 * Whole seconds until the first candidate may be tried again; undefined unless breakers block all
 * of them.
 */
function breakerSeconds(statuses: readonly HealthStatus[], nowMs: number): number | undefined {
  const times = statuses.flatMap(({ retryAtMs }) => retryAtMs ?? []);
  if (times.length === 0 || times.length < statuses.length) return undefined;
  const seconds = Math.ceil((Math.min(...times) - nowMs) / 1000);
  return Math.min(Math.max(1, seconds), breakerSecondsMax);
}

/** Whole seconds until the first pause ends; undefined if nothing is paused. */
function pauseSeconds(statuses: readonly HealthStatus[], nowMs: number): number | undefined {
  const ends = statuses.flatMap(({ state, untilMs = nowMs }) =>
    state === "cooling" ? [untilMs] : []
  );
  return ends.length > 0 ? Math.max(1, Math.ceil((Math.min(...ends) - nowMs) / 1000)) : undefined;
}
