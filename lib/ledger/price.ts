import { BoundedMap } from "../bounded_map.ts";
import {
  globalRegion,
  mayCostMore,
  serviceTierOf,
  standardTier,
  type TokenBucket,
  tokenBuckets,
} from "../canonical/mod.ts";
import type { ModelPrice, ServiceTierPrice, TokenRates } from "../store/catalog/mod.ts";
import { type HourlyPrice, weekSpans } from "./off_peak.ts";

/** Nano-dollars per million tokens, every bucket resolved. */
export type Rates = Readonly<Record<TokenBucket, bigint>>;

/** Rates for calls whose prompts exceed a number of tokens; they apply to the whole call. */
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

/** A model's price in integers, with all fallbacks resolved and all rounding done. */
export interface Price extends RateSet, HourlyPrice<Price> {
  /** Nano-dollars for each call. */
  readonly requestNanoUsd: bigint;
  /** Nano-dollars per 1,000 calls of a hosted tool, by kind; a kind that is missing is free. */
  readonly hostedTools: Readonly<Record<string, bigint>>;
  /** Rates of the other service tiers, by canonical name. */
  readonly serviceTiers: ReadonlyMap<string, RateSet>;
  /** Factors of all rates by region, in millionths. */
  readonly regions: ReadonlyMap<string, bigint>;
  /** Replaces the ratio of a call's group, in millionths: for what the call costs the operator. */
  readonly ratio?: bigint;
}

/** Resolves every fallback of a price. Throws a `RangeError` for an invalid amount. */
export function resolvePrice(price: ModelPrice): Price {
  const { hostedTools = {}, request = 0, serviceTiers = {}, regions = {}, offPeak } = price;
  const standard = rateSetOf(price);
  const resolved: Price = {
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
  if (!offPeak) return resolved;
  const { times, ...rates } = offPeak;
  const atOffPeak = { ...resolved, ...tierSetOf(price, rates, standard) };
  return { ...resolved, offPeak: { price: atOffPeak, spans: weekSpans(times) } };
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

/** The rates of a tier. Its long-prompt rates rise in the same proportion as the standard ones. */
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

/** The tier and region that served a call, or may serve it. */
export interface ServedTier {
  /** The canonical name; absent for the standard tier. */
  readonly tier?: string;
  readonly region?: string;
}

/** The rates that apply to a call, and the tier names on its charge. */
interface ServedRates {
  readonly rates: Rates;
  /** The charged tier and region, such as `fast us`; absent for standard global rates. */
  readonly tier?: string;
  /** The requested tier or region, if it has no price. */
  readonly unpriced?: string;
}

/**
 * The rates of a call with `promptTokens`, summed over all buckets. A tier without a price costs as
 * much as the most expensive priced tier, except a tier that is never more expensive than standard.
 */
export function ratesFor(price: Price, promptTokens: number, served: ServedTier = {}): ServedRates {
  if (isStandard(price, served)) return { rates: ratesIn(price, promptTokens) };
  const tier = tierFor(price, served.tier);
  const region = regionFor(price, served.region);
  const rates = ratesIn(tier.set, promptTokens);
  const name = tier.name === undefined || region.name === undefined
    ? tier.name ?? region.name
    : `${tier.name} ${region.name}`;
  const unpriced = tier.unpriced ?? region.unpriced;
  return {
    rates: region.ratio === ratioUnit ? rates : regionalRates(rates, region.ratio),
    ...(name !== undefined && { tier: name }),
    ...(unpriced !== undefined && { unpriced }),
  };
}

/** Returns true for the standard tier and global region, if the price names neither. */
function isStandard({ serviceTiers, regions }: Price, { tier, region }: ServedTier): boolean {
  return tier === undefined && region === undefined && !serviceTiers.has(standardTier) &&
    !regions.has(globalRegion);
}

/** The rates for prompts of a length. */
function ratesIn({ rates, tiers }: RateSet, promptTokens: number): Rates {
  for (const tier of tiers) if (promptTokens > tier.aboveInputTokens) return tier.rates;
  return rates;
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

/** The name of the factor for every region without one of its own. */
const anyPlace = "regional";
/** The region of a call that may be served in any: the highest factor counts. */
const unknownRegion = "*";

function regionFor(
  { regions }: Price,
  region = globalRegion,
): { readonly ratio: bigint; readonly name?: string; readonly unpriced?: string } {
  const isExact = regions.has(region) || region === globalRegion || region === unknownRegion;
  const name = isExact ? region : anyPlace;
  const ratio = regions.get(name);
  if (ratio !== undefined) return { ratio, name };
  if (region === globalRegion) return { ratio: ratioUnit };
  const [dearest] = [...regions].filter(([, ratio]) => ratio > ratioUnit)
    .toSorted(([, a], [, b]) => Number(b - a));
  return dearest
    ? { ratio: dearest[1], name: dearest[0], unpriced: region }
    : { ratio: ratioUnit, unpriced: region };
}

/** Kept for as long as the price, whose regions have few ratios. */
function regionalRates(rates: Rates, ratio: bigint): Rates {
  return knownRegional.getOrInsertComputed(rates, () => new Map<bigint, Rates>())
    .getOrInsertComputed(ratio, () => eachBucket((bucket) => scaled(rates[bucket], ratio)));
}

const knownRegional = new WeakMap<Rates, Map<bigint, Rates>>();

function scaled(rate: bigint, ratio: bigint): bigint {
  return dividedHalfUp(rate * ratio, ratioUnit);
}

/** The rates of each bucket in order of preference: the first one that is set applies. */
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

/** USD to nano-dollars, rounded half up: `0.0375` and `"0.0375"` are both 37,500,000. */
export function nanoUsdOf(usd: number | string): bigint {
  return parsed(usd, 9);
}

/** A ratio of 1: ratios are integers in millionths. */
export const ratioUnit = 1_000_000n;
/** The largest ratio of a group; anything larger is a typing error. */
const ratioMax = 1_000_000;

/** A group's ratio such as 1.1 in millionths, rounded half up. */
export function ratioOf(priceRatio: number): bigint {
  if (priceRatio === 1) return ratioUnit;
  return knownRatios.getOrInsert(
    priceRatio,
    () => parsed(Math.min(Math.max(priceRatio, 0), ratioMax), 6),
  );
}

/** Kept, because groups have few ratios and every call needs one. */
const knownRatios = new BoundedMap<number, bigint>(1_000);

export function maxAmount(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}

export function minAmount(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}

/** The quotient of two non-negative numbers, rounded half up. */
export function dividedHalfUp(dividend: bigint, divisor: bigint): bigint {
  return (dividend * 2n + divisor) / (divisor * 2n);
}

/** More digits than any amount has; longer texts would only waste processor time. */
const digitsMax = 30;
const decimal = /^(\d+)(?:\.(\d*))?(?:e([+-]?\d{1,3}))?$/i;

/** Reads the digits from a number's shortest text, which is what its author wrote. */
function parsed(amount: number | string, places: number): bigint {
  const text = String(amount);
  const [, whole = "", fraction = "", exponent = "0"] = decimal.exec(text) ?? [];
  const power = places - fraction.length + Number(exponent);
  if (whole === "" || text.length > digitsMax || power > digitsMax) {
    throw new RangeError("Cannot read an amount: write it as a decimal number such as 0.25");
  }
  const digits = BigInt(whole + fraction);
  return power >= 0 ? digits * 10n ** BigInt(power) : dividedHalfUp(digits, 10n ** BigInt(-power));
}
