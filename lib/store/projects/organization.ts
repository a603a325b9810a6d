import { keys } from "../keys.ts";
import { getRecord, type Kind } from "../kv/record.ts";
import type { Store } from "../kv/store.ts";
import type { Bounds } from "../money/budget.ts";
import { type BoundsOptions, changeBoundsRecord } from "./bounds_record.ts";

const kind: Kind<Bounds> = { name: "organization", version: 1 };

/** The limits of all calls together; undefined if there are none. */
export function getOrganization(store: Store): Promise<Bounds | undefined> {
  return getRecord(store, kind, keys.organization);
}

/**
 * Changes the limits of all calls together, and returns the new ones. Bounds without a limit remove
 * them. See `changeBoundsRecord`.
 */
export function updateOrganization(
  store: Store,
  change: (current: Bounds) => Bounds,
  options: BoundsOptions = {},
): Promise<Bounds> {
  return changeBoundsRecord(store, { kind, key: keys.organization }, (current = {}) => {
    const { budgets, limits } = change(current);
    return { ...(budgets && { budgets }), ...(limits && { limits }) };
  }, options);
}
