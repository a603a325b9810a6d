import { isDeepStrictEqual } from "node:util";
import {
  type CatalogModel,
  catalogModel,
  type FeedModel,
  keyOf,
  modelNamed,
  offeredNames,
  readFeed,
} from "../catalog/mod.ts";
import {
  type FeedChange,
  type ModelPrice,
  type PriceFeed,
  priceInForce,
} from "../store/catalog/mod.ts";
import type { Directory } from "../store/directory/mod.ts";

/** The records that name models. */
type NamingDirectory = Pick<Directory, "models" | "upstreams" | "upstreamLists">;

/** The names of all models that have a record or that an upstream serves, its own names too. */
export function namesInUse(directory: NamingDirectory): ReadonlySet<string> {
  const served = directory.upstreams().flatMap((upstream) => [
    ...offeredNames(upstream, directory),
    ...upstream.models.flatMap(({ upstreamModel }) => upstreamModel ?? []),
  ]);
  return new Set([...directory.models().map(({ id }) => id), ...served]);
}

/** Far more models than a gateway serves; the record of a feed has room for them. */
const namesMax = 500;

/**
 * The news of a feed about the models in use, where it differs from the catalog. Throws a
 * `RangeError` if the file is no feed.
 */
export function feedChanges(
  file: unknown,
  { directory, former, nowMs }: {
    readonly directory: NamingDirectory;
    readonly former: PriceFeed | undefined;
    readonly nowMs: number;
  },
): PriceFeed["models"] {
  const byKey = new Map([...readFeed(file)].map(([name, model]) => [keyOf(name), model] as const));
  const news = [...namesInUse(directory)].flatMap((name): [string, FeedChange][] => {
    const known = catalogModel(name);
    const fresh = modelNamed(byKey, known?.feed ?? known?.id ?? name);
    const changed = fresh && changeOf(fresh, known, nowMs);
    return changed
      ? [[name, { ...changed, sinceMs: sinceOf(changed, former?.models[name], nowMs) }]]
      : [];
  });
  return Object.fromEntries(news.slice(0, namesMax));
}

function changeOf(
  fresh: FeedModel,
  known: CatalogModel | undefined,
  nowMs: number,
): Omit<FeedChange, "sinceMs"> | undefined {
  const price = newPrice(fresh, known, nowMs);
  const isRetiring = fresh.retires !== known?.retires;
  if (!price && !isRetiring) return undefined;
  const { retires = null, successor, page } = fresh;
  return {
    ...(price && { price }),
    ...(isRetiring && { retires, ...(successor !== undefined && { successor }) }),
    ...(page !== undefined && { page }),
  };
}

/** Undefined if the feed has nothing new since this release. */
function newPrice(
  { price: fresh }: FeedModel,
  known: CatalogModel | undefined,
  nowMs: number,
): ModelPrice | undefined {
  const listed = known && priceInForce(known.price, nowMs);
  if (!listed) return fresh;
  const { from: _, ...ours }: ModelPrice & { readonly from?: string } = listed;
  const changed = refreshedPrice(ours, { former: known.fed ?? ours, fresh });
  return isDeepStrictEqual(changed, ours) ? undefined : changed;
}

/**
 * Our price with what a fresh feed has changed in the former one. So our corrections stay for as
 * long as the feed repeats the fields that they correct.
 */
export function refreshedPrice(
  ours: ModelPrice,
  { former, fresh }: { readonly former: ModelPrice; readonly fresh: ModelPrice },
): ModelPrice {
  const [was, is]: readonly Record<string, unknown>[] = [{ ...former }, { ...fresh }];
  const fields = new Set([...Object.keys(was), ...Object.keys(is)]);
  const changed = [...fields].filter((name) =>
    JSON.stringify(was[name]) !== JSON.stringify(is[name])
  );
  const news = Object.fromEntries(changed.map((name) => [name, is[name]]));
  const kept = Object.entries({ ...ours, ...news }).filter(([, value]) => value !== undefined);
  return Object.fromEntries(kept) as unknown as ModelPrice; // input and output are in every price
}

function sinceOf(
  { price, retires }: Omit<FeedChange, "sinceMs">,
  former: FeedChange | undefined,
  nowMs: number,
): number {
  const isSame = isDeepStrictEqual([former?.price, former?.retires], [price, retires]);
  return former && isSame ? former.sinceMs : nowMs;
}
