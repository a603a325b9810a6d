import { modelRows, priceRow } from "../../admin/models/model_rows.ts";
import { totalInputTokens, totalOutputTokens } from "../../canonical/mod.ts";
import { topUsage } from "../../ledger/mod.ts";
import { allowsUnpriced, defaultGroupId, type Group } from "../../store/catalog/mod.ts";
import type { AccountState, ConsoleState } from "../session/state.ts";

const namesMax = 3;

/**
 * Warns of unpriced models in the default group that callers with a budget or a prepaid balance
 * cannot call. Undefined if there are none.
 */
export function unpricedWarning(
  { services: { directory }, catalog, nowMs }: Pick<ConsoleState, "services" | "catalog" | "nowMs">,
): string | undefined {
  const group = directory.groups().find(({ id }) => id === defaultGroupId);
  if (!group || !isRefusedByMoney(group)) return undefined;
  const names = modelRows([group], directory, nowMs)
    .filter(({ price }) => price === undefined).map(({ id }) => id);
  if (names.length === 0) return undefined;
  const { unpricedWarning, moreNames } = catalog.groups;
  const more = names.length - namesMax;
  return unpricedWarning(names.slice(0, namesMax).join(", ") + (more > 0 ? moreNames(more) : ""));
}

function isRefusedByMoney(group: Group): boolean {
  return allowsUnpriced(group, false) && !allowsUnpriced(group, true);
}

/** A model without a price that was called. */
export interface UnpricedUse {
  readonly model: string;
  readonly calls: number;
  readonly tokens: number;
}

const unpricedDays = 30;
const dayMs = 86_400_000;
const modelsMax = 1_000;
const shownMax = 20;

/** Returns the unpriced models with the most calls in recent days. */
export async function unpricedUse(
  { services: { store, directory }, nowMs }: AccountState,
): Promise<UnpricedUse[]> {
  const toMs = (Math.floor(nowMs / dayMs) + 1) * dayMs; // whole days, which are read at once
  const period = { fromMs: toMs - unpricedDays * dayMs, toMs };
  const options = { dimension: "model", by: "requests", limit: modelsMax } as const;
  const { top } = await topUsage(store, period, options);
  return top.filter(({ subject }) => priceRow(subject.value, directory, nowMs).price === undefined)
    .slice(0, shownMax)
    .map(({ subject, counts }) => ({
      model: subject.value,
      calls: counts.requests,
      tokens: totalInputTokens(counts) + totalOutputTokens(counts),
    }));
}
