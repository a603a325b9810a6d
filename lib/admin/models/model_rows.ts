import { type FormatName, formatNames, isModelPattern } from "../../canonical/mod.ts";
import {
  capabilitiesOf,
  type Capability,
  type CatalogModel,
  catalogModel,
  namesForGroup,
  offeredNames,
} from "../../catalog/mod.ts";
import {
  allowsUnpriced,
  type Group,
  type Model,
  type ModelPrice,
  priceInForce,
  upstreamNameOf,
} from "../../store/catalog/mod.ts";
import type { Directory } from "../../store/directory/mod.ts";
import { matchesPattern } from "../../store/mod.ts";
import { upstreamsOf } from "../../upstreams/mod.ts";

/** Returns true for a name that can have a price: without spaces, and no pattern. */
export function isModelName(text: string): boolean {
  return isModelPattern(text) && !text.includes("*");
}

/** One model as the account sees it. */
export interface ModelRow {
  readonly id: string;
  readonly displayName?: string;
  readonly vendor?: string;
  /** Other names under which the vendor serves the same model. */
  readonly aliases: readonly string[];
  readonly groups: readonly string[];
  readonly formats: readonly FormatName[];
  readonly capabilities: readonly Capability[];
  readonly contextWindow?: number;
  readonly maxOutputTokens?: number;
  /** The price before any group's ratio, in USD per million tokens. */
  readonly listPrice?: ModelPrice;
  /** The price in the first of the model's groups. */
  readonly price?: RowPrice;
}

/** In USD per million tokens; an absent rate equals the input rate. */
export interface RowPrice {
  readonly input: number;
  readonly output: number;
  readonly cachedInput?: number;
  readonly cacheWrite?: number;
}

/** The parts of the directory that rows are built from. */
export type ModelDirectory = Pick<Directory, "models" | "upstreams" | "upstreamLists">;

/** Every model that an upstream serves to one of the groups, by name. */
export function modelRows(
  groups: readonly Group[],
  directory: ModelDirectory,
  nowMs: number,
): ModelRow[] {
  const known = new Map(directory.models().map((model) => [model.id, model]));
  const aliases = otherNames(directory);
  const groupsByModel = new Map<string, Group[]>();
  for (const group of groups) {
    for (const id of namesFor(group, directory)) {
      groupsByModel.set(id, [...groupsByModel.get(id) ?? [], group]);
    }
  }
  return [...groupsByModel].sort(([a], [b]) => a < b ? -1 : 1)
    .map(([id, served]) => {
      const sources = [id, ...aliases.get(id) ?? []].flatMap((name) => factsOf(name, known));
      return rowOf(id, served, { sources, nowMs });
    });
}

/** The other names of models: those of their upstreams, and the members of a virtual one. */
export function otherNames(
  directory: Pick<Directory, "upstreams" | "models">,
): ReadonlyMap<string, readonly string[]> {
  const names = new Map<string, string[]>();
  const add = (id: string, name: string) => names.set(id, [...names.get(id) ?? [], name]);
  for (const { id, upstreamModel } of directory.upstreams().flatMap(({ models }) => models)) {
    if (upstreamModel !== undefined && upstreamModel !== id) add(id, upstreamModel);
  }
  for (const { id, members = [] } of directory.models()) {
    for (const { model } of members) add(id, model);
  }
  return names;
}

/** True if a group can call the model: it has a price, or the group allows unpriced models. */
export function isOffered({ price, groups: ids }: ModelRow, groups: readonly Group[]): boolean {
  return price !== undefined ||
    groups.some((group) => ids.includes(group.id) && allowsUnpriced(group, false));
}

/** The facts known by one name: first an administrator's, then the catalog's. */
function factsOf(name: string, known: ReadonlyMap<string, Model>): readonly Facts[] {
  return [known.get(name), catalogModel(name)].filter((facts) => facts !== undefined);
}

type Facts = Partial<
  & Pick<Model, "displayName" | "ownedBy" | "contextWindow" | "maxOutputTokens" | "price">
  & Pick<CatalogModel, "aliases" | "asOf">
  & { readonly id: string }
>;

function namesFor(group: Group, directory: ModelDirectory): string[] {
  const upstreams = () => upstreamsOf(directory.upstreams());
  const models = () => directory.models();
  const upstreamLists = () => directory.upstreamLists();
  return namesForGroup(group.id, { upstreams, models, upstreamLists })
    .filter((id) => group.models.some((one) => matchesPattern(one, id)));
}

