import {
  answerBuckets,
  boundedCount,
  promptBuckets,
  type TokenBucket,
  tokenBuckets,
} from "../canonical/mod.ts";
import { type Price, type Rates, ratesFor, type ServedTier } from "./price.ts";
import { ratioOf, ratioUnit } from "./price_amount.ts";

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
  return boundOf(price, priceRatio, call)(call.outputTokens);
}

/** `upperBoundOf` calls that differ in the length of their answer: it grows linearly by the token. */
export function boundOf(
  price: Price,
  priceRatio: number,
  call: SizedPrompt,
): (outputTokens: number) => bigint {
  const ratio = ratioOf(priceRatio);
  const requestNanoUsd = besidesTokens(price, call);
  const reachable = new Set(
    [price, ...call.others ?? []].flatMap((one) => reachableRates(one, call)),
  );
  const bounds = [...reachable].map((rates) => linearBound(rates, { call, ratio, requestNanoUsd }));
  return (outputTokens) => {
    const tokens = countOf(outputTokens);
    return dearest(
      bounds.map(({ exact, perToken, rounding }) =>
        dividedUp(exact + tokens * perToken, nanoUsd) + rounding
      ),
    );
  };
}

type SizedPrompt = Omit<CallBounds, "outputTokens">;

/** The rates for each prompt length up to the call's, in each tier and region that may serve the call. */
function reachableRates(price: Price, { inputTokens, served = [{}] }: SizedPrompt): Rates[] {
  const promptTokens = boundedCount(inputTokens);
  const bounds = price.tiers.map(({ aboveInputTokens }) => aboveInputTokens + 1)
    .filter((tokens) => tokens <= promptTokens);
  return served.flatMap((way) =>
    [0, ...bounds].map((tokens) => ratesFor(price, tokens, way).rates)
  );
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
const nanoUsd = 1_000_000n * ratioUnit;

/** A bound as a function of the tokens of each alternative of the answer, before the division. */
interface LinearBound {
  readonly exact: bigint;
  readonly perToken: bigint;
  /** The most that rounding each line adds, in nano-dollars. */
  readonly rounding: bigint;
}

function linearBound(
  rates: Rates,
  { call, ratio, requestNanoUsd }: {
    readonly call: SizedPrompt;
    readonly ratio: bigint;
    readonly requestNanoUsd: bigint;
  },
): LinearBound {
  const { prompt, answer, roundedLines } = dearestOf(rates, call.unused, ratio);
  const samplings = countOf(call.samplings ?? 1);
  const request = requestNanoUsd * 1_000_000n;
  const lines = roundedLines + (isRounded(request, ratio) ? 1n : 0n);
  return {
    exact: (countOf(call.inputTokens) * prompt * samplings + request) * ratio,
    perToken: countOf(call.alternatives) * answer * samplings * ratio,
    rounding: lines * samplings / 2n, // half a nano-dollar for each rounded line
  };
}

/** The highest rates of a prompt and an answer. */
interface Dearest {
  readonly prompt: bigint;
  readonly answer: bigint;
  /** The number of buckets whose cost may have to be rounded. */
  readonly roundedLines: bigint;
}

/**
 * The highest rates apart from the unused buckets. Kept for as long as the price, because calls
 * repeat the same few combinations.
 */
function dearestOf(rates: Rates, unused: readonly TokenBucket[] = [], ratio: bigint): Dearest {
  const known = knownDearest.getOrInsertComputed(rates, () => new Map<number, Dearest>());
  const combination = Number(ratio) * bucketSets + bitsOf(unused);
  return known.getOrInsertComputed(combination, () => {
    const rateIn = (buckets: readonly TokenBucket[]) =>
      buckets.filter((bucket) => !unused.includes(bucket)).map((bucket) => rates[bucket]);
    const [prompt, answer] = [rateIn(promptBuckets), rateIn(answerBuckets)];
    const rounded = [...prompt, ...answer].filter((rate) => isRounded(rate, ratio));
    return {
      prompt: dearest(prompt),
      answer: dearest(answer),
      roundedLines: BigInt(rounded.length),
    };
  });
}

const knownDearest = new WeakMap<Rates, Map<number, Dearest>>();

/** The number of different sets of buckets; its product with any ratio is a safe integer. */
const bucketSets = 2 ** tokenBuckets.length;
const bitOf = new Map(tokenBuckets.map((bucket, at) => [bucket, 1 << at]));

function bitsOf(buckets: readonly TokenBucket[]): number {
  return buckets.reduce((bits, bucket) => bits | (bitOf.get(bucket) ?? 0), 0);
}

/** The cost of the call itself and of its hosted tools, all at the highest tool rate. */
function besidesTokens(
  { requestNanoUsd, hostedTools }: Price,
  { hostedToolCalls = 0 }: SizedPrompt,
): bigint {
  const nanoUsd = dearest(Object.values(hostedTools)) * countOf(hostedToolCalls);
  return requestNanoUsd + dividedUp(nanoUsd, hostedToolCallsPerRate);
}

function isRounded(rate: bigint, ratio: bigint): boolean {
  return rate * ratio % nanoUsd !== 0n;
}

function dearest(rates: readonly bigint[]): bigint {
  return rates.reduce((most, rate) => rate > most ? rate : most, 0n);
}

function countOf(count: number): bigint {
  return BigInt(boundedCount(count));
}

function dividedUp(dividend: bigint, divisor: bigint): bigint {
  return (dividend + divisor - 1n) / divisor;
}
