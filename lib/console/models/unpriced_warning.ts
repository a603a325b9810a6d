import { modelRows } from "../../admin/models/model_rows.ts";
import { allowsUnpriced, defaultGroupId, type Group } from "../../store/catalog/mod.ts";
import type { ConsoleState } from "../session/state.ts";

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
