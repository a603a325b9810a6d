import { keys } from "../keys.ts";
import type { AtomicOperation } from "../kv/database.ts";
import { deleteValue } from "../kv/large_record.ts";
import { getRecord, type Kind, listRecords, setRecord } from "../kv/record.ts";
import type { Store } from "../kv/store.ts";
import { untilCommitted } from "../kv/until_committed.ts";
import type { ModelPrice, ModelPrices } from "./model.ts";

/** The data of a feed about a model in use, as far as they differ from the catalog of this release. */
export interface FeedChange {
  readonly price?: ModelPrice;
  /** The first refresh that had this price. */
  readonly sinceMs: number;
  /** The day on which the vendor shuts the model down; null if it no longer does. */
  readonly retires?: string | null;
  readonly successor?: string;
  /** The page that states the price. */
  readonly page?: string;
}

/** The last refresh of the prices. It changes no price: each difference is a proposal. */
export interface PriceFeed {
  readonly url: string;
  readonly fetchedAtMs: number;
  /** By the name that is in use. */
  readonly models: Readonly<Record<string, FeedChange>>;
}

const feedKind: Kind<PriceFeed> = { name: "price feed", version: 1 };

/** Undefined before the first refresh. */
export function readPriceFeed(store: Store): Promise<PriceFeed | undefined> {
  return getRecord(store, feedKind, keys.priceFeed);
}

export async function writePriceFeed(store: Store, feed: PriceFeed): Promise<void> {
  await untilCommitted(feedKind.name, async () => {
    const entry = await store.kv.get(keys.priceFeed);
    const operation = store.kv.atomic().check(entry);
    setRecord(operation, feedKind, { former: entry, record: feed });
    return await store.commitChange(operation) || undefined;
  });
}

/** A change of prices that was taken from proposals at once, and can be undone. */
export interface PriceTake {
  /** Sorts by time. */
  readonly id: string;
  readonly atMs: number;
  readonly actorName: string;
  readonly models: readonly {
    readonly id: string;
    /** The model's own prices; absent: none. */
    readonly before?: ModelPrices;
    readonly after?: ModelPrices;
  }[];
  readonly undoneAtMs?: number;
}

const takeKind: Kind<PriceTake> = { name: "change of prices", version: 1 };
/** The oldest takes are forgotten, and can no longer be undone. */
const takesMax = 20;

/** Newest first. */
export async function listPriceTakes(store: Store): Promise<PriceTake[]> {
  return (await listRecords(store, takeKind, keys.priceTakes)).reverse();
}

/** Adds a take to the commit of its prices, and forgets the oldest ones. */
export async function addPriceTake(
  store: Store,
  operation: AtomicOperation,
  take: PriceTake,
): Promise<void> {
  const stored = await Array.fromAsync(store.kv.list({ prefix: keys.priceTakes }));
  const former = stored.find(({ key }) => key.at(-1) === take.id);
  const key = keys.priceTake(take.id);
  setRecord(operation, takeKind, { former: former ?? { key, value: null }, record: take });
  for (const entry of stored.slice(0, -takesMax)) deleteValue(operation, entry);
}

/** The change for a model by its name; undefined if there is none. */
export function feedChangeOf(feed: PriceFeed | undefined, name: string): FeedChange | undefined {
  return feed && Object.hasOwn(feed.models, name) ? feed.models[name] : undefined;
}
