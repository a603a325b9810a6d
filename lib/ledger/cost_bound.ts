import { answerBuckets, boundedCount, promptBuckets, type TokenBucket } from "../canonical/mod.ts";
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
  const ratio = ratioOf(priceRatio);
  const requestNanoUsd = besidesTokens(price, call);
  return [price, ...call.others ?? []].flatMap((one) => reachableRates(one, call))
    .map((rates) => boundAt(rates, { call, ratio, requestNanoUsd }))
    .reduce((dearest, bound) => bound > dearest ? bound : dearest);
}

/** The rates for each prompt length up to the call's, in each tier and region that may serve the call. */
function reachableRates(price: Price, { inputTokens, served = [{}] }: CallBounds): Rates[] {
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

function boundAt(
  rates: Rates,
  { call, ratio, requestNanoUsd }: {
    readonly call: CallBounds;
    readonly ratio: bigint;
    readonly requestNanoUsd: bigint;
  },
): bigint {
  const ratesIn = (buckets: readonly TokenBucket[]) =>
    buckets.filter((bucket) => !call.unused?.includes(bucket)).map((bucket) => rates[bucket]);
  const [prompt, answer] = [ratesIn(promptBuckets), ratesIn(answerBuckets)];
  const samplings = countOf(call.samplings ?? 1);
  const tokens = countOf(call.inputTokens) * dearest(prompt) +
    countOf(call.outputTokens) * countOf(call.alternatives) * dearest(answer);
  const exact = (tokens * samplings + requestNanoUsd * 1_000_000n) * ratio;
  const lines = [...prompt, ...answer, requestNanoUsd * 1_000_000n];
  return dividedUp(exact, nanoUsd) + roundingOf(lines, ratio, samplings);
}

/** The cost of the call itself and of its hosted tools, all at the highest tool rate. */
function besidesTokens(
  { requestNanoUsd, hostedTools }: Price,
  { hostedToolCalls = 0 }: CallBounds,
): bigint {
  const nanoUsd = dearest(Object.values(hostedTools)) * countOf(hostedToolCalls);
  return requestNanoUsd + dividedUp(nanoUsd, hostedToolCallsPerRate);
}

/** The most that rounding adds to the sum: half a nano-dollar for each rounded line. */
function roundingOf(rates: readonly bigint[], ratio: bigint, samplings: bigint): bigint {
  const rounded = rates.filter((rate) => rate * ratio % nanoUsd !== 0n);
  return BigInt(rounded.length) * samplings / 2n;
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
