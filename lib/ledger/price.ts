import {
  globalRegion,
  mayCostMore,
  serviceTierOf,
  standardTier,
  type TokenBucket,
  tokenBuckets,
} from "../canonical/mod.ts";
import type { ModelPrice, ServiceTierPrice, TokenRates } from "../store/catalog/mod.ts";
import { dividedHalfUp, nanoUsdOf, ratioOf, ratioUnit } from "./price_amount.ts";

/** Nano-dollars per million tokens, every bucket resolved. */
export type Rates = Readonly<Record<TokenBucket, bigint>>;

/** Rates for whole calls whose prompts have more tokens than a bound. */
interface RateTier {
  readonly aboveInputTokens: number;
  readonly rates: Rates;
}

/** The rates of one service tier. */
interface RateSet {
  readonly rates: Rates;
  /** The highest bound first. */
  readonly tiers: readonly RateTier[];
}

/** The price of a model's calls, in integers: nothing of it is looked up or rounded again. */
export interface Price extends RateSet {
  /** Nano-dollars for each call. */
  readonly requestNanoUsd: bigint;
  /** Nano-dollars per 1,000 calls of a hosted tool, by kind; what is not here costs nothing. */
  readonly hostedTools: Readonly<Record<string, bigint>>;
  /** Rates of service tiers beside the standard one, by canonical name. */
  readonly serviceTiers: ReadonlyMap<string, RateSet>;
  /** Factors of all rates by region, in millionths. */
  readonly regions: ReadonlyMap<string, bigint>;
}

/** A price with every fallback resolved. Throws a `RangeError` where an amount is none: prices are checked where they come in. */
export function resolvePrice(price: ModelPrice): Price {
  const { hostedTools = {}, request = 0, serviceTiers = {}, regions = {} } = price;
  const standard = rateSetOf(price);
  return {
    ...standard,
    requestNanoUsd: nanoUsdOf(request),
    hostedTools: Object.fromEntries(
      Object.entries(hostedTools).map(([kind, usd = 0]) => [kind, nanoUsdOf(usd)]),
    ),
    serviceTiers: new Map(
      Object.entries(serviceTiers).map(([name, tier = {}]) => [
        serviceTierOf(name) ?? name,
        tierSetOf(price, tier, standard),
      ]),
    ),
    regions: new Map(
      Object.entries(regions).map(([name, factor = 1]) => [name.toLowerCase(), ratioOf(factor)]),
    ),
  };
}

function rateSetOf(price: ModelPrice): RateSet {
  const { tiers = [] } = price;
  return {
    rates: ratesOf((name) => amountOf(price[name])),
    tiers: tiers.map((tier) => ({
      aboveInputTokens: tier.aboveInputTokens,
      rates: ratesOf((name) => amountOf(tier[name] ?? price[name])),
    })).toSorted((a, b) => b.aboveInputTokens - a.aboveInputTokens),
  };
}

/** A rate that the tier states differs from the standard one by as much for long prompts. */
function tierSetOf(price: ModelPrice, tier: ServiceTierPrice, standard: RateSet): RateSet {
  const { factor = 1, ...stated } = tier;
  const ratio = ratioOf(factor);
  const rates = ratesOf((name) => {
    if (stated[name] !== undefined) return nanoUsdOf(stated[name]);
    const usual = amountOf(price[name]);
    return usual === undefined ? undefined : scaled(usual, ratio);
  });
  const raised = (bucket: TokenBucket, long: Rates) => {
    const usual = standard.rates[bucket];
    return usual === 0n ? rates[bucket] : dividedHalfUp(long[bucket] * rates[bucket], usual);
  };
  return {
    rates,
    tiers: standard.tiers.map(({ aboveInputTokens, rates: long }) => ({
      aboveInputTokens,
      rates: eachBucket((bucket) => raised(bucket, long)),
    })),
  };
}

/** How a call was served, or may be. */
export interface Served {
  /** By its canonical name; absent for the standard tier. */
  readonly tier?: string;
  readonly region?: string;
}

