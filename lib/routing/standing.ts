import type { ErrorCode } from "../canonical/mod.ts";
import type { Breaker } from "./breaker.ts";
import type { Cooldown } from "./cooldown.ts";

/**
 * Whether calls go through: all (`closed`), one at a time to find out (`half-open`), none until the
 * pause is over that the upstream asked for (`cooling`), or none but where nothing else is left (`open`).
 */
export type State = "closed" | "half-open" | "cooling" | "open";

/** How something stands, as its last calls went. */
export interface Standing {
  readonly state: State;
  /** What went wrong last, where it is not closed. */
  readonly cause?: ErrorCode;
  /** Milliseconds since the epoch: until when it is open or cooling. */
  readonly untilMs?: number;
  /** Whether a probe is out, for whose end others wait. */
  readonly isProbing: boolean;
}

export const healthy: Standing = { state: "closed", isProbing: false };

/**
 * In which order to try: 0 is well, 1 is paused, 2 only where nothing else is left. What is half-open
 * keeps its place, or nobody would ever probe it; but for one call at a time.
 */
export function rankOf({ state, isProbing }: Standing): 0 | 1 | 2 {
  if (state === "open" || isProbing) return 2;
  return state === "cooling" ? 1 : 0;
}

export function standingOf(
  { breaker, cooldown }: { readonly breaker: Breaker; readonly cooldown: Cooldown },
  nowMs: number,
): Standing {
  const { isProbing, last } = breaker;
  const state = breaker.state(nowMs);
  const cause = last && { cause: last.code };
  if (state === "open") return { state, isProbing, ...cause, untilMs: breaker.untilMs };
  if (nowMs < cooldown.untilMs) {
    return { state: "cooling", isProbing, cause: "rate_limit_exceeded", untilMs: cooldown.untilMs };
  }
  return state === "closed" ? healthy : { state, isProbing, ...cause };
}

/** How a candidate stands at whose places things stand differently. */
export function worst(a: Standing, b: Standing): Standing {
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
