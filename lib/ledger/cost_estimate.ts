import type { Caller } from "../accounts/authorize.ts";
import { standardTier, type TokenBucket } from "../canonical/mod.ts";
import { allowsUnpriced } from "../store/catalog/mod.ts";
import type { Bounds } from "../store/money/mod.ts";
import {
  type AnswerLength,
  answerLengthOf,
  type LimitedAnswer,
  type RecentTokens,
} from "./answer_length.ts";
import type { PriceOf } from "./cost.ts";
import {
  affordableOutput,
  boundAt,
  boundsOf,
  type CallBounds,
  type LinearBound,
  type SizedPrompt,
} from "./cost_bound.ts";
import { type AnsweredName, answeredName, type CostEstimate } from "./hold.ts";
import { isBoundByMoney } from "./limit_requests.ts";
import { type Price, ratesFor, type ServedTier } from "./price.ts";
import type { Prices } from "./prices.ts";
import { tierRefusal, unpricedRefusal } from "./refusal.ts";

/** A call as the ledger sees it: its size and its terms, without its text. */
export interface EstimatedCall {
  readonly model: string;
  /** The candidates that may answer, in order; at least one. */
  readonly ways: readonly UpstreamWay[];
  /** The terms of the call at one of the candidates, by its position. */
  readonly termsAt: (at: number) => CallTerms;
  readonly length: LimitedAnswer;
  /** Estimates the prompt, which takes as long as the prompt is. */
  readonly size: () => SizedPrompt;
}

/** One candidate of a call. */
interface UpstreamWay extends AnsweredName {
  readonly format?: string;
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
  const { model, ways: [first] } = call;
  const { prices, nowMs, recent } = options;
  const price = prices.priceFor(namesOf(first, model), nowMs);
  if (!price && needsPrice(caller)) throw unpricedRefusal(model, caller.group);
  const priceOf = (other: string) => prices.priceFor({ model: other }, nowMs);
  const ways = pricedWays(caller, call, { price, priceOf, options });
  const { upstreamPriceFor } = prices;
  const terms = { caller, model, price, priceOf, upstreamPriceFor, prices: pricesOf(ways) };
  if (!isCounted(caller)) {
    const nanoUsd = ways.every(({ price }) => isFree(price)) ? 0n : 1n;
    return { ...terms, tokens: 0, boundNanoUsd: nanoUsd, leastNanoUsd: nanoUsd };
  }
  const size = call.size();
  const length = answerLengthOf(call.length, { known: knownLimitsOf(call, options), recent });
  const tokens = recent?.average ??
    size.inputTokens + Math.min(length.most, length.likely) * size.alternatives;
  return limitedEstimate({ ...terms, tokens }, length, dearest(ways, caller, size));
}

function namesOf({ model, upstreamModel }: UpstreamWay, stated: string) {
  return { model: model ?? stated, upstreamModel };
}

/** Returns true if the caller may not call a model without a price. */
export function needsPrice(caller: Caller): boolean {
  return !allowsUnpriced(caller.group, isBoundByMoney(caller));
}

/** The estimate with the cost of answers of these lengths. */
function limitedEstimate(
  terms: Omit<CostEstimate, "boundNanoUsd" | "leastNanoUsd">,
  { most, likely, least, longest, isLimitable }: AnswerLength,
  bounds: readonly LinearBound[],
): CostEstimate {
  const costs = (outputTokens: number) => costAt(bounds, outputTokens);
  const boundNanoUsd = costs(most);
  if (!isLimitable) return { ...terms, boundNanoUsd, leastNanoUsd: boundNanoUsd };
  return {
    ...terms,
    boundNanoUsd,
    enoughNanoUsd: likely === most ? boundNanoUsd : costs(likely),
    leastNanoUsd: costs(least),
    outputTokensFor: (nanoUsd) => Math.min(longest, affordableOutput(most, nanoUsd, costs)),
  };
}

/** The highest cost of an answer of a length at any candidate; above 0 unless the call is free. */
function costAt(bounds: readonly LinearBound[], outputTokens: number): bigint {
  const nanoUsd = boundAt(bounds, outputTokens);
  return nanoUsd === 0n && bounds.length > 0 ? 1n : nanoUsd; // hosted tools may cost something
}

/** A price that may apply, with the terms that the call may be served on. */
interface PricedWay extends AnsweredName {
  readonly price: Price;
  readonly terms: TermBounds;
}

/** The distinct formats and model names of the candidates that have a price. Throws `tier_unpriced`. */
function pricedWays(
  caller: Caller,
  { model, ways, termsAt }: EstimatedCall,
  { price: first, priceOf, options: { prices, nowMs } }: {
    readonly price: Price | undefined;
    readonly priceOf: PriceOf;
    readonly options: CostEstimateOptions;
  },
): readonly PricedWay[] {
  const priced: PricedWay[] = [];
  for (let at = 0; at < ways.length; at++) {
    if (at > 0 && isRepeated(ways, at)) continue;
    const way = ways[at];
    const price = at === 0 ? first : prices.priceFor(namesOf(way, model), nowMs);
    if (!price) continue;
    const terms = boundTerms(caller, { model, price, terms: termsAt(at), priceOf });
    priced.push({ upstreamModel: way.upstreamModel, model: way.model, price, terms });
  }
  return priced;
}

