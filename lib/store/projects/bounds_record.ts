import { addAuditEntry, type AuditOptions } from "../audit/audit_entry.ts";
import { encodeRecord, type Kind } from "../kv/record.ts";
import type { Store } from "../kv/store.ts";
import { untilCommitted } from "../kv/until_committed.ts";
import type { Bounds } from "../money/budget.ts";

/** Writes the record of an owner of limits; a record without limits is removed. */
export async function setBoundsRecord<Record extends Bounds>(
  store: Store,
  { kind, key }: { readonly kind: Kind<Record>; readonly key: Deno.KvKey },
  record: Record,
  { audit }: AuditOptions,
): Promise<void> {
  await untilCommitted(kind.name, async () => {
    const entry = await store.kv.get(key);
    const operation = store.kv.atomic().check(entry);
    if (record.budgets || record.limits) operation.set(key, encodeRecord(kind, record));
    else operation.delete(key);
    return await store.commitChange(addAuditEntry(operation, audit)) || undefined;
  });
}
