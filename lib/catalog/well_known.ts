import { BoundedMap } from "../bounded_map.ts";
import { anthropic } from "./anthropic.ts";
import { google } from "./google.ts";
import { openai } from "./openai.ts";
import {
  cohere,
  deepseek,
  embedded,
  meta,
  minimax,
  mistral,
  moonshot,
  qwen,
  xai,
  zai,
} from "./other_vendors.ts";
import { modelOf, type VendorCatalog, type VendorModel } from "./vendor.ts";

/** A model of the catalog. */
export interface CatalogModel extends VendorModel {
  /** The vendor's name in `owned_by`. */
  readonly ownedBy: string;
  /** The date of the research, such as `2026-11-21`. */
  readonly asOf: string;
}

const vendors: readonly VendorCatalog[] = [
  embedded,
  openai,
  anthropic,
  google,
  xai,
  deepseek,
  mistral,
  meta,
  qwen,
  moonshot,
  zai,
  minimax,
  cohere,
];

/** All models of the catalog, vendor by vendor. */
export const catalogModels: readonly CatalogModel[] = vendors.flatMap(({ models, ownedBy, asOf }) =>
  models.map((row) => ({ ...modelOf(row), ownedBy, asOf }))
);

const byName = new Map(
  catalogModels.flatMap((model) =>
    [model.id, ...model.aliases ?? []].map((name) => [keyOf(name), model] as const)
  ),
);

const ownerByPrefix = new Map(
  vendors.flatMap(({ prefixes, ownedBy }) => prefixes.map((prefix) => [prefix, ownedBy] as const)),
);

/**
 * The model of a name: the vendor's own, one with a date or `-latest` appended, or either with the
 * vendor's prefix (`anthropic/claude-sonnet-4.5`). Never another model with a similar name.
 */
export function catalogModel(name: string): CatalogModel | undefined {
  if (name.length > nameLengthMax) return undefined;
  return knownNames.getOrInsert(name, () => ({ model: found(keyOf(name)) })).model;
}

/** Kept, because each call looks its model up, and spellings vary. */
const knownNames = new BoundedMap<string, { readonly model?: CatalogModel }>(1_000);

function found(key: string): CatalogModel | undefined {
  return named(key) ?? ofVendor(key);
}

/** Maximum length of a name; longer ones are not looked up. */
const nameLengthMax = 200;
const variant = /(?:-latest|[-@]20\d{6}|-20\d{2}-\d{2}-\d{2})$/;

/** Some write `claude-opus-5.5` for `claude-opus-5-5`; no two models differ in that alone. */
function keyOf(name: string): string {
  return name.toLowerCase().replaceAll(".", "-");
}

function named(key: string): CatalogModel | undefined {
  return byName.get(key) ?? byName.get(key.replace(variant, ""));
}

function ofVendor(key: string): CatalogModel | undefined {
  const slash = key.indexOf("/");
  if (slash < 0) return undefined;
  const model = named(key.slice(slash + 1));
  return model?.ownedBy === ownerByPrefix.get(key.slice(0, slash)) ? model : undefined;
}
