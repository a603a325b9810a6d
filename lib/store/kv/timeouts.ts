import { isDeepStrictEqual } from "node:util";
import type { Origin } from "./origin.ts";

/** Timeouts of an upstream, in milliseconds. */
export interface UpstreamTimeouts {
  readonly connectMs: number;
  readonly firstByteMs: number;
  /** Time limit between two bytes of an answer. */
  readonly idleMs: number;
  readonly totalMs: number;
}

/** The default timeouts of an upstream; docs/decisions/0015-time-outs.md has the reasons. */
export const usualTimeouts: UpstreamTimeouts = {
  connectMs: 5_000,
  firstByteMs: 600_000,
  idleMs: 300_000,
  totalMs: 3_600_000,
};

/** The defaults until November 2026, which the console stored in every new upstream. */
const formerTimeouts: UpstreamTimeouts = {
  connectMs: 5_000,
  firstByteMs: 120_000,
  idleMs: 60_000,
  totalMs: 900_000,
};

/** Replaces former defaults that console records still contain: no administrator chose them. */
export function withoutFormer(origin: Origin, timeouts: UpstreamTimeouts): UpstreamTimeouts {
  const isFormer = origin === "console" && isDeepStrictEqual(timeouts, formerTimeouts);
  return isFormer ? usualTimeouts : timeouts;
}
