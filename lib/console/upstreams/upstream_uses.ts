import { modelRows } from "../../admin/models/model_rows.ts";
import { usageTotals } from "../../ledger/mod.ts";
import type { UpstreamRecord } from "../../store/catalog/mod.ts";
import { subjects } from "../../store/usage/mod.ts";
import { tryLoad } from "../page/reading.ts";
import type { AccountState } from "../session/state.ts";
import { lastDay } from "./upstream_figures.ts";

/** The models and groups that depend on an upstream. */
export interface UpstreamUses {
  /** Groups that can call a model through the upstream. */
  readonly groups: readonly string[];
  /** The number of its models that are known by name. */
  readonly models: number;
  /** Models that some group can call only through this upstream. */
  readonly only: readonly string[];
  /** Calls in the last 24 hours; absent if they could not be read. */
  readonly calls?: number;
}

/**
 * Finds the models and groups that depend on an upstream. Disabled upstreams do not count as
 * alternatives.
 */
export async function upstreamUses(
  upstream: UpstreamRecord,
  { services: { store, directory }, nowMs }: AccountState,
): Promise<UpstreamUses> {
  const models = () => directory.models();
  const upstreamLists = () => directory.upstreamLists();
  const serving = (upstreams: readonly UpstreamRecord[]) =>
    modelRows(directory.groups(), { models, upstreamLists, upstreams: () => upstreams }, nowMs);
  const others = directory.upstreams().filter(({ id, enabled }) => enabled && id !== upstream.id);
  const own = serving([{ ...upstream, enabled: true }]);
  const left = new Map(serving(others).map((row) => [row.id, new Set(row.groups)]));
  const only = others.length === 0
    ? own
    : own.filter(({ id, groups }) => groups.some((group) => !left.get(id)?.has(group)));
  const subject = subjects.upstream(upstream.id);
  const totals = await tryLoad(usageTotals(store, subject, lastDay(nowMs)));
  return {
    groups: [...new Set(own.flatMap(({ groups }) => groups))],
    models: own.length,
    only: only.map(({ id }) => id),
    ...(totals && { calls: totals.counts.requests }),
  };
}

/** True if deleting it requires typing its name, because it is used. */
export function isInUse({ enabled }: UpstreamRecord, { only, calls = 1 }: UpstreamUses): boolean {
  return enabled && (only.length > 0 || calls > 0);
}
