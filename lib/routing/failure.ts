import { type ErrorCode, GatewayError } from "../canonical/mod.ts";
import type { Standing } from "./standing.ts";

/** What a caller can do something with comes first: wait a stated time, wait, try again. */
const preference: readonly ErrorCode[] = [
  "rate_limit_exceeded",
  "upstream_overloaded",
  "upstream_timeout",
];

/** The failure that says the most to the caller; the last one of equals. Undefined where nothing failed. */
export function bestFailure(
  failures: readonly GatewayError[],
  standings: readonly Standing[],
  nowMs: number,
): GatewayError | undefined {
  const best = preference.map((code) => failures.findLast((failure) => failure.code === code))
    .find((failure) => failure !== undefined) ?? failures.at(-1);
  const seconds = pauseSeconds(standings, nowMs);
  const isOpenEnded = best?.code === "rate_limit_exceeded" && best.retryAfterSeconds === undefined;
  return best && isOpenEnded && seconds !== undefined ? withRetryAfter(best, seconds) : best;
}

/** Why nothing was tried at all. */
export function nothingLeft(standings: readonly Standing[], nowMs: number): GatewayError {
  const seconds = pauseSeconds(standings, nowMs);
  if (seconds !== undefined) {
    return new GatewayError(
      "rate_limit_exceeded",
      `Every upstream of this model asked for fewer calls: try again in ${seconds} s`,
      { retryAfterSeconds: seconds },
    );
  }
  if (standings.length > 0) {
    return new GatewayError(
      "no_upstream",
      "Every upstream of this model failed lately and is being probed: try again soon",
      { retryAfterSeconds: 1 },
    );
  }
  return new GatewayError(
    "no_upstream",
    "No upstream serves this model to the key's group at the moment",
  );
}

export function callerLeft(cause?: GatewayError): GatewayError {
  return new GatewayError("client_closed", "The caller closed the connection", { cause });
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
