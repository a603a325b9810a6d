import { z } from "zod";
import type { AuditOptions } from "../audit/audit_entry.ts";
import { keys } from "../keys.ts";
import { getRecord, type Kind, listRecords } from "../kv/record.ts";
import type { Store } from "../kv/store.ts";
import { type Bounds, boundsShape } from "../money/budget.ts";
import { setBoundsRecord } from "./bounds_record.ts";

/** The limits of all calls with one tag. */
interface TagBudget extends Bounds {
  /** Such as `team=a`; see `tagText`. */
  readonly tag: string;
}

/** The number of tags with limits, all of which are in memory. */
export const tagBudgetsMax = 500;

const kind: Kind<TagBudget> = {
  name: "tag budget",
  version: 1,
  schema: z.object({ tag: z.string(), ...boundsShape }),
};

/** Returns undefined if the tag has no limits. */
export function getTagBudget(store: Store, tag: string): Promise<TagBudget | undefined> {
  return getRecord(store, kind, keys.tagBudget(tag));
}

/** All tags with limits, by tag. */
export function listTagBudgets(store: Store): Promise<TagBudget[]> {
  return listRecords(store, kind, keys.tagBudgets);
}

/** Sets the limits of a tag. Bounds without a limit remove them. */
export async function setTagBudget(
  store: Store,
  tag: string,
  { budgets, limits }: Bounds,
  options: AuditOptions = {},
): Promise<void> {
  const bounds = { tag, ...(budgets && { budgets }), ...(limits && { limits }) };
  await setBoundsRecord(store, { kind, key: keys.tagBudget(tag) }, bounds, options);
}
