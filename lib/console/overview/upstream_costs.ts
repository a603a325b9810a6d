import { healthOfUpstream, type UpstreamHealth } from "../../admin/upstreams/upstream_state.ts";
import { usageSeries, usageTotals } from "../../ledger/mod.ts";
import { type Counts, percentile, subjects } from "../../store/usage/mod.ts";
import type { PeriodSpan } from "../page/period.ts";
import type { AccountState } from "../session/state.ts";

/** An upstream's health in the last 24 hours beside its cost in the period. */
export interface UpstreamCost {
  readonly id: string;
  readonly health: UpstreamHealth;
  /** The last 24 hours, oldest first. */
  readonly hours: readonly Counts[];
  readonly counts: Counts;
  /** Milliseconds; absent without answers. */
  readonly firstByteMs?: { readonly p50: number; readonly p95: number };
}

const hourMs = 3_600_000;
/** All of them are on the page of upstreams. */
const shownMax = 12;

/** The upstreams with the highest cost. */
export async function readUpstreamCosts(
  { services: { store, directory, upstreams }, nowMs }: AccountState,
  span: PeriodSpan,
): Promise<readonly UpstreamCost[]> {
  const health = upstreams?.health.snapshot() ?? [];
  const dayAgoMs = Math.floor(nowMs / hourMs) * hourMs - 23 * hourMs;
  const hours = { step: "hour", fromMs: dayAgoMs, toMs: dayAgoMs + 24 * hourMs } as const;
  const rows = await Promise.all(
    directory.upstreams().map(async (upstream) => {
      const { id } = upstream;
      const subject = subjects.upstream(id);
      const [{ counts, times }, points] = await Promise.all([
        usageTotals(store, subject, span),
        usageSeries(store, subject, hours),
      ]);
      const [p50, p95] = [0.5, 0.95].map((share) => percentile(times.firstByte, share));
      return {
        id,
        health: healthOfUpstream(upstream, health.filter(({ upstreamId }) => upstreamId === id)),
        hours: points.map((point) => point.counts),
        counts,
        ...(p50 !== undefined && p95 !== undefined && { firstByteMs: { p50, p95 } }),
      };
    }),
  );
  return rows.sort((a, b) => a.counts.costNanoUsd < b.counts.costNanoUsd ? 1 : -1)
    .slice(0, shownMax);
}
