import type { ErrorCode } from "../canonical/mod.ts";
import type { Breaker } from "./breaker.ts";
import type { Cooldown } from "./cooldown.ts";

/**
 * The admitted calls: all (`closed`), one probe at a time (`half-open`), none until the upstream's
 * rate limit pause ends (`cooling`), or none (`open`). If no other candidates are left, a bounded
 * number of calls goes to open and half-open ones.
 */
export type State = "closed" | "half-open" | "cooling" | "open";

/** The health of a target, judged by its last calls. */
export interface HealthStatus {
  readonly state: State;
  /** The last failure, if it is not closed. */
  readonly cause?: ErrorCode;
  /** The end of the open or cooling state, in epoch milliseconds. */
  readonly untilMs?: number;
  /**
   * The retry time that its last failure requested, else the time at which it becomes half-open;
   * absent while closed or cooling.
   */
  readonly retryAtMs?: number;
  /** True while a probe is running: other calls prefer other candidates. */
  readonly isProbing: boolean;
}

export const healthy: HealthStatus = { state: "closed", isProbing: false };

/**
 * The order of attempts: 0 healthy, 1 paused, 2 last resort. A half-open target keeps its place for
 * one call at a time, so that it is probed.
 */
export function rankOf({ state, isProbing }: HealthStatus): 0 | 1 | 2 {
  if (state === "open" || isProbing) return 2;
  return state === "cooling" ? 1 : 0;
}

export function healthStatusOf(
  { breaker, cooldown }: { readonly breaker: Breaker; readonly cooldown: Cooldown },
  nowMs: number,
): HealthStatus {
  const state = breaker.state(nowMs);
  const isCooling = nowMs < cooldown.untilMs;
  if (state === "closed" && !isCooling) return healthy;
  const isProbing = state !== "closed" && breaker.probes > 0;
  const failure = failureOf(breaker);
  if (state === "open") return { state, isProbing, ...failure, untilMs: breaker.untilMs };
  if (!isCooling) return { state, isProbing, ...failure };
  return { state: "cooling", isProbing, cause: "rate_limit_exceeded", untilMs: cooldown.untilMs };
}

function failureOf({ last, untilMs }: Breaker): Pick<HealthStatus, "cause" | "retryAtMs"> {
  const askedSeconds = last?.retryAfterSeconds;
  const retryAtMs = askedSeconds === undefined ? untilMs : last && last.atMs + askedSeconds * 1000;
  return { ...(last && { cause: last.code }), ...(retryAtMs !== undefined && { retryAtMs }) };
}

/** The status of a candidate whose targets differ. */
export function worst(a: HealthStatus, b: HealthStatus): HealthStatus {
  const [better, worse] = severity[a.state] <= severity[b.state] ? [a, b] : [b, a];
  const untilMs = Math.max(better.untilMs ?? 0, worse.untilMs ?? 0);
  return {
    ...worse,
    isProbing: a.isProbing || b.isProbing,
    ...(untilMs > 0 && { untilMs }),
  };
}

const severity = { closed: 0, "half-open": 1, cooling: 2, open: 3 } as const satisfies Record<
  State,
  number
>;
