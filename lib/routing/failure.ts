import { type ErrorCode, GatewayError } from "../canonical/mod.ts";
import type { Standing } from "./standing.ts";

/** What says more to a caller than that an upstream failed. */
const preference: readonly ErrorCode[] = ["upstream_overloaded", "upstream_timeout"];

/**
 * What a caller is told whom nothing answered: when to come back at the earliest, where an upstream
 * asked for fewer calls, now or a moment ago; else the failure that says the most, the last one of
 * equals. `standings` are those of all candidates.
 */
export function refusalOf(
  failures: readonly GatewayError[],
  standings: readonly Standing[],
  nowMs: number,
): GatewayError {
  const last = (code: ErrorCode) => failures.findLast((failure) => failure.code === code);
  const seconds = pauseSeconds(standings, nowMs);
  const limited = soonest(failures.filter(({ code }) => code === "rate_limit_exceeded"));
  if (limited && (limited.retryAfterSeconds !== undefined || seconds === undefined)) return limited;
  if (seconds !== undefined) return limited ? withRetryAfter(limited, seconds) : paused(seconds);
  return preference.map(last).find((failure) => failure !== undefined) ??
    failures.findLast(({ code }) => code !== "endpoint_not_served") ?? failures.at(-1) ??
    nothingTried(standings.length > 0);
}

function soonest(limited: readonly GatewayError[]): GatewayError | undefined {
  const secondsOf = ({ retryAfterSeconds = Infinity }: GatewayError) => retryAfterSeconds;
  return limited.toSorted((a, b) => secondsOf(a) - secondsOf(b))[0];
}

function paused(seconds: number): GatewayError {
  return new GatewayError(
    "rate_limit_exceeded",
    `The upstreams of this model asked for fewer calls: try again in ${seconds} s`,
    { retryAfterSeconds: seconds },
  );
}

function nothingTried(isProbed: boolean): GatewayError {
  return isProbed
    ? new GatewayError(
      "no_upstream",
      "Every upstream of this model failed lately and is being probed: try again soon",
      { retryAfterSeconds: 1 },
    )
    : new GatewayError(
      "no_upstream",
      "No upstream serves this model to the key's group at the moment",
    );
}

/** Whole seconds until the first pause is over; undefined where nothing is paused. */
function pauseSeconds(standings: readonly Standing[], nowMs: number): number | undefined {
  const ends = standings.flatMap(({ state, untilMs = nowMs }) =>
    state === "cooling" ? [untilMs] : []
  );
  return ends.length > 0 ? Math.max(1, Math.ceil((Math.min(...ends) - nowMs) / 1000)) : undefined;
}

function withRetryAfter(error: GatewayError, retryAfterSeconds: number): GatewayError {
  const { code, message, cause, param, upstreamStatus } = error;
  return new GatewayError(code, message, {
    retryAfterSeconds,
    cause,
    ...(param !== undefined && { param }),
    ...(upstreamStatus !== undefined && { upstreamStatus }),
  });
}
