import { keys } from "../keys.ts";
import { getRecord, type Kind, listRecords } from "../kv/record.ts";
import type { Store } from "../kv/store.ts";
import type { Bounds } from "../money/budget.ts";
import { type BoundsOptions, changeBoundsRecord } from "./bounds_record.ts";

/** The limits of all calls with one tag. */
export interface TagBudget extends Bounds {
  /** Such as `team=a`; see `tagText`. */
  readonly tag: string;
}

/** The number of tags with limits, all of which are in memory. */
export const tagBudgetsMax = 500;

const kind: Kind<TagBudget> = { name: "tag budget", version: 1 };

/** Returns undefined if the tag has no limits. */
export function getTagBudget(store: Store, tag: string): Promise<TagBudget | undefined> {
  return getRecord(store, kind, keys.tagBudget(tag));
}

/** All tags with limits, by tag. */
export function listTagBudgets(store: Store): Promise<TagBudget[]> {
  return listRecords(store, kind, keys.tagBudgets);
}

/**
 * Changes the limits of a tag, and returns the new ones. Bounds without a limit remove them. See
 * `changeBoundsRecord`.
 */
export function updateTagBudget(
  store: Store,
  tag: string,
  change: (current: TagBudget | undefined) => Bounds,
  options: BoundsOptions = {},
): Promise<TagBudget> {
  return changeBoundsRecord(store, { kind, key: keys.tagBudget(tag) }, (current) => {
    const { budgets, limits } = change(current);
    return { tag, ...(budgets && { budgets }), ...(limits && { limits }) };
  }, options);
}
