import { catalogModel } from "../../../lib/catalog/mod.ts";
import type { Model, ModelPrices, PriceTier, TokenRates } from "../../../lib/store/catalog/mod.ts";
import type { SourceObject } from "../source_object.ts";

/** Facts of a model beside its deployment. */
export type ModelFacts = Pick<Model, "contextWindow" | "maxOutputTokens" | "price">;

/** USD per token, by the rate that it becomes. */
const rateFields = {
  input_cost_per_token: "input",
  output_cost_per_token: "output",
  cache_read_input_token_cost: "cachedInput",
  cache_creation_input_token_cost: "cacheWrite",
  cache_creation_input_token_cost_above_1hr: "cacheWrite1h",
  output_cost_per_reasoning_token: "reasoning",
  input_cost_per_audio_token: "audioInput",
  output_cost_per_audio_token: "audioOutput",
} as const satisfies Readonly<Record<string, keyof TokenRates>>;

const limitFields = {
  max_input_tokens: "contextWindow",
  max_output_tokens: "maxOutputTokens",
} as const;

/** Reads prices and limits, which LiteLLM takes from either part of a deployment. */
export function readFacts(params: SourceObject, info: SourceObject): ModelFacts {
  const price = ownPrice(params) ?? ownPrice(info) ?? basePrice(info);
  const limits = Object.entries(limitFields).flatMap(([field, name]) => {
    const tokens = info.number(field);
    return tokens !== undefined && tokens >= 1 ? [[name, Math.floor(tokens)]] : [];
  });
  return { ...Object.fromEntries(limits), ...(price && { price }) };
}

function ownPrice(from: SourceObject): ModelPrices | undefined {
  const rates = Object.entries(rateFields).flatMap(([field, name]) => {
    const usd = rateOf(from, field);
    return usd === undefined ? [] : [[name, usd]];
  });
  const request = from.number("input_cost_per_query") ?? from.number("input_cost_per_request");
  if (rates.length === 0 && request === undefined) return undefined;
  const tiers = tiersOf(from);
  return {
    input: 0,
    output: 0,
    ...Object.fromEntries(rates),
    ...(request !== undefined && { request }),
    ...(tiers.length > 0 && { tiers }),
  };
}

/** USD per token as USD per million, without the noise of floating point. */
function rateOf(from: SourceObject, field: string): number | undefined {
  const usd = from.number(field);
  if (usd === undefined) return undefined;
  if (usd < 0 || usd >= 1) return from.unknown(field, "a price per token is from $0 to $1");
  from.changed(field, "USD per million tokens");
  return Number((usd * 1_000_000).toPrecision(12));
}

/** Such as `input_cost_per_token_above_200k_tokens`. */
const tierField = /^(input|output)_cost_per_token_above_(\d{1,6})k_tokens$/;

function tiersOf(from: SourceObject): PriceTier[] {
  const found = Object.keys(from.fields).flatMap((field) => {
    const [, name, thousands] = tierField.exec(field) ?? [];
    const usd = name === undefined ? undefined : rateOf(from, field);
    return usd === undefined ? [] : [{ above: Number(thousands) * 1_000, name, usd }];
  });
  return [...Map.groupBy(found, ({ above }) => above)].map(([aboveInputTokens, rates]) => ({
    aboveInputTokens,
    ...Object.fromEntries(rates.map(({ name, usd }) => [name, usd])),
  }));
}

/** The catalog's price of `base_model`, which a deployment with a name of its own needs. */
function basePrice(info: SourceObject): ModelPrices | undefined {
  const base = info.text("base_model");
  if (base === undefined) return undefined;
  const found = catalogModel(base) ?? catalogModel(base.replace(/^\w+\//, ""));
  if (!found?.price) return info.unknown("base_model", "the catalog of models does not know it");
  info.changed("base_model", "its price from the catalog");
  return found.price;
}
