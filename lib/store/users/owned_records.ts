import {
  addAuditEntry,
  auditOf,
  type AuditOptions,
  type ChangeOptions,
} from "../audit/audit_entry.ts";
import type { AtomicOperation } from "../kv/database.ts";
import { decodeRecord, encodeRecord, getRecord, getRecords, type Kind } from "../kv/record.ts";
import type { Store } from "../kv/store.ts";
import { untilCommitted } from "../kv/until_committed.ts";

interface Owned {
  readonly id: string;
  readonly userId: string;
  readonly createdAtMs: number;
}

/** The keys of a kind. */
interface Places {
  readonly at: (id: string) => Deno.KvKey;
  /** The prefix of the index entries of a user's records; each ends in the id. */
  readonly ofUser: (userId: string) => Deno.KvKey;
}

/** The operations of a user's records, such as passkeys. Gateways do not hold them in memory. */
export function ownedRecords<Record extends Owned>(
  kind: Kind<Record>,
  { at, ofUser }: Places,
) {
  const indexKey = ({ id, userId }: Pick<Owned, "id" | "userId">) => [...ofUser(userId), id];
  return {
    /** Returns undefined if there is none. */
    get: (store: Store, id: string): Promise<Record | undefined> => getRecord(store, kind, at(id)),
    /** Returns a user's records, oldest first. */
    list: async (store: Store, userId: string): Promise<Record[]> => {
      const ids: string[] = [];
      for await (const { key } of store.kv.list({ prefix: ofUser(userId) })) {
        ids.push(String(key.at(-1)));
      }
      const found = await getRecords(store, kind, ids.map(at));
      return found
        .filter((record) => record !== undefined)
        .sort((a, b) => a.createdAtMs - b.createdAtMs);
    },
    /** Adds a new record to a commit, which fails if the id is taken. */
    add: (operation: AtomicOperation, record: Record): AtomicOperation =>
      operation
        .check({ key: at(record.id), versionstamp: null })
        .set(at(record.id), encodeRecord(kind, record))
        .set(indexKey(record), true),
    /**
     * Returns undefined if there is none, or if `change` returns undefined; then nothing changes. The
     * id and the owner never change.
     */
    update: async (
      store: Store,
      id: string,
      change: (current: Record) => Record | undefined,
      { audit }: Pick<ChangeOptions<Record>, "audit"> = {},
    ): Promise<Record | undefined> => {
      const { result } = await untilCommitted(kind.name, async () => {
        const entry = await store.kv.get(at(id));
        if (entry.value === null) return { result: undefined };
        const current = decodeRecord(kind, entry.value);
        const changed = change(current);
        if (changed === undefined) return { result: undefined };
        const result = { ...changed, id, userId: current.userId };
        const operation = store.kv.atomic().check(entry).set(entry.key, encodeRecord(kind, result));
        addAuditEntry(operation, auditOf(audit, current, result));
        return (await operation.commit()).ok ? { result } : undefined;
      });
      return result;
    },
    /** Returns false if there was none. */
    remove: (
      store: Store,
      record: Pick<Owned, "id" | "userId">,
      { audit }: AuditOptions = {},
    ): Promise<boolean> =>
      untilCommitted(kind.name, async () => {
        const entry = await store.kv.get(at(record.id));
        if (entry.value === null) return false;
        const operation = store.kv.atomic().check(entry).delete(entry.key)
          .delete(indexKey(record));
        return (await addAuditEntry(operation, audit).commit()).ok || undefined;
      }),
  };
}
