import { catalogModel, type Retirement, retirementOf } from "../catalog/mod.ts";
import {
  type CostTerms,
  type Model,
  type ModelPrice,
  type ModelPrices,
  type PriceFeed,
  priceInForce,
} from "../store/catalog/mod.ts";
import { priceAtHour } from "./off_peak.ts";
import { type Price, ratioOf, resolvePrice } from "./price.ts";

/** The two names of a model: the public name in the request, and the upstream's name. */
interface ModelNames {
  readonly model: string;
  /** Absent if no upstream is chosen yet: then only the public name counts. */
  readonly upstreamModel?: string;
}

/** The size limits of a model. Absent: not known. */
interface ModelLimits {
  /** Tokens of prompt and answer together. */
  readonly contextWindow?: number;
  readonly maxOutputTokens?: number;
}

/** Facts about models. Sources in order: administrator, then catalog; the public name first. */
export interface Prices {
  /** Undefined if the model has no price. */
  priceFor(names: ModelNames, atMs: number): Price | undefined;
  limitsFor(names: ModelNames): ModelLimits;
  /**
   * The price of a model for the operator on an upstream's terms: its own price there, else a factor
   * on the catalog's price by the upstream's name first, else on the price for callers.
   */
  upstreamPriceFor(names: ModelNames, atMs: number, terms?: CostTerms): Price | undefined;
  /** The announced end of the model that serves a call; undefined if there is none. */
  retirementOf(names: ModelNames): Retirement | undefined;
}

/** The facts that one source has for one name. */
interface Facts extends ModelLimits {
  readonly price?: ModelPrices;
}

/**
 * Looks models up in the directory's current list. Each list is indexed once, by identity, and each
 * price is resolved once, so a call costs one or two map lookups.
 */
export function createPrices(
  models: () => readonly Model[],
  feed: () => PriceFeed | undefined = () => undefined,
): Prices {
  const resolved = new WeakMap<ModelPrice, Price>();
  const resolve = (price: ModelPrice): Price => {
    const known = resolved.get(price) ?? resolvePrice(price);
    resolved.set(price, known);
    return known;
  };
  const inForce = (price: ModelPrice, atMs: number) => priceAtHour(resolve(price), atMs);
  const recordOf = indexed(models);
  const priceFor: Prices["priceFor"] = (names, atMs) => {
    const price = first(names, recordOf, ({ price }) => price && priceInForce(price, atMs));
    return price && inForce(price, atMs);
  };
  return {
    priceFor,
    upstreamPriceFor: (names, atMs, { prices, factor } = noTerms) => {
      const own = prices && inForceAt(names, atMs, (name) => ownMember(prices, name));
      if (own) return inForce(own, atMs);
      const listed = inForceAt(names, atMs, listPrices);
      const price = listed ? inForce(listed, atMs) : priceFor(names, atMs);
      return price && factor !== undefined ? { ...price, ratio: ratioOf(factor) } : price;
    },
    limitsFor: (names) => {
      const contextWindow = first(names, recordOf, (facts) => facts.contextWindow);
      const maxOutputTokens = first(names, recordOf, (facts) => facts.maxOutputTokens);
      return {
        ...(contextWindow !== undefined && { contextWindow }),
        ...(maxOutputTokens !== undefined && { maxOutputTokens }),
      };
    },
    retirementOf: ({ model, upstreamModel = model }) =>
      retirementOf(catalogModel(upstreamModel) ? upstreamModel : model, feed()),
  };
}

const noTerms: CostTerms = {};

/** The price in force by the upstream's own name of a model, else by its public name. */
function inForceAt(
  { model, upstreamModel = model }: ModelNames,
  atMs: number,
  pricesOf: (name: string) => ModelPrices | undefined,
): ModelPrice | undefined {
  const prices = pricesOf(upstreamModel) ?? pricesOf(model);
  return prices && priceInForce(prices, atMs);
}

function listPrices(name: string): ModelPrices | undefined {
  return catalogModel(name)?.price;
}

function ownMember(prices: NonNullable<CostTerms["prices"]>, name: string) {
  return Object.hasOwn(prices, name) ? prices[name] : undefined;
}

type Lookup = (name: string) => Facts | undefined;

/** The first value found: record, then catalog; by the public name, then by the upstream's. */
function first<Value>(
  { model, upstreamModel = model }: ModelNames,
  recordOf: Lookup,
  read: (facts: Facts) => Value | undefined,
): Value | undefined {
  const found = named(model, recordOf, read);
  if (found !== undefined || upstreamModel === model) return found;
  return named(upstreamModel, recordOf, read);
}

function named<Value>(
  name: string,
  recordOf: Lookup,
  read: (facts: Facts) => Value | undefined,
): Value | undefined {
  const record = recordOf(name);
  const value = record && read(record);
  if (value !== undefined) return value;
  const known = catalogModel(name);
  return known && read(known);
}

function indexed(models: () => readonly Model[]): Lookup {
  const known: { list?: readonly Model[]; byId: ReadonlyMap<string, Model> } = { byId: new Map() };
  return (name) => {
    const list = models();
    if (list !== known.list) {
      known.list = list;
      known.byId = new Map(list.map((model) => [model.id, model]));
    }
    return known.byId.get(name);
  };
}

/** The standard rates of a model, for prompt and answer together; undefined without a price. */
export function rateOf(prices: Prices, model: string, nowMs: number): number | undefined {
  const rates = prices.priceFor({ model }, nowMs)?.rates;
  return rates && Number(rates.inputTokens + rates.outputTokens);
}
