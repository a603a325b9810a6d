import type { Caller } from "../accounts/authorize.ts";
import { allowsUnpriced } from "../store/catalog/mod.ts";
import type { Bounds } from "../store/money/mod.ts";
import { type AnswerLength, answerLengthOf, type LimitedAnswer } from "./answer_length.ts";
import { boundTerms, type CallTerms, type TermBounds } from "./call_terms.ts";
import type { PriceOf } from "./cost.ts";
import { affordableOutput, boundOf, type SizedPrompt } from "./cost_bound.ts";
import type { CostEstimate } from "./hold.ts";
import { isBoundByMoney } from "./limit_requests.ts";
import type { Price } from "./price.ts";
import { highest } from "./price_amount.ts";
import type { Prices } from "./prices.ts";
import type { RecentTokens } from "./recent_use.ts";
import { unpricedRefusal } from "./refusal.ts";

/** A call as the ledger sees it: its size and its terms, without its text. */
export interface EstimatedCall {
  readonly model: string;
  /** The candidates that may answer, in order; at least one. */
  readonly ways: readonly UpstreamWay[];
  readonly length: LimitedAnswer;
  /** Counts the prompt, which takes as long as the prompt is. */
  readonly size: () => SizedPrompt;
}

/** One candidate of a call. */
interface UpstreamWay {
  readonly format?: string;
  readonly upstreamModel: string;
  readonly termsAt: () => CallTerms;
}

interface CostEstimateOptions {
  readonly prices: Prices;
  readonly nowMs: number;
  /** The usage of recent calls with this key and model, if there were any. */
  readonly recent?: RecentTokens | undefined;
}

/**
 * The most that a call may use and cost at any of its candidates. Counts the prompt only if a limit
 * depends on it; a caller without such limits is only charged afterwards. Throws `model_unpriced`.
 */
export function costEstimateOf(
  caller: Caller,
  call: EstimatedCall,
  options: CostEstimateOptions,
): CostEstimate {
  const { model } = call;
  const ways = distinctWays(call, options);
  const [{ price }] = ways;
  if (!price && !allowsUnpriced(caller.group, isBoundByMoney(caller))) throw unpricedRefusal(model);
  const priceOf = (other: string) => options.prices.priceFor({ model: other }, options.nowMs);
  const priced = pricedWays(caller, { model, ways, priceOf });
  const terms = { caller, model, price, priceOf, prices: pricesOf(priced) };
  if (!isCounted(caller)) {
    const nanoUsd = priced.every(({ price }) => isFree(price)) ? 0n : 1n;
    return { ...terms, tokens: 0, boundNanoUsd: nanoUsd, leastNanoUsd: nanoUsd };
  }
  const { recent } = options;
  const size = call.size();
  const length = answerLengthOf(call.length, { known: knownLimitsOf(call, options), recent });
  const tokens = recent?.average ??
    size.inputTokens + Math.min(length.most, length.likely) * size.alternatives;
  return { ...terms, tokens, ...moneyFor(length, dearest(priced, caller, size)) };
}

/** The cost of answers of these lengths. */
function moneyFor(
  { most, likely, least, longest, isLimitable }: AnswerLength,
  costs: (outputTokens: number) => bigint,
): Pick<CostEstimate, "boundNanoUsd" | "enoughNanoUsd" | "leastNanoUsd" | "outputTokensFor"> {
  const boundNanoUsd = costs(most);
  if (!isLimitable) return { boundNanoUsd, leastNanoUsd: boundNanoUsd };
  return {
    boundNanoUsd,
    enoughNanoUsd: likely === most ? boundNanoUsd : costs(likely),
    leastNanoUsd: costs(least),
    outputTokensFor: (nanoUsd) => Math.min(longest, affordableOutput(most, nanoUsd, costs)),
  };
}

/** A format and model name of some candidates. */
interface Way extends UpstreamWay {
  /** Absent: the model has no price. */
  readonly price?: Price;
}

