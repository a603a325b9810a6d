import { BoundedMap } from "../bounded_map.ts";
import type { ModelPrice, ModelPrices } from "../store/catalog/mod.ts";
import data from "./catalog.json" with { type: "json" };

/** A model of the catalog: a vendor's published data. */
export interface CatalogModel {
  /** The vendor's own name, as requests use it. */
  readonly id: string;
  /** Other names of the same model. */
  readonly aliases?: readonly string[];
  /** The vendor's name for people; absent if the feed has none. */
  readonly displayName?: string;
  /** Tokens of prompt and answer together; absent if the vendor states none, as for models other than chat. */
  readonly contextWindow?: number;
  /** Maximum output tokens; absent if the vendor states only the context window. */
  readonly maxOutputTokens?: number;
  /** List price in USD: standard rates, and those of the stated service tiers and regions. */
  readonly price: ModelPrices;
  /** The feed's name of the model, if it has another. */
  readonly feed?: string;
  /** The price of the feed, where a correction has changed it. */
  readonly fed?: ModelPrice;
  /** The day on which the vendor shuts the model down, such as `2027-01-14`. */
  readonly retires?: string;
  /** The model that the vendor recommends instead. */
  readonly successor?: string;
  /** The page that states the price. */
  readonly page?: string;
  /** The vendor's name in `owned_by`. */
  readonly ownedBy: string;
  /** The date of the feed, such as `2026-11-30`. */
  readonly asOf: string;
}

/** The file that `tools/prices.ts` makes of LiteLLM's list and our corrections. */
export interface CatalogFile {
  readonly feed: string;
  /** The licence of the feed, which goes wherever its data goes. */
  readonly licence: string;
  readonly asOf: string;
  readonly pages: readonly string[];
  readonly vendors: readonly {
    /** The vendor's name in `owned_by`. */
    readonly ownedBy: string;
    /** Prefixes of its models' names at gateways, as in `openai/gpt-5.1`. */
    readonly prefixes: readonly string[];
    /** The newest ones first. */
    readonly models: readonly CatalogRow[];
  }[];
}

/** A model in the file; `page` is a place in its list of pages. */
export type CatalogRow = Omit<CatalogModel, "ownedBy" | "asOf" | "page"> & {
  readonly page?: number;
};

const file = data as CatalogFile; // tools/prices.ts writes it in this form

/** The feed of the catalog's prices and its date, such as `litellm 1.110.2`. */
export const catalogFeed = { name: file.feed, asOf: file.asOf } as const;

interface Index {
  readonly models: readonly CatalogModel[];
  readonly places: ReadonlyMap<CatalogModel, number>;
  readonly byName: ReadonlyMap<string, CatalogModel>;
  readonly ownerByPrefix: ReadonlyMap<string, string>;
}

const made: { index?: Index } = {};

/** Made at the first look-up: importing the catalog does nothing. */
function index(): Index {
  return made.index ??= indexOf(file);
}

function indexOf({ vendors, pages, asOf }: CatalogFile): Index {
  const models = vendors.flatMap(({ models, ownedBy }) =>
    models.map(({ page, ...row }): CatalogModel => ({
      ...row,
      ...(page !== undefined && { page: pages[page] }),
      ownedBy,
      asOf,
    }))
  );
  const named = models.toReversed().flatMap((model) =>
    [model.id, ...model.aliases ?? []].map((name) => [keyOf(name), model] as const)
  );
  const prefixes = vendors.flatMap(({ prefixes, ownedBy }) =>
    prefixes.map((prefix) => [prefix, ownedBy] as const)
  );
  return {
    models,
    places: new Map(models.map((model, at) => [model, at])),
    byName: new Map(named),
    ownerByPrefix: new Map(prefixes),
  };
}

/** All models of the catalog, vendor by vendor. */
export function catalogModels(): readonly CatalogModel[] {
  return index().models;
}

/** The place of a model in the catalog, which lists each vendor's newest models first. */
export function catalogPlace(model: CatalogModel): number {
  return index().places.get(model) ?? Infinity;
}

/**
 * The model of a name: the vendor's own, one with a date or `-latest` appended, or either with the
 * vendor's prefix (`anthropic/claude-sonnet-4.5`). Never another model with a similar name.
 */
export function catalogModel(name: string): CatalogModel | undefined {
  if (name.length > nameLengthMax) return undefined;
  return knownNames.getOrInsert(name, () => ({ model: modelNamed(index().byName, name) })).model;
}

/** Kept, because each call looks its model up, and spellings vary. */
const knownNames = new BoundedMap<string, { readonly model?: CatalogModel }>(1_000);

/** Maximum length of a name; longer ones are not looked up. */
const nameLengthMax = 200;

/** The name without a date or `-latest` at its end. */
export function bareName(name: string): string {
  return name.replace(/(?:-latest|[-@]20\d{6}|-20\d{2}-\d{2}-\d{2})$/, "");
}

/** The key of a name: some write `claude-opus-5.5` for `claude-opus-5-5`; no two models differ in that alone. */
export function keyOf(name: string): string {
  return name.toLowerCase().replaceAll(".", "-");
}

/** Looks a name up as `catalogModel` does, in models by the keys of their names. */
export function modelNamed<Known extends Pick<CatalogModel, "ownedBy">>(
  byKey: ReadonlyMap<string, Known>,
  name: string,
): Known | undefined {
  const key = keyOf(name);
  const named = (key: string) => byKey.get(key) ?? byKey.get(bareName(key));
  const slash = key.indexOf("/");
  const whole = named(key);
  if (whole || slash < 0) return whole;
  const model = named(key.slice(slash + 1));
  return model?.ownedBy === index().ownerByPrefix.get(key.slice(0, slash)) ? model : undefined;
}
