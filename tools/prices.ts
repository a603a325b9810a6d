import { basename, join } from "node:path";
import { changesBetween } from "../lib/admin/audit.ts";
import { priceWords } from "../lib/admin/models/price_changes.ts";
import { type FeedModel, readFeed } from "../lib/catalog/feed.ts";
import {
  bareName,
  type CatalogFile,
  catalogModel,
  type CatalogRow,
  keyOf,
} from "../lib/catalog/mod.ts";
import { type ModelPrice, type ModelPrices, priceInForce } from "../lib/store/catalog/mod.ts";
import overlay from "./prices/overlay.json" with { type: "json" };
import { readTaskArguments, stop } from "./task.ts";

/** Our names, limits and corrections of one vendor's models, the newest first. */
interface OverlayVendor {
  readonly ownedBy: string;
  readonly prefixes: readonly string[];
  /** Fields that the feed lacks for all of the vendor's models. */
  readonly set?: Partial<ModelPrice>;
  readonly models: readonly OverlayModel[];
}

interface OverlayModel extends Omit<CatalogRow, "price" | "fed" | "page"> {
  /** Replaces the feed's price. */
  readonly price?: ModelPrices;
  /** Replaces fields of the feed's price; null removes one. */
  readonly set?: Readonly<Record<string, unknown>>;
  /** The reason for `price` or `set`. */
  readonly why?: string;
}

type Feed = ReadonlyMap<string, FeedModel>;

/** A feed as a file, and the name and version of its package. */
interface FeedSource {
  readonly name: string;
  readonly text: string;
}

const archive = "litellm/model_prices_and_context_window_backup.json";