/** The rates that count for a call, and the names that it is charged by. */
interface ServedRates {
  readonly rates: Rates;
  /** The tier and the region that are charged, such as `fast us`; absent for the standard rates anywhere. */
  readonly tier?: string;
  /** The tier or the region that was named and has no price. */
  readonly unpriced?: string;
}

/**
 * The rates that count for a call with so many prompt tokens, whatever bucket they are in. A tier
 * without a price costs the dearest that has one, unless it never costs more than the standard one.
 */
export function ratesFor(price: Price, promptTokens: number, served: Served = {}): ServedRates {
  const tier = tierFor(price, served.tier);
  const region = regionFor(price, served.region);
  const { rates } = tier.set.tiers.find((one) => promptTokens > one.aboveInputTokens) ?? tier.set;
  const names = [tier.name, region.name].filter((name) => name !== undefined);
  const unpriced = tier.unpriced ?? region.unpriced;
  return {
    rates: region.ratio === ratioUnit
      ? rates
      : eachBucket((bucket) => scaled(rates[bucket], region.ratio)),
    ...(names.length > 0 && { tier: names.join(" ") }),
    ...(unpriced !== undefined && { unpriced }),
  };
}

interface TierFor {
  readonly set: RateSet;
  readonly name?: string;
  readonly unpriced?: string;
}

function tierFor(price: Price, tier = standardTier): TierFor {
  const set = price.serviceTiers.get(tier);
  if (set) return { set, name: tier };
  if (!mayCostMore(tier)) return { set: price };
  const [dearest = { set: price }] = [...price.serviceTiers]
    .map(([name, set]) => ({ name, set }))
    .filter(({ set }) => dearness(set) > dearness(price))
    .toSorted((a, b) => Number(dearness(b.set) - dearness(a.set)));
  return { ...dearest, unpriced: tier };
}

function dearness({ rates }: RateSet): bigint {
  return rates.inputTokens + rates.outputTokens;
}

function regionFor(
  { regions }: Price,
  region = globalRegion,
): { readonly ratio: bigint; readonly name?: string; readonly unpriced?: string } {
  const ratio = regions.get(region);
  if (ratio !== undefined) return { ratio, name: region };
  if (region === globalRegion) return { ratio: ratioUnit };
  const [dearest] = [...regions].filter(([, ratio]) => ratio > ratioUnit)
    .toSorted(([, a], [, b]) => Number(b - a));
  return dearest
    ? { ratio: dearest[1], name: dearest[0], unpriced: region }
    : { ratio: ratioUnit, unpriced: region };
}

function scaled(rate: bigint, ratio: bigint): bigint {
  return dividedHalfUp(rate * ratio, ratioUnit);
}

/** Which of the stated rates a bucket costs: the first that there is. */
const rateNames: Readonly<Record<TokenBucket, readonly (keyof TokenRates)[]>> = {
  inputTokens: ["input"],
  cacheReadTokens: ["cachedInput", "input"],
  cacheWrite5mTokens: ["cacheWrite", "input"],
  cacheWrite1hTokens: ["cacheWrite1h", "cacheWrite", "input"],
  cacheWrite12hTokens: ["cacheWrite12h", "cacheWrite1h", "cacheWrite", "input"],
  audioInputTokens: ["audioInput", "input"],
  imageInputTokens: ["imageInput", "input"],
  outputTokens: ["output"],
  reasoningTokens: ["reasoning", "output"],
  audioOutputTokens: ["audioOutput", "output"],
  imageOutputTokens: ["imageOutput", "output"],
};

function ratesOf(amount: (name: keyof TokenRates) => bigint | undefined): Rates {
  return eachBucket((bucket) => {
    const [first = 0n] = rateNames[bucket].map(amount).filter((nanoUsd) => nanoUsd !== undefined);
    return first;
  });
}

function amountOf(usd: number | undefined): bigint | undefined {
  return usd === undefined ? undefined : nanoUsdOf(usd);
}

function eachBucket(rate: (bucket: TokenBucket) => bigint): Rates {
  const rates = tokenBuckets.map((bucket) => [bucket, rate(bucket)]);
  return Object.fromEntries(rates) as Rates; // one for each bucket
}
