import { hasHiddenAmounts, type LimitState } from "../canonical/mod.ts";
import type { Codec } from "./codec.ts";

/** Kinds of limits that vendors report in headers. */
type HeaderKind = "requests" | "tokens";

/** A vendor's names and number formats for limits. */
export interface LimitHeaderStyle {
  name(kind: HeaderKind, fact: "limit" | "remaining" | "reset"): string;
  reset(resetsAtMs: number, nowMs: number): string;
}

const headerKinds = ["requests", "tokens"] as const satisfies readonly HeaderKind[];

/**
 * Headers of an answer, from the limits that apply to its caller: of each kind the tightest whose
 * amounts the caller may read.
 */
export function limitHeadersIn({ name, reset }: LimitHeaderStyle): Codec["limitHeaders"] {
  const names = headerKinds.map((kind) => ({
    kind,
    limitName: name(kind, "limit"),
    remainingName: name(kind, "remaining"),
    resetName: name(kind, "reset"),
  }));
  return (states, nowMs) => {
    const headers: Record<string, string> = {};
    for (const { kind, limitName, remainingName, resetName } of names) {
      const state = tightestOf(kind, states);
      if (!state) continue;
      const { limit, remaining, resetsAtMs } = state;
      if (limit !== undefined) headers[limitName] = String(limit);
      headers[remainingName] = String(remaining < 0n ? 0n : remaining);
      if (resetsAtMs !== undefined) headers[resetName] = reset(resetsAtMs, nowMs);
    }
    return headers;
  };
}

function tightestOf(kind: HeaderKind, states: readonly LimitState[]): LimitState | undefined {
  let tightest: LimitState | undefined;
  for (const state of states) {
    if (state.kind !== kind || hasHiddenAmounts(state)) continue;
    if (!tightest || isTighter(state, tightest)) tightest = state;
  }
  return tightest;
}

/** Returns true if less is left, or if as much is left and it resets later. */
function isTighter(a: LimitState, b: LimitState): boolean {
  if (a.remaining !== b.remaining) return a.remaining < b.remaining;
  return (a.resetsAtMs ?? Infinity) > (b.resetsAtMs ?? Infinity);
}

/** `x-ratelimit-remaining-requests`, and the time until a reset as `6m0s` or `12ms`. */
export const xRateLimit: LimitHeaderStyle = {
  name: (kind, fact) => `x-ratelimit-${fact}-${kind}`,
  reset: (resetsAtMs, nowMs) => durationText(resetsAtMs - nowMs),
};

/** A duration in Go's notation: `0s`, `12ms`, `8.64s`, `6m0s`, `1h0m0.5s`. */
export function durationText(ms: number): string {
  const whole = Math.max(0, Math.ceil(ms));
  if (whole > 0 && whole < 1_000) return `${whole}ms`;
  const minutes = Math.floor(whole / 60_000);
  const seconds = `${(whole % 60_000) / 1_000}s`;
  if (minutes === 0) return seconds;
  return minutes < 60
    ? `${minutes}m${seconds}`
    : `${Math.floor(minutes / 60)}h${minutes % 60}m${seconds}`;
}
