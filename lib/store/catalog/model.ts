import { addAuditEntry, type AuditDraft } from "../audit/audit_entry.ts";
import { keys } from "../keys.ts";
import { collection } from "../kv/collection.ts";
import type { AtomicOperation } from "../kv/database.ts";
import { getEntries } from "../kv/entries.ts";
import type { Origin } from "../kv/origin.ts";
import { decodeRecord, encodeRecord, type Kind } from "../kv/record.ts";
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

export const {
  get: getModel,
  list: listModels,
  create: createModel,
  update: updateModel,
  remove: deleteModel,
} = collection(kind, { all: keys.models, at: keys.model });

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
