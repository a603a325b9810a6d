import { catalogModel } from "../../catalog/mod.ts";
import { isDated, type ModelPrice, priceInForce } from "../../store/catalog/mod.ts";
import type { Directory } from "../../store/directory/mod.ts";
import { modelRows, upstreamNames } from "./model_rows.ts";
import {
  listPath,
  pageField,
  readPageNumber,
  readSort,
  readText,
  type Sort,
  sortField,
} from "../page/list_query.ts";

export const priceSources = ["own", "catalog", "declared", "nobody"] as const;
export type PriceSource = typeof priceSources[number];
/** The rates that the list shows. */
export const listedRates = ["input", "output", "cachedInput", "cacheWrite", "request"] as const;

/** One model and the price that counts for it now. */
export interface PriceRow {
  readonly id: string;
  readonly source: PriceSource;
  /** In USD per million tokens, before any group's ratio. */
  readonly price?: ModelPrice;
  /** What the catalog says, where that is another price than one's own. */
  readonly listed?: ModelPrice;
  /** The upstream's name whose price counts, where the public one has none. */
  readonly as?: string;
  /** Whether there is more to it than the list shows. */
  readonly hasMore: boolean;
}

type Known = Pick<Directory, "groups" | "models" | "upstreams" | "upstreamLists">;

/** Every model that somebody serves or that has a record, by name. */
export function priceRows(directory: Known, nowMs: number): PriceRow[] {
  const served = modelRows(directory.groups(), directory, nowMs).map(({ id }) => id);
  const recorded = directory.models().map(({ id }) => id);
  return [...new Set([...served, ...recorded])].sort()
    .map((id) => priceRow(id, directory, nowMs));
}

/** The price that counts for a model, who says so, and what the catalog says. */
export function priceRow(id: string, directory: Known, nowMs: number): PriceRow {
  const model = directory.models().find((one) => one.id === id);
  const listed = catalogPrice(id, nowMs);
  const own = model?.price && priceInForce(model.price, nowMs);
  if (own) {
    const source = model.origin === "config" ? "declared" : "own";
    const isOther = listed && JSON.stringify(listed) !== JSON.stringify(own);
    const hasDates = model.price !== undefined && isDated(model.price);
    const more = hasDates || hasMore(own);
    return { id, source, price: own, hasMore: more, ...(isOther && { listed }) };
  }
  if (listed) return { id, source: "catalog", price: listed, hasMore: hasMore(listed) };
  return aliased(id, directory, nowMs) ?? { id, source: "nobody", hasMore: false };
}

/** A public name without a price costs what the upstream's name does. */
function aliased(id: string, directory: Known, nowMs: number): PriceRow | undefined {
  for (const as of upstreamNames(directory.upstreams()).get(id) ?? []) {
    const own = directory.models().find((one) => one.id === as)?.price;
    const price = own ? priceInForce(own, nowMs) : catalogPrice(as, nowMs);
    if (price) return { id, as, source: own ? "own" : "catalog", price, hasMore: hasMore(price) };
  }
  return undefined;
}

function catalogPrice(id: string, nowMs: number): ModelPrice | undefined {
  const prices = catalogModel(id)?.price;
  return prices && priceInForce(prices, nowMs);
}

function hasMore(price: ModelPrice): boolean {
  const shown = new Set<string>(listedRates);
  return Object.keys(price).some((name) => name !== "from" && !shown.has(name));
}

/** What the address of the list says. */
export interface PriceQuery extends Sort<PriceColumn> {
  /** Part of a model's name. */
  readonly text: string;
  /** `outdated` are own prices beside which the catalog says another one. */
  readonly source?: PriceSource | "outdated";
  /** From 1 on. */
  readonly page: number;
}

export const pricesPerPage = 100;

const priceColumns = ["model", "input", "output"] as const;
type PriceColumn = typeof priceColumns[number];
const usualSort: Sort<PriceColumn> = { column: "model", descending: false };

/** Reads `?q=&source=&sort=&page=`; what it does not know is as if it were not there. */
export function readPriceQuery(fields: URLSearchParams): PriceQuery {
  const source = [...priceSources, "outdated" as const]
    .find((one) => one === fields.get("source"));
  return {
    text: readText(fields, "q"),
    ...(source && { source }),
    ...readSort(fields, priceColumns, usualSort),
    page: readPageNumber(fields),
  };
}

export function pricesPath(query: PriceQuery): string {
  const { text, source, page } = query;
  return listPath("/console/admin/prices", {
    q: text,
    source,
    sort: sortField(query, usualSort),
    page: pageField(page),
  });
}

/** The rows that a query means, in its order; what has no price stands last. */
export function filterPrices(rows: readonly PriceRow[], query: PriceQuery): PriceRow[] {
  const { text, source, column, descending } = query;
  const sign = descending ? -1 : 1;
  const matching = rows.filter((row) =>
    row.id.toLowerCase().includes(text.toLowerCase()) &&
    (source === undefined || row.source === source ||
      (source === "outdated" && row.listed !== undefined && row.source === "own"))
  );
  if (column === "model") return descending ? matching.toReversed() : matching;
  const none = descending ? -1 : Number.MAX_SAFE_INTEGER;
  return matching.toSorted((a, b) =>
    sign * ((a.price?.[column] ?? none) - (b.price?.[column] ?? none))
  );
}
