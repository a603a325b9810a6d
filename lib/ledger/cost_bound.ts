import {
  answerBuckets,
  boundedCount,
  promptBuckets,
  type TokenBucket,
  tokenBuckets,
} from "../canonical/mod.ts";
import {
  maxAmount,
  type Price,
  type Rates,
  ratesFor,
  ratioOf,
  ratioUnit,
  type ServedTier,
} from "./price.ts";

/** Upper bounds of a call's usage, known before it is sent. */
export interface CallBounds {
  /** The most tokens of the whole prompt, in any bucket. */
  readonly inputTokens: number;
  /** The most tokens of one alternative of the answer, reasoning included. */
  readonly outputTokens: number;
  readonly alternatives: number;
  /** The assumed number of hosted tool calls; the real number is unknown until the answer ends. */
  readonly hostedToolCalls?: number;
  /**
   * Buckets that the call cannot fill, such as audio if its request does not mention audio. Absent:
   * it may fill all of them.
   */
  readonly unused?: readonly TokenBucket[];
  /** Buckets that the upstream may fill although `unused` lists them. */
  readonly fills?: readonly TokenBucket[];
  /** The tiers and regions in which the call may be served; absent: the standard rates. */
  readonly served?: readonly ServedTier[];
  /** The most samplings of its prompt and answer; absent: one. */
  readonly samplings?: number;
  /** Prices of other models that may answer. */
  readonly others?: readonly Price[];
}

/**
 * The most that such a call can cost: every token at the highest rate of all reachable prompt
 * lengths, tiers, regions and models. `costOf` of a call within the bounds never exceeds it, unless
 * the call makes more hosted tool calls than assumed.
 */
export function upperBoundOf(price: Price, priceRatio: number, call: CallBounds): bigint {
  return boundAt(boundsOf(price, priceRatio, call), call.outputTokens);
}

/** The bounds of calls that differ only in the length of their answer. */
export type SizedPrompt = Omit<CallBounds, "outputTokens">;

/**
 * `upperBoundOf` calls that differ in the length of their answer: it grows linearly by the token,
 * for each reachable set of rates. `boundAt` takes the highest.
 */
export function boundsOf(
  price: Price,
  priceRatio: number,
  call: SizedPrompt,
): readonly LinearBound[] {
  const amounts = amountsOf(price, priceRatio, call);
  const boundsAt = (one: Price) =>
    highestRatesOf(one, priceRatio, call).map((rates) => linearBound(rates, amounts));
  const own = boundsAt(price);
  return call.others ? [...own, ...call.others.flatMap(boundsAt)] : own;
}

/** The highest of the bounds for an answer with so many tokens in each alternative. */
export function boundAt(bounds: readonly LinearBound[], outputTokens: number): bigint {
  const tokens = countOf(outputTokens);
  let most = 0n;
  for (const { fixed, perToken } of bounds) most = maxAmount(most, fixed + tokens * perToken);
  return most / oneNanoUsd;
}

/**
 * The most output tokens for each alternative, up to `bound`, that `nanoUsd` pays for; 0 if it does
 * not even pay for the prompt.
 */
export function affordableOutput(
  bound: number,
  nanoUsd: bigint,
  costs: (outputTokens: number) => bigint,
): number {
  let [least, most] = [0, bound];
  while (least < most) {
    const middle = Math.ceil((least + most) / 2);
    if (costs(middle) <= nanoUsd) least = middle;
    else most = middle - 1;
  }
  return least;
}

const hostedToolCallsPerRate = 1_000n;

/** One nano-dollar, in the unit of rates multiplied by ratios. */
const oneNanoUsd = 1_000_000n * ratioUnit;

/** The amounts of a call that all rates are multiplied with or added to. */
interface Amounts {
  readonly samplings: number;
  /** Of all samplings together. */
  readonly promptTokens: bigint;
  readonly alternatives: bigint;
  /** The cost apart from tokens, in the unit of rates multiplied by ratios. */
  readonly request: bigint;
}

function amountsOf(price: Price, priceRatio: number, call: SizedPrompt): Amounts {
  const samplings = boundedCount(call.samplings ?? 1);
  const times = BigInt(samplings);
  const nanoUsd = besidesTokens(price, call);
  return {
    samplings,
    promptTokens: countOf(call.inputTokens) * times,
    alternatives: countOf(call.alternatives) * times,
    request: nanoUsd === 0n ? 0n : nanoUsd * 1_000_000n * ratioOf(priceRatio),
  };
}

/** A bound by the tokens of each alternative of the answer, still to be divided by `oneNanoUsd`. */
export interface LinearBound {
  /** Includes what rounding adds. */
  readonly fixed: bigint;
  readonly perToken: bigint;
}

