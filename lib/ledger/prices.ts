import { catalogModel } from "../catalog/mod.ts";
import {
  type Model,
  type ModelPrice,
  type ModelPrices,
  priceInForce,
} from "../store/catalog/mod.ts";
import { type Price, resolvePrice } from "./price.ts";

/** The two names of a model: what the caller asked for and what the upstream calls it. */
interface ModelNames {
  readonly model: string;
  /** Absent where no upstream is chosen yet: then only the public name counts. */
  readonly upstreamModel?: string;
}

/** What a model can take. Absent: not known. */
interface ModelLimits {
  /** Tokens of prompt and answer together. */
  readonly contextWindow?: number;
  readonly maxOutputTokens?: number;
}

/** What is known of models: first what an administrator says of the public name, then the catalog, then both of the upstream's name. */
export interface Prices {
  /** Undefined where the model has no price. */
  priceFor(names: ModelNames, atMs: number): Price | undefined;
  limitsFor(names: ModelNames): ModelLimits;
}

/** Facts of one name from one source. */
interface Facts extends ModelLimits {
  readonly price?: ModelPrices;
}

/**
 * Looks in the lists that the directory holds. A list is indexed once, for as long as it keeps its
 * identity, and each price is resolved once; so a call costs a look into a map or two.
 */
export function createPrices(models: () => readonly Model[]): Prices {
  const resolved = new WeakMap<ModelPrice, Price>();
  const resolve = (price: ModelPrice): Price => {
    const known = resolved.get(price) ?? resolvePrice(price);
    resolved.set(price, known);
    return known;
  };
  const recordOf = indexed(models);
  return {
    priceFor: (names, atMs) => {
      const price = first(names, recordOf, ({ price }) => price && priceInForce(price, atMs));
      return price && resolve(price);
    },
    limitsFor: (names) => {
      const contextWindow = first(names, recordOf, (facts) => facts.contextWindow);
      const maxOutputTokens = first(names, recordOf, (facts) => facts.maxOutputTokens);
      return {
        ...(contextWindow !== undefined && { contextWindow }),
        ...(maxOutputTokens !== undefined && { maxOutputTokens }),
      };
    },
  };
}

type Lookup = (name: string) => Facts | undefined;

/** The first source that says something: of the public name the record and the catalog, then of the upstream's. */
function first<Value>(
  { model, upstreamModel }: ModelNames,
  recordOf: Lookup,
  read: (facts: Facts) => Value | undefined,
): Value | undefined {
  const names = upstreamModel === undefined || upstreamModel === model
    ? [model]
    : [model, upstreamModel];
  for (const name of names) {
    for (const lookup of [recordOf, catalogModel]) {
      const facts = lookup(name);
      const value = facts && read(facts);
      if (value !== undefined) return value;
    }
  }
  return undefined;
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