/** Returns true if an earlier way has the same format and model names. */
function isRepeated(ways: readonly UpstreamWay[], at: number): boolean {
  const { format, upstreamModel, model } = ways[at];
  return ways.findIndex((way) =>
    way.upstreamModel === upstreamModel && way.format === format && way.model === model
  ) < at;
}

/** The prices by the name that answers; undefined if they are the same. */
function pricesOf(ways: readonly PricedWay[]): ReadonlyMap<string, Price> | undefined {
  const isSame = ({ price, model }: PricedWay) => price === ways[0].price && model === undefined;
  return ways.every(isSame)
    ? undefined
    : new Map(ways.map((way) => [answeredName(way), way.price]));
}

/** The bounds at all candidates: the highest applies. Empty if the call is free. */
function dearest(
  ways: readonly PricedWay[],
  { group: { priceRatio } }: Caller,
  { inputTokens, alternatives, hostedToolCalls, unused }: SizedPrompt,
): readonly LinearBound[] {
  let bounds: readonly LinearBound[] = [];
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
    const own = boundsOf(price, priceRatio, call);
    bounds = bounds.length === 0 ? own : [...bounds, ...own];
  }
  return bounds;
}

/** The output limit of each candidate model, undefined if not known; none if the caller set one. */
function knownLimitsOf(
  { model, ways, length: { envelope } }: EstimatedCall,
  { prices }: CostEstimateOptions,
): readonly (number | undefined)[] {
  if (envelope.maxOutputTokens !== undefined) return noLimits;
  const limits: (number | undefined)[] = [];
  for (const way of ways) limits.push(prices.limitsFor(namesOf(way, model)).maxOutputTokens);
  return limits;
}

const noLimits: readonly undefined[] = [];

/** Returns true if a limit depends on the size of the caller's calls. */
export function isCounted(caller: Caller): boolean {
  const { key, group, account, project, organization, tags } = caller;
  return hasTokenLimit(key) || hasTokenLimit(group) || hasTokenLimit(account) ||
    hasTokenLimit(project) || hasTokenLimit(organization) ||
    tags?.some(({ bounds }) => hasTokenLimit(bounds)) === true || isBoundByMoney(caller);
}

function hasTokenLimit({ limits }: Bounds = {}): boolean {
  return limits?.tokensPerMinute !== undefined || limits?.tokensPerWindow !== undefined;
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

/** The members of a call, apart from its tokens, that change its price at one upstream. */
interface CallTerms {
  /** The tier and the region that the request names. */
  readonly named: ServedTier;
  /** Every tier and region in which the call may be served. */
  readonly served: readonly ServedTier[];
  /** Buckets that the upstream may fill although the request does not cause it. */
  readonly fills: readonly TokenBucket[];
  /** Maximum number of billed samplings; default: 1. */
  readonly samplings?: number;
  /** Other models that may answer. */
  readonly fallbacks?: readonly string[];
  /** True if the upstream may choose a fallback model that the request does not name. */
  readonly anyFallback?: boolean;
}

/** The tier, region and fallbacks that a call requests, and the prices to check them against. */
interface AskedTerms {
  readonly model: string;
  readonly price: Price;
  readonly terms: CallTerms;
  readonly priceOf: PriceOf;
}

/** The part of a call's bounds that its terms determine. */
type TermBounds = Pick<CallBounds, "served" | "fills" | "samplings" | "others">;

/**
 * The tiers, samplings and fallback models for the upper bound of a call's cost. Throws
 * `tier_unpriced` if money limits the caller and a requested tier, region or model has no price.
 */
function boundTerms(
  caller: Caller,
  { model, price, terms, priceOf }: AskedTerms,
): TermBounds {
  const { samplings, fallbacks, served, fills } = terms;
  const isStrict = isBoundByMoney(caller) && !allowsUnpriced(caller.group, true);
  if (isStrict) assertPriced(model, price, terms);
  if (!fallbacks) return terms;
  const others = fallbacks.map(priceOf);
  const unpriced = fallbacks.find((_, at) => others[at] === undefined);
  if (isStrict && unpriced !== undefined) throw tierRefusal(model, { fallback: unpriced });
  return { served, fills, samplings, others: others.filter((other) => other !== undefined) };
}

function assertPriced(
  model: string,
  price: Price,
  { named: { tier, region }, anyFallback }: CallTerms,
): void {
  const isStandard = tier === undefined || tier === standardTier;
  if (!isStandard && !price.serviceTiers.has(tier)) throw tierRefusal(model, { tier });
  if (region !== undefined && ratesFor(price, 0, { region }).unpriced !== undefined) {
    throw tierRefusal(model, { region });
  }
  if (anyFallback) throw tierRefusal(model, {});
}
