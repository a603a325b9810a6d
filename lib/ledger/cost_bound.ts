import { answerBuckets, boundedCount, promptBuckets, type TokenBucket } from "../canonical/mod.ts";
import type { Price, Rates } from "./price.ts";
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
}

/**
 * The most that such a call can cost: every token at the dearest rate that it may have, in the
 * dearest tier that the prompt may reach. `costOf` of a call within the bounds is never above it.
 * Only more calls of hosted tools are beyond it.
 */
export function upperBoundOf(price: Price, priceRatio: number, call: CallBounds): bigint {
  const ratio = ratioOf(priceRatio);
  const promptTokens = boundedCount(call.inputTokens);
  const reached = price.tiers.filter(({ aboveInputTokens }) => promptTokens > aboveInputTokens);
  return [price.rates, ...reached.map(({ rates }) => rates)]
    .map((rates) => boundAt(rates, { call, ratio, requestNanoUsd: besidesTokens(price, call) }))
    .reduce((dearest, bound) => bound > dearest ? bound : dearest);
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
  const tokens = countOf(call.inputTokens) * dearest(prompt) +
    countOf(call.outputTokens) * countOf(call.alternatives) * dearest(answer);
  const exact = (tokens + requestNanoUsd * 1_000_000n) * ratio;
  const lines = [...prompt, ...answer, requestNanoUsd * 1_000_000n];
  return dividedUp(exact, nanoUsd) + roundingOf(lines, ratio);
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
function roundingOf(rates: readonly bigint[], ratio: bigint): bigint {
  const rounded = rates.filter((rate) => rate * ratio % nanoUsd !== 0n);
  return BigInt(rounded.length) / 2n;
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