/** Takes each fact from the first source that has it: the public name, then the upstream's. */
function rowOf(
  id: string,
  groups: readonly Group[],
  { sources, nowMs }: { readonly sources: readonly Facts[]; readonly nowMs: number },
): ModelRow {
  const formats = formatNames.filter((format) =>
    groups.some((group) => group.formats.includes("*") || group.formats.includes(format))
  );
  const first = <Value>(read: (facts: Facts) => Value | undefined) =>
    sources.map(read).find((value) => value !== undefined);
  const listPrice = first((facts) => facts.price && priceInForce(facts.price, nowMs));
  const known = sources.find(({ asOf }) => asOf !== undefined);
  return {
    id,
    groups: groups.map((group) => group.id),
    formats,
    displayName: first((facts) => facts.displayName),
    vendor: first((facts) => facts.ownedBy),
    aliases: (known?.aliases ?? []).filter((name) => name !== id),
    capabilities: capabilitiesOf(known?.id, listPrice),
    contextWindow: first((facts) => facts.contextWindow),
    maxOutputTokens: first((facts) => facts.maxOutputTokens),
    ...(listPrice && { listPrice, price: priceIn(groups[0], listPrice) }),
  };
}

/** A price in one group, including the group's ratio. */
export function priceIn({ priceRatio }: Pick<Group, "priceRatio">, price: ModelPrice): RowPrice {
  const { input, output, cachedInput, cacheWrite } = price;
  return {
    input: input * priceRatio,
    output: output * priceRatio,
    ...(cachedInput !== undefined && { cachedInput: cachedInput * priceRatio }),
    ...(cacheWrite !== undefined && { cacheWrite: cacheWrite * priceRatio }),
  };
}

/** An upstream that serves a model. */
export interface ModelUpstream {
  readonly id: string;
  readonly enabled: boolean;
  /** The upstream's own name of the model, if it differs. */
  readonly upstreamModel?: string;
}

/** The upstreams of each model by its public name, disabled ones included. */
export function upstreamsByModel(
  directory: Pick<Directory, "models" | "upstreams" | "upstreamLists">,
): ReadonlyMap<string, readonly ModelUpstream[]> {
  const found = new Map<string, ModelUpstream[]>();
  for (const { id, enabled, models } of directory.upstreams()) {
    for (const served of models) {
      for (const name of offeredNames({ id, models: [served] }, directory)) {
        const known = found.get(name) ?? [];
        found.set(name, known);
        if (known.at(-1)?.id === id) continue; // the first entry of an upstream serves it
        const own = served.upstreamModel === undefined ? name : upstreamNameOf(served, name);
        known.push({ id, enabled, ...(own !== name && { upstreamModel: own }) });
      }
    }
  }
  for (const { id, members } of directory.models()) {
    if (members) found.set(id, ofMembers(members.map(({ model }) => model), found));
  }
  return found;
}

/** The upstreams of a virtual model's members, each once, with the first model that it serves. */
function ofMembers(
  names: readonly string[],
  found: ReadonlyMap<string, readonly ModelUpstream[]>,
): ModelUpstream[] {
  const all = names.flatMap((name) =>
    (found.get(name) ?? []).map((upstream) => ({ upstreamModel: name, ...upstream }))
  );
  return [...new Map(all.toReversed().map((upstream) => [upstream.id, upstream])).values()]
    .toReversed();
}

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
  /** The upstreams' names of public names, and the members of virtual models. */
  readonly aliases: ReadonlyMap<string, readonly string[]>;
  readonly nowMs: number;
}

/** Every model that an upstream serves or that has a record, by name. */
export function priceRows(directory: Known, nowMs: number): PriceRow[] {
  const served = modelRows(directory.groups(), directory, nowMs).map(({ id }) => id);
  const recorded = directory.models().map(({ id }) => id);
  const sources = sourcesOf(directory, nowMs);
  return [...new Set([...served, ...recorded])].sort().map((id) => pricedRow(id, sources));
}

/** A model's price in force, its source, and the catalog's price. */
export function priceRow(id: string, directory: Known, nowMs: number): PriceRow {
  return pricedRow(id, sourcesOf(directory, nowMs));
}

function sourcesOf(directory: Known, nowMs: number): PriceSources {
  return { directory, nowMs, aliases: otherNames(directory) };
}

function pricedRow(id: string, sources: PriceSources): PriceRow {
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
