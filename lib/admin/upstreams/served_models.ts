import { catalogModel, offeredNames } from "../../catalog/mod.ts";
import { createPrices } from "../../ledger/mod.ts";
import {
  type Model,
  type ModelPrice,
  priceInForce,
  type UpstreamModel,
  upstreamNameOf,
  type UpstreamRecord,
} from "../../store/catalog/mod.ts";
import type { Directory } from "../../store/directory/mod.ts";

/** The known facts of a model, by its names. */
export interface KnownModel {
  /** In USD per million tokens, without any group's ratio; absent if unknown. */
  readonly price?: Pick<ModelPrice, "input" | "output">;
  readonly contextWindow?: number;
  readonly maxOutputTokens?: number;
}

/** A model that an upstream serves, by name. */
export interface ServedModel extends UpstreamModel, KnownModel {}

/** The models of an upstream by name, each once. Patterns are expanded to the known models. */
export function servedModels(
  { id: upstreamId, models }: Pick<UpstreamRecord, "id" | "models">,
  directory: Pick<Directory, "models" | "upstreamLists">,
  nowMs: number,
): ServedModel[] {
  const named = new Map<string, UpstreamModel>();
  for (const { id, upstreamModel } of models) {
    for (
      const name of offeredNames({ id: upstreamId, models: [{ id, upstreamModel }] }, directory)
    ) {
      if (named.has(name)) continue;
      const own = upstreamNameOf({ id, upstreamModel }, name);
      named.set(name, { id: name, ...(upstreamModel !== undefined && { upstreamModel: own }) });
    }
  }
  return [...named.values()].map((model) => ({
    ...model,
    ...knownModel(model, directory, nowMs),
  }));
}

/** The records and catalog entries of a model, in the order in which prices are looked up. */
export function knownModel(
  { id, upstreamModel }: UpstreamModel,
  directory: Pick<Directory, "models">,
  nowMs: number,
): KnownModel {
  const names = upstreamModel === undefined || upstreamModel === id ? [id] : [id, upstreamModel];
  const price = names.flatMap((name) => pricesOf(name, directory.models()))
    .map((prices) => priceInForce(prices, nowMs)).find((found) => found !== undefined);
  const limits = createPrices(() => directory.models())
    .limitsFor({ model: id, ...(upstreamModel !== undefined && { upstreamModel }) });
  return {
    ...limits,
    ...(price && { price: { input: price.input, output: price.output } }),
  };
}

function pricesOf(name: string, models: readonly Model[]) {
  const own = models.find(({ id }) => id === name)?.price;
  const listed = catalogModel(name)?.price;
  return [own, listed].filter((prices) => prices !== undefined);
}
