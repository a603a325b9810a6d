import { healthOfUpstream, type UpstreamHealth } from "../../admin/upstreams/upstream_state.ts";
import { usageTotals } from "../../ledger/mod.ts";
import { type Counts, subjects } from "../../store/usage/mod.ts";
import type { PeriodSpan } from "../page/period.ts";
import type { AccountState } from "../session/state.ts";
import { type UpstreamFigures, upstreamFigures } from "../upstreams/upstream_figures.ts";

/** An upstream's health in the last 24 hours beside its cost in the period. */
export interface UpstreamCost extends UpstreamFigures {
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
      const [figures, { counts }] = await Promise.all([
        upstreamFigures(store, id, nowMs),
        usageTotals(store, subjects.upstream(id), span),
      ]);
      const own = health.filter(({ upstreamId }) => upstreamId === id);
      return { id, health: healthOfUpstream(upstream, own), counts, ...figures };
    }),
  );
  return rows.sort((a, b) => a.counts.costNanoUsd < b.counts.costNanoUsd ? 1 : -1)
    .slice(0, shownMax);
}
