import { type TokenBucket, tokenBuckets } from "../canonical/mod.ts";
import type { ModelPrice, TokenRates } from "../store/mod.ts";
import { nanoUsdOf } from "./price_amount.ts";

/** Nano-dollars per million tokens, every bucket resolved. */
export type Rates = Readonly<Record<TokenBucket, bigint>>;

/** Rates for whole calls whose prompts have more tokens than a bound. */
export interface RateTier {
  readonly aboveInputTokens: number;
  readonly rates: Rates;
}

/** What the calls of a model cost, in integers: nothing of it is looked up or rounded again. */
export interface Price {
  readonly rates: Rates;
  /** The highest bound first. */
  readonly tiers: readonly RateTier[];
  /** Nano-dollars for each call. */
  readonly requestNanoUsd: bigint;
  /** Nano-dollars per 1,000 calls of a hosted tool, by kind; what is not here costs nothing. */
  readonly hostedTools: Readonly<Record<string, bigint>>;
}

/** A price with every fallback resolved. Throws a `RangeError` where an amount is none: prices are checked where they come in. */
export function resolvePrice(price: ModelPrice): Price {
  const { tiers = [], hostedTools = {}, request = 0 } = price;
  return {
    rates: ratesOf(price),
    tiers: tiers.map(({ aboveInputTokens, ...rates }) => ({
      aboveInputTokens,
      rates: ratesOf({ ...price, ...rates }),
    })).toSorted((a, b) => b.aboveInputTokens - a.aboveInputTokens),
    requestNanoUsd: nanoUsdOf(request),
    hostedTools: Object.fromEntries(
      Object.entries(hostedTools).map(([kind, usd = 0]) => [kind, nanoUsdOf(usd)]),
    ),
  };
}

/** The rates that count for a call with so many prompt tokens, whatever bucket they are in. */
export function ratesFor(price: Price, promptTokens: number): Rates {
  const tier = price.tiers.find(({ aboveInputTokens }) => promptTokens > aboveInputTokens);
  return tier?.rates ?? price.rates;
}

/** Which of the stated rates a bucket costs: the first that there is. */
const rateNames: Readonly<Record<TokenBucket, readonly (keyof TokenRates)[]>> = {
  inputTokens: ["input"],
  cacheReadTokens: ["cachedInput", "input"],
  cacheWrite5mTokens: ["cacheWrite", "input"],
  cacheWrite1hTokens: ["cacheWrite1h", "cacheWrite", "input"],
  audioInputTokens: ["audioInput", "input"],
  imageInputTokens: ["imageInput", "input"],
  outputTokens: ["output"],
  reasoningTokens: ["reasoning", "output"],
  audioOutputTokens: ["audioOutput", "output"],
  imageOutputTokens: ["imageOutput", "output"],
};

function ratesOf(stated: TokenRates): Rates {
  const rates = tokenBuckets.map((bucket) => {
    const name = rateNames[bucket].find((one) => stated[one] !== undefined);
    return [bucket, nanoUsdOf(name === undefined ? 0 : stated[name] ?? 0)];
  });
  return Object.fromEntries(rates) as Rates; // one for each bucket
}
