import { healthOfUpstream, type UpstreamHealth } from "../../admin/upstreams/upstream_state.ts";
import { usagePoints } from "../../ledger/mod.ts";
import { addCounts, type Counts, noCounts, subjects } from "../../store/usage/mod.ts";
import type { PeriodSpan } from "../page/period.ts";
import type { AccountState } from "../session/state.ts";
import { type UpstreamDay, upstreamDay } from "../upstreams/upstream_figures.ts";

/** An upstream's health in the last 24 hours beside its cost in the period. */
export interface UpstreamCost extends UpstreamDay {
  readonly id: string;
  readonly health: UpstreamHealth;
  /** In the period. */
  readonly counts: Counts;
}

/** All of them are on the page of upstreams. */
const shownMax = 12;

/** The upstreams with the highest cost. */
export async function readUpstreamCosts(
  { services: { store, directory, upstreams }, nowMs }: AccountState,
  span: PeriodSpan,
): Promise<readonly UpstreamCost[]> {
  const health = upstreams?.health.snapshot() ?? [];
  const rows = await Promise.all(
    directory.upstreams().map(async (upstream) => {
      const { id } = upstream;
      const [day, points] = await Promise.all([
        upstreamDay(store, id, nowMs),
        usagePoints(store, subjects.upstream(id), span),
      ]);
      const counts = points.reduce((sum, point) => addCounts(sum, point.counts), noCounts);
      const own = health.filter(({ upstreamId }) => upstreamId === id);
      return { id, health: healthOfUpstream(upstream, own), counts, ...day };
    }),
  );
  return rows.sort((a, b) => a.counts.costNanoUsd < b.counts.costNanoUsd ? 1 : -1)
    .slice(0, shownMax);
}
