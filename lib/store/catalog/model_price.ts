/** Token rates in USD per million, as an administrator enters them; `lib/ledger` converts them to money. */
export interface TokenRates {
  readonly input: number;
  readonly output: number;
  /** Prompt tokens read from a cache. Absent: as `input`. */
  readonly cachedInput?: number;
  /** A write that lasts five minutes. Absent: as `input`. */
  readonly cacheWrite?: number;
  /** A write that lasts an hour. Absent: as `cacheWrite`. */
  readonly cacheWrite1h?: number;
  /** A write that lasts twelve hours. Absent: as `cacheWrite1h`. */
  readonly cacheWrite12h?: number;
  /** Default: the rate of `output`. */
  readonly reasoning?: number;
  /** Absent: as `input`. */
  readonly audioInput?: number;
  /** Absent: as `output`. */
  readonly audioOutput?: number;
  /** Absent: as `input`. */
  readonly imageInput?: number;
  /** Absent: as `output`. */
  readonly imageOutput?: number;
}

/** Rates that replace the base rates for the whole call if its prompt is longer. */
export interface PriceTier extends Partial<TokenRates> {
  /** The tier applies to prompts with more tokens than this. */
  readonly aboveInputTokens: number;
}

/** The rates of a service tier. */
export interface ServiceTierPrice extends Partial<TokenRates> {
  /** Multiplies every rate that is not stated here. Absent: 1. */
  readonly factor?: number;
}

/** The price of a model's calls. */
export interface ModelPrice extends TokenRates {
  /** USD for each call. Absent: 0. */
  readonly request?: number;
  /** USD per 1,000 calls by kind, such as `{ "web-search": 10 }`. Absent kinds are free. */
  readonly hostedTools?: Readonly<Partial<Record<string, number>>>;
  /** In any order; the highest tier that applies wins. */
  readonly tiers?: readonly PriceTier[];
  /**
   * Rates by service tier, such as `{ "fast": { "factor": 2 } }`. A stated rate is for short
   * prompts, and rises for long ones as the standard rate does. An absent tier has no price.
   */
  readonly serviceTiers?: Readonly<Partial<Record<string, ServiceTierPrice>>>;
  /** Factors on all rates for calls that are bound to a region, such as `{ "us": 1.1 }`. */
  readonly regions?: Readonly<Partial<Record<string, number>>>;
}

/** A price with a start time. */
export interface DatedModelPrice extends ModelPrice {
  /** An ISO 8601 time with its zone, such as `2027-01-01T00:00:00Z`. */
  readonly from: string;
}

/** One price, or a list of dated prices of which the latest started one applies. */
export type ModelPrices = ModelPrice | readonly DatedModelPrice[];

/** Returns the price in force at a time; undefined if none has started. */
export function priceInForce(prices: ModelPrices, atMs: number): ModelPrice | undefined {
  if (!isDated(prices)) return prices;
  return prices.filter(({ from }) => Date.parse(from) <= atMs)
    .toSorted((a, b) => Date.parse(a.from) - Date.parse(b.from)).at(-1);
}

/** Returns true if the price is a list of dated prices. */
export function isDated(prices: ModelPrices): prices is readonly DatedModelPrice[] {
  return Array.isArray(prices);
}
