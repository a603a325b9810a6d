import {
  addAuditEntry,
  auditOf,
  type AuditOptions,
  type ChangeOptions,
  type DeleteOptions,
} from "../audit/audit_entry.ts";
import type { AtomicOperation } from "./database.ts";
import { StoreError } from "./error.ts";
import { deleteValue } from "./large_record.ts";
import { assertMayChange, type Origin } from "./origin.ts";
import { changeRecord, getRecord, type Kind, listRecords, setRecord } from "./record.ts";
import type { Store } from "./store.ts";

interface Identified {
  readonly id: string;
  /** Absent from records that the configuration cannot declare. */
  readonly origin?: Origin;
}

/** A record as it is stored, and as `open` returned it. */
export interface FormerRecord<Record, Stored> {
  readonly stored: Stored;
  readonly record: Record;
}

/** The keys of a kind of records, and its own rules. */
interface Rules {
  readonly all: Deno.KvKey;
  readonly at: (id: string) => Deno.KvKey;
  /** Throws if the record must stay. */
  readonly assertDeletable?: (id: string) => void;
  /** Adds what ends with a record to the commit that deletes it. */
  readonly endAlong?: (store: Store, operation: AtomicOperation, id: string) => Promise<void>;
}

/** The difference between records in memory and in the store, such as a seal. */
interface Storing<Record, Stored> {
  readonly open: (store: Store, stored: Stored) => Record | Promise<Record>;
  /** `former` is absent for a new record. */
  readonly seal: (
    store: Store,
    record: Record,
    former?: FormerRecord<Record, Stored>,
  ) => Stored | Promise<Stored>;
}

/** The operations of records that are found by their ids alone, each with its audit entry. */
export function collection<Record extends Identified>(kind: Kind<Record>, rules: Rules) {
  return storedCollection(kind, rules, {
    open: (_, record: Record) => record,
    seal: (_, record) => record,
  });
}

/** The same for records that are stored in another form than they have in memory. */
export function storedCollection<Record extends Identified, Stored extends Identified>(
  kind: Kind<Stored>,
  { all, at, assertDeletable, endAlong }: Rules,
  { open, seal }: Storing<Record, Stored>,
) {
  const change = <Result>(
    store: Store,
    { id, by = "console" }: { readonly id: string; readonly by?: Origin },
    write: (
      former: FormerRecord<Record, Stored>,
      operation: AtomicOperation,
      entry: Parameters<typeof deleteValue>[1],
    ) => Promise<Result>,
  ): Promise<Result | undefined> =>
    changeRecord(store, { kind, key: at(id) }, async (stored, operation, entry) => {
      assertMayChange({ origin: "console", ...stored }, by, `${kind.name} ${id}`);
      return await write({ stored, record: await open(store, stored) }, operation, entry);
    });
  return {
    /** Returns undefined if there is none. */
    get: async (store: Store, id: string): Promise<Record | undefined> => {
      const stored = await getRecord(store, kind, at(id));
      return stored && await open(store, stored);
    },
    /** Returns all, by id. */
    list: async (store: Store): Promise<Record[]> => {
      const found = await listRecords(store, kind, all);
      return await Promise.all(found.map((stored) => open(store, stored)));
    },
    /** Throws `already_exists` if the id is taken. */
    create: async (store: Store, record: Record, { audit }: AuditOptions = {}): Promise<void> => {
      const key = at(record.id);
      const operation = store.kv.atomic().check({ key, versionstamp: null });
      setRecord(operation, kind, {
        former: { key, value: null },
        record: await seal(store, record),
      });
      if (await store.commitChange(addAuditEntry(operation, audit))) return;
      throw new StoreError(
        "already_exists",
        `Cannot create ${kind.name}: ${record.id} already exists`,
      );
    },
    /** Returns undefined if there is none. The id never changes. `along` adds to the same commit. */
    update: (
      store: Store,
      id: string,
      next: (current: Record) => Record,
      { by, audit, along }: ChangeOptions<Record> & {
        readonly along?: (operation: AtomicOperation) => Promise<void>;
      } = {},
    ): Promise<Record | undefined> =>
      change(store, { id, by }, async (former, operation, entry) => {
        const record = { ...next(former.record), id };
        setRecord(operation, kind, { former: entry, record: await seal(store, record, former) });
        addAuditEntry(operation, auditOf(audit, former.record, record));
        await along?.(operation);
        return record;
      }),
    /** Returns false if there was none. `check` throws if the current record must stay. */
    remove: async (
      store: Store,
      id: string,
      { by, audit, check }: DeleteOptions<Record> & {
        readonly check?: (current: Record) => void;
      } = {},
    ): Promise<boolean> => {
      assertDeletable?.(id);
      const deleted = await change(store, { id, by }, async ({ record }, operation, entry) => {
        check?.(record);
        await endAlong?.(store, operation, id);
        addAuditEntry(deleteValue(operation, entry), auditOf(audit, record, record));
        return true;
      });
      return deleted ?? false;
    },
  };
}
