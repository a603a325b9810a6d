import type { LimitState } from "../canonical/mod.ts";

/** Kinds of limits that vendors report in headers. */
type HeaderKind = "requests" | "tokens";

/** A vendor's names and number formats for limits. */
export interface LimitHeaderStyle {
  name(kind: HeaderKind, fact: "limit" | "remaining" | "reset"): string;
  reset(resetsAtMs: number, nowMs: number): string;
}

/** Headers of an answer, from the limits that apply to its caller; of each kind the tightest. */
export type LimitHeaders = (
  states: readonly LimitState[],
  nowMs: number,
) => Readonly<Record<string, string>>;

const headerKinds = ["requests", "tokens"] as const satisfies readonly HeaderKind[];

export function limitHeadersIn(style: LimitHeaderStyle): LimitHeaders {
  return (states, nowMs) =>
    Object.assign({}, ...headerKinds.map((kind) => headersOf(kind, states, nowMs, style)));
}

function headersOf(
  kind: HeaderKind,
  states: readonly LimitState[],
  nowMs: number,
  { name, reset }: LimitHeaderStyle,
): Record<string, string> {
  const state = tightest(states.filter((one) => one.kind === kind));
  if (!state) return {};
  const { limit, remaining, resetsAtMs } = state;
  return {
    ...(limit !== undefined && { [name(kind, "limit")]: String(limit) }),
    [name(kind, "remaining")]: String(remaining < 0n ? 0n : remaining),
    ...(resetsAtMs !== undefined && { [name(kind, "reset")]: reset(resetsAtMs, nowMs) }),
  };
}

/** The limit with the least left; of equal ones, the one that resets last. */
function tightest(states: readonly LimitState[]): LimitState | undefined {
  const inOrder = states.toSorted((a, b) =>
    a.remaining === b.remaining
      ? (b.resetsAtMs ?? Infinity) - (a.resetsAtMs ?? Infinity)
      : a.remaining < b.remaining
      ? -1
      : 1
  );
  return inOrder[0];
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
