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