/** Downloads the newest package and reads the list in it; installs and imports nothing. */
function downloaded(): FeedSource {
  const folder = Deno.makeTempDirSync();
  try {
    run(["-m", "pip", "download", "--quiet", "--no-deps", "--dest", folder, "litellm"]);
    const [wheel] = [...Deno.readDirSync(folder)].map(({ name }) => name);
    run(["-m", "zipfile", "--extract", join(folder, wheel), folder]);
    const name = wheel.split("-").slice(0, 2).join(" ");
    return { name, text: Deno.readTextFileSync(join(folder, archive)) };
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}

function run(args: string[]): void {
  const { success, stderr } = new Deno.Command("python3", { args }).outputSync();
  if (!success) stop(`Cannot download the prices: ${new TextDecoder().decode(stderr).trim()}`);
}

/**
 * The catalog: our models first, then every other one of the feed that is not shut down. A name that
 * two of them share is in neither form.
 */
export function catalogOf(source: FeedSource, asOf: string): CatalogFile {
  const feed = readFeed(JSON.parse(source.text));
  const vendors = (overlay.vendors as readonly OverlayVendor[]).map((
    { set, models, ...vendor },
  ) => ({
    ...vendor,
    models: models.map((model) => curated(model, feed, set)),
  })); // the overlay has this form
  const known = new Set(vendors.flatMap(({ models }) => models.flatMap(namesOf)).map(bareKey));
  const owners = Map.groupBy(feed, ([name]) => keyOf(name));
  const others = [...feed].filter(([name, { retires = asOf }]) =>
    retires >= asOf && !known.has(bareKey(name)) && owners.get(keyOf(name))?.length === 1
  );
  const byOwner = [...Map.groupBy(others, ([, { ownedBy }]) => ownedBy)].sort();
  const added = byOwner.map(([ownedBy, models]) => ({
    ownedBy,
    prefixes: vendors.some((vendor) => vendor.ownedBy === ownedBy) ? [] : [ownedBy],
    models: models.map(([id, model]) => rowOf({ id }, model)).filter(isNoVariant),
  }));
  return { feed: source.name, licence: overlay.licence, asOf, ...paged([...vendors, ...added]) };
}

/** A row with the address of its page. */
type Row = Omit<CatalogRow, "page"> & { readonly page?: string };

/** Replaces each page by its place in the list of them. */
function paged(
  vendors: readonly (Omit<CatalogFile["vendors"][number], "models"> & {
    readonly models: readonly Row[];
  })[],
): Pick<CatalogFile, "pages" | "vendors"> {
  const stated = vendors.flatMap(({ models }) => models.flatMap(({ page }) => page ?? []));
  const pages = [...new Set(stated)].sort();
  const numbered = ({ page, ...row }: Row) => ({
    ...row,
    ...(page !== undefined && { page: pages.indexOf(page) }),
  });
  return {
    pages,
    vendors: vendors.map((vendor) => ({ ...vendor, models: vendor.models.map(numbered) })),
  };
}

function curated(
  { price, set, why: _, ...own }: OverlayModel,
  feed: Feed,
  ofVendor: Partial<ModelPrice> | undefined,
): Row {
  const fed = feed.get(own.feed ?? own.id);
  const corrected = price ?? (fed && changed({ ...fed.price, ...ofVendor }, set));
  if (!corrected) stop(`${own.id} is not in the feed: give it a price in the overlay`);
  const row = fed ? rowOf(own, fed) : own;
  const isFed = fed && JSON.stringify(fed.price) === JSON.stringify(corrected);
  return { ...row, price: corrected, ...(fed && !isFed && { fed: fed.price }) };
}

/** The price with fields replaced; null removes one. */
function changed(price: ModelPrice, set: OverlayModel["set"] = {}): ModelPrice {
  const fields = Object.entries({ ...price, ...set }).filter(([, value]) => value !== null);
  return Object.fromEntries(fields) as unknown as ModelPrice; // the overlay removes no required rate
}

function rowOf(
  own: Omit<Row, "price">,
  { price, contextWindow, maxOutputTokens, retires, successor, page }: FeedModel,
): Row {
  return {
    ...(contextWindow !== undefined && { contextWindow }),
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    ...(retires !== undefined && { retires }),
    ...(successor !== undefined && { successor }),
    ...(page !== undefined && { page }),
    ...own,
    price,
  };
}

function namesOf({ id, aliases = [] }: Row): readonly string[] {
  return [id, ...aliases];
}

/** Dated forms of a name have its price, unless they are rows of their own. */
function bareKey(name: string): string {
  return bareName(keyOf(name));
}

/** Leaves out a dated form beside the row of its name. */
function isNoVariant({ id }: Row, _at: number, rows: readonly Row[]): boolean {
  const bare = bareName(id);
  return bare === id || !rows.some((one) => one.id === bare);
}

/** The prices in force that the file changes, as lines; `now` is the catalog of this process. */
function changes({ vendors, asOf }: CatalogFile): string[] {
  const atMs = Date.parse(asOf);
  return vendors.flatMap(({ models }) =>
    models.flatMap(({ id, price }) => {
      const before = catalogModel(id)?.price;
      if (!before) return [`${id}: new`];
      const [was, is] = [before, price].map((prices) => priceWords(priceInForce(prices, atMs)));
      return changesBetween(was, is).map(({ field, before = "none", after = "none" }) =>
        `${id}: ${field} ${before} -> ${after}`
      );
    })
  );
}

/** A line for each model and page, so that a change of the file shows which prices it changes. */
function fileText({ vendors, pages, ...about }: CatalogFile): string {
  const lines = (items: readonly unknown[]) =>
    items.map((item) => JSON.stringify(item)).join(",\n");
  const blocks = vendors.map(({ models, ...vendor }) =>
    `${JSON.stringify(vendor).slice(0, -1)},"models":[\n${lines(models)}]}`
  );
  const [head] = JSON.stringify(about).split(/\}$/);
  return `${head},"pages":[\n${lines(pages)}],"vendors":[\n${blocks.join(",\n")}]}\n`;
}

if (import.meta.main) {
  const { words: [file] } = readTaskArguments({ usage: "deno task prices [FILE]", count: [0, 1] });
  const source = file === undefined
    ? downloaded()
    : { name: basename(file), text: Deno.readTextFileSync(file) };
  const catalog = catalogOf(source, new Date().toISOString().slice(0, "2026-11-30".length));
  for (const line of changes(catalog)) console.log(line);
  const target = new URL("../lib/catalog/catalog.json", import.meta.url);
  Deno.writeTextFileSync(target, fileText(catalog));
}
