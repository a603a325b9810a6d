import { catalogModel } from "../../catalog/mod.ts";
import { type ModelPrice, priceInForce } from "../../store/catalog/mod.ts";
import type { Directory } from "../../store/directory/mod.ts";
import { modelRows, upstreamNames } from "./model_rows.ts";

type PriceSource = "own" | "catalog" | "declared" | "nobody";

/** A model and its price in force. */
export interface PriceRow {
  readonly id: string;
  readonly source: PriceSource;
  /** In USD per million tokens, without any group's ratio. */
  readonly price?: ModelPrice;
  /** The catalog's price, if the model's own one differs from it. */
  readonly listed?: ModelPrice;
  /** The upstream's name that has the price, if the public name has none. */
  readonly as?: string;
}

type Known = Pick<Directory, "groups" | "model" | "models" | "upstreams" | "upstreamLists">;

/** The prices that rows are made from, for all rows at once. */
interface PriceSources {
  readonly directory: Known;
  /** The upstreams' names of public names. */
  readonly aliases: ReadonlyMap<string, readonly string[]>;
  readonly nowMs: number;
}

/** Every model that an upstream serves or that has a record, by name. */
export function priceRows(directory: Known, nowMs: number): PriceRow[] {
  const served = modelRows(directory.groups(), directory, nowMs).map(({ id }) => id);
  const recorded = directory.models().map(({ id }) => id);
  const sources = sourcesOf(directory, nowMs);
  return [...new Set([...served, ...recorded])].sort().map((id) => rowOf(id, sources));
}

/** A model's price in force, its source, and the catalog's price. */
export function priceRow(id: string, directory: Known, nowMs: number): PriceRow {
  return rowOf(id, sourcesOf(directory, nowMs));
}

function sourcesOf(directory: Known, nowMs: number): PriceSources {
  return { directory, nowMs, aliases: upstreamNames(directory.upstreams()) };
}

function rowOf(id: string, sources: PriceSources): PriceRow {
  const { directory, nowMs } = sources;
  const model = directory.model(id);
  const listed = catalogPrice(id, nowMs);
  const own = model?.price && priceInForce(model.price, nowMs);
  if (own) {
    const source = model.origin === "config" ? "declared" : "own";
    const isOther = listed && JSON.stringify(listed) !== JSON.stringify(own);
    return { id, source, price: own, ...(isOther && { listed }) };
  }
  if (listed) return { id, source: "catalog", price: listed };
  return aliased(id, sources) ?? { id, source: "nobody" };
}

/** Prices a public name without a price by the upstream's name. */
function aliased(
  id: string,
  { directory, aliases, nowMs }: PriceSources,
): PriceRow | undefined {
  for (const as of aliases.get(id) ?? []) {
    const own = directory.model(as)?.price;
    const price = own ? priceInForce(own, nowMs) : catalogPrice(as, nowMs);
    if (price) return { id, as, source: own ? "own" : "catalog", price };
  }
  return undefined;
}

function catalogPrice(id: string, nowMs: number): ModelPrice | undefined {
  const prices = catalogModel(id)?.price;
  return prices && priceInForce(prices, nowMs);
}

/** True for an own price that differs from the catalog's. */
export function isOutdated({ source, listed }: PriceRow): boolean {
  return source === "own" && listed !== undefined;
}