/** The distinct formats and model names of the candidates, in order. */
function distinctWays(
  { model, ways }: EstimatedCall,
  { prices, nowMs }: CostEstimateOptions,
): readonly Way[] {
  const distinct: Way[] = [];
  for (const { format, upstreamModel, termsAt } of ways) {
    const isKnown = distinct.some((one) =>
      one.upstreamModel === upstreamModel && one.format === format
    );
    if (isKnown) continue;
    const price = prices.priceFor({ model, upstreamModel }, nowMs);
    distinct.push({ format, upstreamModel, termsAt, price });
  }
  return distinct;
}

/** A price that may apply, with the terms that the call may be served on. */
interface PricedWay {
  readonly upstreamModel: string;
  readonly price: Price;
  readonly terms: TermBounds;
}

/** The ways with a price. Throws `tier_unpriced`. */
function pricedWays(
  caller: Caller,
  { model, ways, priceOf }: {
    readonly model: string;
    readonly ways: readonly Way[];
    readonly priceOf: PriceOf;
  },
): readonly PricedWay[] {
  const priced: PricedWay[] = [];
  for (const { upstreamModel, price, termsAt } of ways) {
    if (!price) continue;
    const terms = boundTerms(caller, { model, price, terms: termsAt(), priceOf });
    priced.push({ upstreamModel, price, terms });
  }
  return priced;
}

/** The prices by upstream model name; undefined if they are the same. */
function pricesOf(ways: readonly PricedWay[]): ReadonlyMap<string, Price> | undefined {
  if (ways.every(({ price }) => price === ways[0].price)) return undefined;
  return new Map(ways.map(({ upstreamModel, price }) => [upstreamModel, price]));
}

/** The cost at the most expensive candidate, by the length of the answer. */
function dearest(
  ways: readonly PricedWay[],
  { group: { priceRatio } }: Caller,
  { inputTokens, alternatives, hostedToolCalls, unused }: SizedPrompt,
): (outputTokens: number) => bigint {
  const bounds: ((outputTokens: number) => bigint)[] = [];
  for (const { price, terms: { served, fills, samplings, others } } of ways) {
    if (isFree(price)) continue;
    const call = {
      inputTokens,
      alternatives,
      hostedToolCalls,
      unused,
      served,
      fills,
      samplings,
      others,
    };
    bounds.push(boundOf(price, priceRatio, call));
  }
  return (outputTokens) => {
    let most = bounds.length > 0 ? 1n : 0n; // of free tokens: hosted tools may cost something
    for (const bound of bounds) most = highest(most, bound(outputTokens));
    return most;
  };
}

/** The output limit of each candidate model, undefined if not known; none if the caller set one. */
function knownLimitsOf(
  { model, ways, length: { envelope } }: EstimatedCall,
  { prices }: CostEstimateOptions,
): readonly (number | undefined)[] {
  if (envelope.maxOutputTokens !== undefined) return noLimits;
  const limits: (number | undefined)[] = [];
  for (const { upstreamModel } of ways) {
    limits.push(prices.limitsFor({ model, upstreamModel }).maxOutputTokens);
  }
  return limits;
}

const noLimits: readonly undefined[] = [];

/** Returns true if a limit depends on the size of the caller's calls. */
export function isCounted(caller: Caller): boolean {
  const { key, group, account } = caller;
  return hasTokenLimit(key) || hasTokenLimit(group) || hasTokenLimit(account) ||
    isBoundByMoney(caller);
}

function hasTokenLimit({ limits }: Bounds): boolean {
  return limits?.tokensPerMinute !== undefined;
}

function isFree(price: Price): boolean {
  return knownFree.getOrInsertComputed(price, isEveryRateZero);
}

function isEveryRateZero(
  { requestNanoUsd, hostedTools, serviceTiers, ...standard }: Price,
): boolean {
  const rates = [standard, ...serviceTiers.values()].flatMap((set) => [set, ...set.tiers])
    .map((one) => one.rates);
  const amounts = [...rates, hostedTools].flatMap((one) => Object.values(one));
  return [requestNanoUsd, ...amounts].every((amount) => amount === 0n);
}

/** Kept, because a price has up to a hundred rates and every call asks. */
const knownFree = new WeakMap<Price, boolean>();
