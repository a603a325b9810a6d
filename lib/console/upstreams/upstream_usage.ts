import { usageTotals } from "../../ledger/mod.ts";
import { listRequestLogs } from "../../store/log/mod.ts";
import type { Store } from "../../store/mod.ts";
import { percentile, subjects } from "../../store/usage/mod.ts";

/** The usage of the calls that an upstream answered in a period. */
export interface UpstreamUsage {
  readonly calls: number;
  /** 0 to 1; absent without calls. */
  readonly successShare?: number;
  /** Milliseconds to the first byte; absent without answers. */
  readonly firstByteMs?: { readonly p50: number; readonly p95: number };
}

const hourMs = 3_600_000;

/** The periods of the list of upstreams, in milliseconds. */
export const upstreamPeriods = { "1h": hourMs, "24h": 24 * hourMs, "7d": 168 * hourMs } as const;
export type UpstreamPeriod = keyof typeof upstreamPeriods;

export async function upstreamUsage(
  store: Store,
  upstreamId: string,
  { period, nowMs }: { readonly period: UpstreamPeriod; readonly nowMs: number },
): Promise<UpstreamUsage> {
  const span = { fromMs: nowMs - upstreamPeriods[period], toMs: nowMs + 1 };
  const { counts, times } = await usageTotals(store, subjects.upstream(upstreamId), span);
  const [p50, p95] = [0.5, 0.95].map((share) => percentile(times.firstByte, share));
  return {
    calls: counts.requests,
    ...(counts.requests > 0 && { successShare: 1 - counts.failures / counts.requests }),
    ...(p50 !== undefined && p95 !== undefined && { firstByteMs: { p50, p95 } }),
  };
}

/** The latest call that failed at an upstream. */
export interface LastFailure {
  readonly code: string;
  readonly atMs: number;
  /**
   * The call's id; absent if another upstream answered the call, or if the call is not in the log
   * yet.
   */
  readonly callId?: string;
}

/** The latest failure in the log; undefined if there is none. */
export async function lastFailureOf(
  store: Store,
  upstreamId: string,
): Promise<LastFailure | undefined> {
  const { rows: [row] } = await listRequestLogs(store, { upstreamId, status: "failed", limit: 1 });
  return row && { code: row.errorCode ?? row.outcome, atMs: row.atMs, callId: row.id };
}
