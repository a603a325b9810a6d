import { addAuditEntry, auditOf, type ChangeOptions } from "../audit/audit_entry.ts";
import { decodeRecord, encodeRecord, type Kind } from "../kv/record.ts";
import type { Store } from "../kv/store.ts";
import { untilCommitted } from "../kv/until_committed.ts";
import type { Bounds } from "../money/budget.ts";

/** Options of a change of limits. Owners without limits have no record: `before` is empty. */
export type BoundsOptions = Pick<ChangeOptions<Bounds>, "audit">;

/**
 * Changes the record of an owner of limits; a record without limits is removed. `change` gets the
 * record that the commit replaces, runs again if another writer won, and may refuse by throwing.
 */
export async function changeBoundsRecord<Record extends Bounds>(
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
