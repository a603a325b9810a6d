import { addAuditEntry, type AuditDraft } from "../audit/audit_entry.ts";
import { keys } from "../keys.ts";
import { collection } from "../kv/collection.ts";
import type { AtomicOperation } from "../kv/database.ts";
import { readInBatches } from "../kv/engine.ts";
import type { Origin } from "../kv/origin.ts";
import { decodeRecord, encodeRecord, type Kind } from "../kv/record.ts";
import type { Store } from "../kv/store.ts";
import { untilCommitted } from "../kv/until_committed.ts";
import type { ChainMember } from "./chain.ts";

/** The facts of a public model name. Upstreams may serve names without a record. */
export interface Model {
  readonly id: string;
  readonly displayName?: string;
  readonly ownedBy?: string;
  readonly contextWindow?: number;
  readonly maxOutputTokens?: number;
  /** Absent: the catalog's price, if it knows the model. */
  readonly price?: ModelPrices;
  /** Present for a virtual model: the models that answer its calls, in order. At least one. */
  readonly members?: readonly ChainMember[];
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
 * Changes up to 90 models in one commit, to which `along` adds. `change` gets a new record for a
 * missing one; it returns undefined for a model without a record. Skips declared and unchanged
 * models. Returns the previous records of the changed ones.
 */
export function updateModels(
  store: Store,
  ids: readonly string[],
  { nowMs, change, audit, along }: {
    readonly nowMs: number;
    readonly change: (model: Model) => Model | undefined;
    readonly audit: (model: Model) => AuditDraft;
    readonly along: (operation: AtomicOperation, changed: readonly Model[]) => Promise<void>;
  },
): Promise<readonly Model[]> {
  return untilCommitted(kind.name, async () => {
    const entries = await readInBatches(store.kv, ids.map(keys.model));
    const operation = store.kv.atomic();
    const changed = entries.flatMap((entry, at): Model[] => {
      const model: Model = entry.value === null
        ? { id: ids[at], createdAtMs: nowMs, origin: "console" }
        : decodeRecord(kind, entry.value);
      const next = model.origin === "console" ? change(model) : model;
      if (next === model) return [];
      operation.check(entry);
      if (next) operation.set(entry.key, encodeRecord(kind, next));
      else operation.delete(entry.key);
      addAuditEntry(operation, audit(model));
      return [model];
    });
    if (changed.length === 0) return changed;
    await along(operation, changed);
    return await store.commitChange(operation) ? changed : undefined;
  });
}

/** Token rates in USD per million, as an administrator enters them; `lib/ledger` converts them to money. */
export interface TokenRates {
  readonly input: number;
  readonly output: number;
  /** Prompt tokens read from a cache. Absent: as `input`. */
  readonly cachedInput?: number;
  /** A write that lasts five minutes. Absent: as `input`. */
  readonly cacheWrite?: number;
  /** A write that lasts an hour. Absent: as `cacheWrite`. */
  readonly cacheWrite1h?: number;
  /** A write that lasts twelve hours. Absent: as `cacheWrite1h`. */
  readonly cacheWrite12h?: number;
  /** Default: the rate of `output`. */
  readonly reasoning?: number;
  /** Absent: as `input`. */
  readonly audioInput?: number;
  /** Absent: as `output`. */
  readonly audioOutput?: number;
  /** Absent: as `input`. */
  readonly imageInput?: number;
  /** Absent: as `output`. */
  readonly imageOutput?: number;
}

/** Rates that replace the base rates for the whole call if its prompt is longer. */
export interface PriceTier extends Partial<TokenRates> {
  /** The tier applies to prompts with more tokens than this. */
  readonly aboveInputTokens: number;
}

/** The rates of a service tier. */
export interface ServiceTierPrice extends Partial<TokenRates> {
  /** Multiplies every rate that is not stated here. Absent: 1. */
  readonly factor?: number;
}

/** Rates for calls that begin in some hours of the week. */
export interface OffPeakPrice extends ServiceTierPrice {
  readonly times: readonly {
    /** Days of the week in UTC; Monday is 1. */
    readonly days: readonly number[];
    /** Hours of these days in UTC, such as `04:00-06:00`; a day ends at `24:00`. */
    readonly hours: readonly string[];
  }[];
}

/** The price of a model's calls. */
export interface ModelPrice extends TokenRates {
  /** USD for each call. Absent: 0. */
  readonly request?: number;
  /** USD per 1,000 calls by kind, such as `{ "web-search": 10 }`. Absent kinds are free. */
  readonly hostedTools?: Readonly<Partial<Record<string, number>>>;
  /** In any order; the highest tier that applies wins. */
  readonly tiers?: readonly PriceTier[];
  /**
   * Rates by service tier, such as `{ "fast": { "factor": 2 } }`. A stated rate is for short
   * prompts, and rises for long ones as the standard rate does. An absent tier has no price.
   */
  readonly serviceTiers?: Readonly<Partial<Record<string, ServiceTierPrice>>>;
  /** Factors on all rates for calls that are bound to a region, such as `{ "us": 1.1 }`. */
  readonly regions?: Readonly<Partial<Record<string, number>>>;
  /** Standard rates for calls that begin in some hours of the week. */
  readonly offPeak?: OffPeakPrice;
}

/** A price with a start time. */
export interface DatedModelPrice extends ModelPrice {
  /** An ISO 8601 time with its zone, such as `2027-01-01T00:00:00Z`. */
  readonly from: string;
}

/** One price, or a list of dated prices of which the latest started one applies. */
export type ModelPrices = ModelPrice | readonly DatedModelPrice[];

/** Returns the price in force at a time; undefined if none has started. */
export function priceInForce(prices: ModelPrices, atMs: number): ModelPrice | undefined {
  if (!isDated(prices)) return prices;
  return prices.filter(({ from }) => Date.parse(from) <= atMs)
    .toSorted((a, b) => Date.parse(a.from) - Date.parse(b.from)).at(-1);
}

/** Returns true if the price is a list of dated prices. */
export function isDated(prices: ModelPrices): prices is readonly DatedModelPrice[] {
  return Array.isArray(prices);
}
