import { answerBuckets, boundedCount, promptBuckets, type TokenBucket } from "../canonical/mod.ts";
import { type Price, type Rates, ratesFor, type Served } from "./price.ts";
import { ratioOf, ratioUnit } from "./price_amount.ts";

/** What is known of a call before it is sent. */
export interface CallBounds {
  /** The whole prompt's tokens at most, whatever bucket they will be in. */
  readonly inputTokens: number;
  /** The most that one alternative of the answer may have, reasoning included. */
  readonly outputTokens: number;
  readonly alternatives: number;
  /** Calls of hosted tools that are reckoned with: nobody knows how many there will be. */
  readonly hostedToolCalls?: number;
  /**
   * Buckets that the call cannot fill, such as those of audio where it neither holds nor asks for
   * any. Absent: it may fill all of them.
   */
  readonly unused?: readonly TokenBucket[];
  /** How the upstream may serve it. Absent: at the standard rates. */
  readonly served?: readonly Served[];
  /** How often its prompt and its answer may be sampled; absent: once. */
  readonly samplings?: number;
  /** Prices of other models that may answer. */
  readonly others?: readonly Price[];
}

/**
 * The most that such a call can cost: every token at the dearest rate that it may have, for the
 * longest prompt that it may reach, and in the dearest of the tiers, regions and models that it may get. `costOf` of a call within the bounds is never above it.
 * Only more calls of hosted tools are beyond it.
 */
export function upperBoundOf(price: Price, priceRatio: number, call: CallBounds): bigint {
  const ratio = ratioOf(priceRatio);
  const requestNanoUsd = besidesTokens(price, call);
  return [price, ...call.others ?? []].flatMap((one) => reachableRates(one, call))
    .map((rates) => boundAt(rates, { call, ratio, requestNanoUsd }))
    .reduce((dearest, bound) => bound > dearest ? bound : dearest);
}

/** The rates of prompts of every length up to the call's, however it may be served. */
function reachableRates(price: Price, { inputTokens, served = [{}] }: CallBounds): Rates[] {
  const promptTokens = boundedCount(inputTokens);
  const bounds = price.tiers.map(({ aboveInputTokens }) => aboveInputTokens + 1)
    .filter((tokens) => tokens <= promptTokens);
  return served.flatMap((way) =>
    [0, ...bounds].map((tokens) => ratesFor(price, tokens, way).rates)
  );
}

/**
 * The most output tokens of each alternative, up to a bound, whose call `costs` no more than there
 * is; 0 where not even the prompt is paid for.
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

/** A nano-dollar in what rates times ratios are counted in. */
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

/** For the call itself and its hosted tools, at the dearest of them. */
function besidesTokens(
  { requestNanoUsd, hostedTools }: Price,
  { hostedToolCalls = 0 }: CallBounds,
): bigint {
  const nanoUsd = dearest(Object.values(hostedTools)) * countOf(hostedToolCalls);
  return requestNanoUsd + dividedUp(nanoUsd, hostedToolCallsPerRate);
}

/** How far the rounding of each line may raise their sum: by half a nano-dollar each. */
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
