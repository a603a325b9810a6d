import { addAuditEntry, auditOf, type ChangeOptions } from "../audit/audit_entry.ts";
import { keys } from "../keys.ts";
import { decodeRecord, encodeRecord, getRecord, type Kind, listRecords } from "../kv/record.ts";
import type { Store } from "../kv/store.ts";
import { untilCommitted } from "../kv/until_committed.ts";
import type { Bounds } from "../money/budget.ts";

/** Options of a change of limits. Owners without limits have no record: `before` is empty. */
type BoundsOptions = Pick<ChangeOptions<Bounds>, "audit">;

/**
 * Changes the record of an owner of limits; a record without limits is removed. `change` gets the
 * record that the commit replaces, runs again if another writer won, and may refuse by throwing.
 */
async function changeBoundsRecord<Record extends Bounds>(
  store: Store,
  { kind, key }: { readonly kind: Kind<Record>; readonly key: Deno.KvKey },
  change: (current: Record | undefined) => Record,
  { audit }: BoundsOptions,
): Promise<Record> {
  return await untilCommitted(kind.name, async () => {
    const entry = await store.kv.get(key);
    const current = entry.value === null ? undefined : decodeRecord(kind, entry.value);
    const record = change(current);
    const operation = store.kv.atomic().check(entry);
    if (record.budgets || record.limits) operation.set(key, encodeRecord(kind, record));
    else operation.delete(key);
    addAuditEntry(operation, auditOf(audit, current ?? {}, record));
    return await store.commitChange(operation) ? record : undefined;
  });
}

const organizationKind: Kind<Bounds> = { name: "organization", version: 1 };

/** The limits of all calls together; undefined if there are none. */
export function getOrganization(store: Store): Promise<Bounds | undefined> {
  return getRecord(store, organizationKind, keys.organization);
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
  return changeBoundsRecord(
    store,
    { kind: organizationKind, key: keys.organization },
    (current = {}) => {
      const { budgets, limits } = change(current);
      return { ...(budgets && { budgets }), ...(limits && { limits }) };
    },
    options,
  );
}

/** The limits of all calls with one tag. */
export interface TagBudget extends Bounds {
  /** Such as `team=a`; see `tagText`. */
  readonly tag: string;
}

/** The number of tags with limits, all of which are in memory. */
export const tagBudgetsMax = 500;

const tagKind: Kind<TagBudget> = { name: "tag budget", version: 1 };

/** Returns undefined if the tag has no limits. */
export function getTagBudget(store: Store, tag: string): Promise<TagBudget | undefined> {
  return getRecord(store, tagKind, keys.tagBudget(tag));
}

/** All tags with limits, by tag. */
export function listTagBudgets(store: Store): Promise<TagBudget[]> {
  return listRecords(store, tagKind, keys.tagBudgets);
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
  return changeBoundsRecord(store, { kind: tagKind, key: keys.tagBudget(tag) }, (current) => {
    const { budgets, limits } = change(current);
    return { tag, ...(budgets && { budgets }), ...(limits && { limits }) };
  }, options);
}