function linearBound(
  { prompt, answer, roundedLines }: HighestRates,
  { samplings, promptTokens, alternatives, request }: Amounts,
): LinearBound {
  const lines = request % oneNanoUsd === 0n ? roundedLines : roundedLines + 1;
  const rounding = Math.floor(lines * samplings / 2); // half a nano-dollar for each rounded line
  return {
    fixed: promptTokens * prompt + request + BigInt(rounding + 1) * oneNanoUsd - 1n, // rounded up
    perToken: alternatives * answer,
  };
}

/** The highest rates of a prompt and an answer, multiplied by the ratio. */
interface HighestRates {
  readonly prompt: bigint;
  readonly answer: bigint;
  /** The number of buckets whose cost may have to be rounded. */
  readonly roundedLines: number;
}

/**
 * The highest rates for each prompt length up to the call's, in each tier and region that may serve
 * it, apart from the unused buckets. Kept for as long as the price and the list of tiers, because
 * calls repeat the same few combinations.
 */
function highestRatesOf(
  price: Price,
  priceRatio: number,
  { inputTokens, served = standardOnly, unused, fills }: SizedPrompt,
): readonly HighestRates[] {
  const reach = tiersWithin(price, inputTokens);
  const left = bitsOf(unused) & ~bitsOf(fills);
  const known = knownRates.get(price)?.get(served)?.get(priceRatio)?.get(reach * everyBit + left);
  return known ?? keptRates(price, priceRatio, { served, reach, left });
}

/** By price, served tiers, ratio, and the number of reachable tiers with the unused buckets. */
const knownRates = new WeakMap<
  Price,
  WeakMap<readonly ServedTier[], Map<number, Map<number, readonly HighestRates[]>>>
>();

/** Computes the rates, and keeps them. */
function keptRates(
  price: Price,
  priceRatio: number,
  { served, reach, left }: {
    readonly served: readonly ServedTier[];
    readonly reach: number;
    readonly left: number;
  },
): readonly HighestRates[] {
  const longest = reach === 0 ? [] : price.tiers.slice(-reach);
  const lengths = [0, ...longest.map(({ aboveInputTokens }) => aboveInputTokens + 1)];
  const reachable = served.flatMap((way) =>
    lengths.map((tokens) => ratesFor(price, tokens, way).rates)
  );
  const ratio = ratioOf(priceRatio);
  const rates = [...new Set(reachable)].map((rates) => highestOf(rates, left, ratio));
  knownRates.getOrInsertComputed(price, () => new WeakMap())
    .getOrInsertComputed(served, () => new Map())
    .getOrInsertComputed(priceRatio, () => new Map())
    .set(reach * everyBit + left, rates);
  return rates;
}

const standardOnly: readonly ServedTier[] = [{}];

/** The number of rate tiers that prompts of up to so many tokens may reach: the last ones. */
function tiersWithin({ tiers }: Price, inputTokens: number): number {
  const promptTokens = boundedCount(inputTokens);
  let reach = 0;
  for (const { aboveInputTokens } of tiers) if (aboveInputTokens < promptTokens) reach++;
  return reach;
}

function highestOf(rates: Rates, unused: number, ratio: bigint): HighestRates {
  const ratesIn = (buckets: readonly TokenBucket[]) =>
    buckets.filter((bucket) => (bitOf[bucket] & unused) === 0)
      .map((bucket) => rates[bucket] * ratio);
  const [prompt, answer] = [ratesIn(promptBuckets), ratesIn(answerBuckets)];
  const rounded = [...prompt, ...answer].filter((rate) => rate % oneNanoUsd !== 0n);
  return {
    prompt: prompt.reduce(maxAmount, 0n),
    answer: answer.reduce(maxAmount, 0n),
    roundedLines: rounded.length,
  };
}

const none: readonly TokenBucket[] = [];

/** Represents a set of buckets as a number with one bit for each. */
function bitsOf(buckets: readonly TokenBucket[] = none): number {
  let bits = 0;
  for (const bucket of buckets) bits |= bitOf[bucket];
  return bits;
}

const bitOf = Object.fromEntries(
  tokenBuckets.map((bucket, at) => [bucket, 1 << at]),
) as Record<TokenBucket, number>; // one for each bucket

/** Above the number of every set of buckets. */
const everyBit = 1 << tokenBuckets.length;

/** The cost of the call itself and of its hosted tools, all at the highest tool rate. */
function besidesTokens(
  { requestNanoUsd, hostedTools }: Price,
  { hostedToolCalls = 0 }: SizedPrompt,
): bigint {
  const calls = countOf(hostedToolCalls);
  if (calls === 0n) return requestNanoUsd;
  const nanoUsd = Object.values(hostedTools).reduce(maxAmount, 0n) * calls;
  return requestNanoUsd + dividedUp(nanoUsd, hostedToolCallsPerRate);
}

function countOf(count: number): bigint {
  return BigInt(boundedCount(count));
}

function dividedUp(dividend: bigint, divisor: bigint): bigint {
  return (dividend + divisor - 1n) / divisor;
}
