import {
  addAuditEntry,
  type AuditDraft,
  auditOf,
  type AuditOptions,
  type ChangeOptions,
  type DeleteOptions,
} from "../audit/audit_entry.ts";
import { keys } from "../keys.ts";
import type { AtomicOperation } from "../kv/database.ts";
import { getEntries } from "../kv/entries.ts";
import { StoreError } from "../kv/error.ts";
import { assertMayChange, type Origin } from "../kv/origin.ts";
import {
  changeRecord,
  decodeRecord,
  encodeRecord,
  getRecord,
  type Kind,
  listRecords,
} from "../kv/record.ts";
import type { Store } from "../kv/store.ts";
import { untilCommitted } from "../kv/until_committed.ts";
import type { ModelPrices } from "./model_price.ts";

/** The facts of a public model name. Upstreams may serve names without a record. */
export interface Model {
  readonly id: string;
  readonly displayName?: string;
  readonly ownedBy?: string;
  readonly contextWindow?: number;
  readonly maxOutputTokens?: number;
  /** Absent: the catalog's price, if it knows the model. */
  readonly price?: ModelPrices;
  readonly createdAtMs: number;
  readonly origin: Origin;
}

const kind: Kind<Model> = { name: "model", version: 2 };

/** Returns undefined if there is no such model. */
export function getModel(store: Store, id: string): Promise<Model | undefined> {
  return getRecord(store, kind, keys.model(id));
}

/** All models, by id. */
export function listModels(store: Store): Promise<Model[]> {
  return listRecords(store, kind, keys.models);
}

/** Throws `already_exists` if the id is taken. */
export async function createModel(
  store: Store,
  model: Model,
  { audit }: AuditOptions = {},
): Promise<void> {
  const operation = addModel(store.kv.atomic(), model);
  if (await store.commitChange(addAuditEntry(operation, audit))) return;
  throw new StoreError("already_exists", `Cannot create model: ${model.id} already exists`);
}

/** Adds a new model to a commit, which fails if its id is taken. */
export function addModel(operation: AtomicOperation, model: Model): AtomicOperation {
  const key = keys.model(model.id);
  return operation.check({ key, versionstamp: null }).set(key, encodeRecord(kind, model));
}

/**
 * Adds the models without a record to a commit, which fails if somebody else adds one of them
 * meanwhile. At most 90, because a commit checks at most 100 keys.
 */
export async function addMissingModels(
  store: Store,
  operation: AtomicOperation,
  { models, audit }: {
    readonly models: readonly Model[];
    readonly audit?: (model: Model) => AuditDraft;
  },
): Promise<void> {
  for (const model of models) {
    if ((await store.kv.get(keys.model(model.id))).value !== null) continue;
    addAuditEntry(addModel(operation, model), audit?.(model));
  }
}

/** Returns undefined if there is no such model. `change` cannot change the id. */
export function updateModel(
  store: Store,
  id: string,
  change: (model: Model) => Model,
  { by = "console", audit }: ChangeOptions<Model> = {},
): Promise<Model | undefined> {
  return changeRecord(store, { kind, key: keys.model(id) }, (current, operation) => {
    assertMayChange(current, by, `model ${id}`);
    const model = { ...change(current), id };
    operation.set(keys.model(id), encodeRecord(kind, model));
    addAuditEntry(operation, auditOf(audit, current, model));
    return model;
  });
}

/**
 * Changes up to 90 models in one commit; deletes those for which `change` returns undefined. Skips
 * missing and declared models. Returns the previous records of the changed ones.
 */
export function updateModels(
  store: Store,
  ids: readonly string[],
  { change, audit }: {
    readonly change: (model: Model) => Model | undefined;
    readonly audit?: (model: Model) => AuditDraft;
  },
): Promise<readonly Model[]> {
  return untilCommitted(kind.name, async () => {
    const entries = await getEntries(store, ids.map(keys.model));
    const operation = store.kv.atomic();
    const changed = entries.flatMap((entry) => {
      const model = entry.value === null ? undefined : decodeRecord(kind, entry.value);
      if (model?.origin !== "console") return [];
      const next = change(model);
      operation.check(entry);
      if (next) operation.set(entry.key, encodeRecord(kind, next));
      else operation.delete(entry.key);
      addAuditEntry(operation, audit?.(model));
      return [model];
    });
    return changed.length === 0 || await store.commitChange(operation) ? changed : undefined;
  });
}

/** Returns false if there was none. */
export async function deleteModel(
  store: Store,
  id: string,
  { by = "console", audit }: DeleteOptions<Model> = {},
): Promise<boolean> {
  const deleted = await changeRecord(store, { kind, key: keys.model(id) }, (model, operation) => {
    assertMayChange(model, by, `model ${id}`);
    addAuditEntry(operation.delete(keys.model(id)), auditOf(audit, model, model));
    return true;
  });
  return deleted ?? false;
}
