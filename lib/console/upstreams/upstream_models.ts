import { type ServedModel, servedModels } from "../../admin/upstreams/served_models.ts";
import { type UpstreamState, worstState } from "../../admin/upstreams/upstream_state.ts";
import { offeredNames } from "../../catalog/mod.ts";
import type { HealthRow } from "../../routing/mod.ts";
import type { UpstreamRecord } from "../../store/catalog/mod.ts";
import type { Directory } from "../../store/directory/mod.ts";

type ModelDirectory = Pick<Directory, "models" | "upstreams" | "upstreamLists">;

/** A model of an upstream: its health in this process, and who else serves it. */
export interface UpstreamModelRow extends ServedModel {
  readonly state: UpstreamState;
  /** The end of that state, in epoch milliseconds. */
  readonly untilMs?: number;
  /** Recent calls in this process, over all credentials. */
  readonly calls: number;
  readonly observed?: HealthRow["observed"];
  /** Other enabled upstreams that serve the model. */
  readonly fallbacks: readonly string[];
}

/** The models of an upstream: those out of service first, then those with the most calls. */
export function upstreamModels(
  upstream: UpstreamRecord,
  health: readonly HealthRow[],
  { directory, nowMs }: { readonly directory: ModelDirectory; readonly nowMs: number },
): readonly UpstreamModelRow[] {
  const others = directory.upstreams().filter((other) => canReplace(other, upstream))
    .map((other) => ({ id: other.id, names: new Set(offeredNames(other, directory)) }));
  const healthOf = Map.groupBy(health, ({ model }) => model);
  return servedModels(upstream, directory, nowMs).map((model): UpstreamModelRow => {
    const rows = healthOf.get(model.upstreamModel ?? model.id) ?? [];
    return {
      ...model,
      ...worstState(rows),
      calls: rows.reduce((sum, { windowCalls }) => sum + windowCalls, 0),
      observed: rows.find(({ observed }) => observed)?.observed,
      fallbacks: others.filter(({ names }) => names.has(model.id)).map(({ id }) => id),
    };
  }).sort((a, b) => rankOf(b) - rankOf(a) || b.calls - a.calls);
}

/** Another enabled upstream for at least one of the same groups. */
function canReplace(other: UpstreamRecord, { id, groups }: UpstreamRecord): boolean {
  if (!other.enabled || other.id === id) return false;
  return groups.includes("*") || other.groups.includes("*") ||
    other.groups.some((group) => groups.includes(group));
}

function rankOf({ state }: UpstreamModelRow): number {
  return state === "well" ? 0 : state === "degraded" ? 1 : 2;
}
