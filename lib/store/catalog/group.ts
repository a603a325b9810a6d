import type { FormatName } from "../../canonical/mod.ts";
import {
  addAuditEntry,
  auditOf,
  type AuditOptions,
  type ChangeOptions,
  type DeleteOptions,
} from "../audit/audit_entry.ts";
import { keys } from "../keys.ts";
import { StoreError } from "../kv/error.ts";
import { deleteValue } from "../kv/large_record.ts";
import { assertMayChange, type Origin } from "../kv/origin.ts";
import { changeRecord, getRecord, type Kind, listRecords, setRecord } from "../kv/record.ts";
import type { Store } from "../kv/store.ts";
import type { Bounds } from "../money/budget.ts";

/** The models that a group's keys may use, their price factor, and the limits of all keys together. */
export interface Group extends Bounds {
  readonly id: string;
  /** Patterns of model names; `*` alone means all. See `matchesPattern`. */
  readonly models: readonly string[];
  readonly formats: readonly ("*" | FormatName)[];
  /** Factor on prices. */
  readonly priceRatio: number;
  /** True if its keys may use models without a price. Absent: `allowsUnpriced` decides. */
  readonly allowUnpriced?: boolean;
  /**
   * True if members may assign their keys to it. Absent: only administrators, except for the
   * default group.
   */
  readonly forMembers?: boolean;
  readonly origin: Origin;
}

/** The group that always exists. */
export const defaultGroupId = "default";

/**
 * Returns true if calls of models without a price are allowed. If the group does not decide, the
 * default group allows them while no budget and no prepaid balance limits the caller; every other
 * group refuses them.
 */
export function allowsUnpriced(
  { id, allowUnpriced }: Pick<Group, "id" | "allowUnpriced">,
  isBoundByMoney: boolean,
): boolean {
  return allowUnpriced ?? (id === defaultGroupId && !isBoundByMoney);
}

const kind: Kind<Group> = { name: "group", version: 1 };

/** Returns undefined if there is no such group. */
export function getGroup(store: Store, id: string): Promise<Group | undefined> {
  return getRecord(store, kind, keys.group(id));
}

/** All groups, by id. */
export function listGroups(store: Store): Promise<Group[]> {
  return listRecords(store, kind, keys.groups);
}

/** Throws `already_exists` if the id is taken. */
export async function createGroup(
  store: Store,
  group: Group,
  { audit }: AuditOptions = {},
): Promise<void> {
  const key = keys.group(group.id);
  const operation = store.kv.atomic().check({ key, versionstamp: null });
  setRecord(operation, kind, { former: { key, value: null }, record: group });
  if (await store.commitChange(addAuditEntry(operation, audit))) return;
  throw new StoreError("already_exists", `Cannot create group: ${group.id} already exists`);
}

/** Returns undefined if there is no such group. `change` cannot change the id. */
export function updateGroup(
  store: Store,
  id: string,
  change: (group: Group) => Group,
  { by = "console", audit }: ChangeOptions<Group> = {},
): Promise<Group | undefined> {
  return changeRecord(store, { kind, key: keys.group(id) }, (current, operation, former) => {
    assertMayChange(current, by, `group ${id}`);
    const group = { ...change(current), id };
    setRecord(operation, kind, { former, record: group });
    addAuditEntry(operation, auditOf(audit, current, group));
    return group;
  });
}

/** Returns false if there was none. Keys of the group stop working until they get another group. */
export async function deleteGroup(
  store: Store,
  id: string,
  { by = "console", audit }: DeleteOptions<Group> = {},
): Promise<boolean> {
  if (id === defaultGroupId) {
    throw new StoreError("protected", "Cannot delete group: the default group is required");
  }
  const deleted = await changeRecord(
    store,
    { kind, key: keys.group(id) },
    (group, operation, former) => {
      assertMayChange(group, by, `group ${id}`);
      addAuditEntry(deleteValue(operation, former), auditOf(audit, group, group));
      return true;
    },
  );
  return deleted ?? false;
}
