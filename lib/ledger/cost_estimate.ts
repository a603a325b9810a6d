import type { Caller } from "../accounts/authorize.ts";
import type { TokenBucket } from "../canonical/mod.ts";
import { allowsUnpriced } from "../store/catalog/mod.ts";
import { type AnswerLength, answerLengthOf, type LimitedAnswer } from "./answer_length.ts";
import { boundTerms, type CallTerms } from "./call_terms.ts";
import type { PriceOf } from "./cost.ts";
import { affordableOutput, boundOf, type CallBounds } from "./cost_bound.ts";
import type { CostEstimate } from "./hold.ts";
import { isBoundByMoney } from "./limit_requests.ts";
import type { Price } from "./price.ts";
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
  readonly size: () => Omit<CallBounds, "outputTokens">;
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
  readonly recent?: RecentTokens;
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
  const { model, ways: upstreamWays } = call;
  const priced = pricesOf(call, options);
  const price = priced.get(upstreamWays[0].upstreamModel);
  if (!price && !allowsUnpriced(caller.group, isBoundByMoney(caller))) throw unpricedRefusal(model);
  const all = [...new Set(priced.values())];
  const priceOf = (other: string) => options.prices.priceFor({ model: other }, options.nowMs);
  const estimate = {
    caller,
    model,
    ...(price && { price, priceOf }),
    ...(all.length > 1 && { prices: priced }),
  };
  const ways = waysOf(caller, call, { priced, priceOf });
  if (!isCounted(caller)) {
    const boundNanoUsd = all.every(isFree) ? 0n : 1n;
    return { ...estimate, tokens: 0, boundNanoUsd, leastNanoUsd: boundNanoUsd };
  }
  const known = knownLimitsOf(call, options);
  return { ...estimate, ...needOf(caller, call, { ways, known, recent: options.recent }) };
}

/** The money and the tokens that the call may use. */
function needOf(
  caller: Caller,
  { length: request, size }: EstimatedCall,
  { ways, known, recent }: {
    readonly ways: readonly Way[];
    /** The output limit of each candidate model. */
    readonly known: readonly (number | undefined)[];
    readonly recent?: RecentTokens;
  },
): Omit<CostEstimate, "caller" | "model"> {
  const call = size();
  const length = answerLengthOf(request, { known, recent });
  return {
    ...moneyFor(length, dearest(ways, caller, call)),
    tokens: recent?.average ??
      call.inputTokens + Math.min(length.most, length.likely) * call.alternatives,
  };
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

/** A price that may apply, with the terms that the call may be served on. */
interface Way extends Pick<CallBounds, "served" | "samplings" | "others"> {
  readonly price: Price;
  /** Buckets that the upstream may fill although the request does not mention them. */
  readonly fills: readonly TokenBucket[];
}

/** The distinct prices and terms of all candidates. Throws `tier_unpriced`. */
function waysOf(
  caller: Caller,
  { model, ways: upstreamWays }: EstimatedCall,
  { priced, priceOf }: {
    readonly priced: ReadonlyMap<string, Price>;
    readonly priceOf: PriceOf;
  },
): Way[] {
  const ways = new Map<string, Way>();
  for (const { format, upstreamModel, termsAt } of upstreamWays) {
    const price = priced.get(upstreamModel);
    const id = `${format} ${upstreamModel}`;
    if (!price || ways.has(id)) continue;
    const terms = termsAt();
    const bounds = boundTerms(caller, { model, price, terms, priceOf });
    ways.set(id, { price, fills: terms.fills, ...bounds });
  }
  return [...ways.values()];
}

/** The cost at the most expensive candidate, by the length of the answer. */
function dearest(
  ways: readonly Way[],
  { group: { priceRatio } }: Caller,
  call: Omit<CallBounds, "outputTokens">,
): (outputTokens: number) => bigint {
  const bounds = ways.filter(({ price }) => !isFree(price)).map(({ price, fills, ...terms }) => {
    const unused = call.unused?.filter((bucket) => !fills.includes(bucket));
    return boundOf(price, priceRatio, { ...call, ...terms, unused });
  });
  const least = bounds.length > 0 ? 1n : 0n; // of free tokens: hosted tools may cost something
  return (outputTokens) => {
    let most = least;
    for (const bound of bounds) most = highest(most, bound(outputTokens));
    return most;
  };
}

function highest(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}

/** The prices by upstream model name; unpriced models are left out. */
function pricesOf(
  { model, ways }: EstimatedCall,
  { prices, nowMs }: CostEstimateOptions,
): ReadonlyMap<string, Price> {
  const found = new Map<string, Price>();
  for (const { upstreamModel } of ways) {
    if (found.has(upstreamModel)) continue;
    const price = prices.priceFor({ model, upstreamModel }, nowMs);
    if (price) found.set(upstreamModel, price);
  }
  return found;
}

/** The output limit of each candidate model, undefined if not known. */
function knownLimitsOf(
  { model, ways }: EstimatedCall,
  { prices }: CostEstimateOptions,
): readonly (number | undefined)[] {
  const names = new Set(ways.map(({ upstreamModel }) => upstreamModel));
  return [...names].map((upstreamModel) =>
    prices.limitsFor({ model, upstreamModel }).maxOutputTokens
  );
}

/** Returns true if a limit depends on the size of the caller's calls. */
export function isCounted(caller: Caller): boolean {
  const { key, group, account } = caller;
  return isBoundByMoney(caller) ||
    [key, group, account].some(({ limits }) => limits?.tokensPerMinute !== undefined);
}

function isFree(price: Price): boolean {
  return knownFree.getOrInsertComputed(price, () => {
    const { requestNanoUsd, hostedTools, serviceTiers } = price;
    const rates = [price, ...serviceTiers.values()].flatMap((set) => [set, ...set.tiers])
      .map((one) => one.rates);
    const amounts = [...rates, hostedTools].flatMap((one) => Object.values(one));
    return [requestNanoUsd, ...amounts].every((amount) => amount === 0n);
  });
}

/** Kept, because a price has up to a hundred rates and every call asks. */
const knownFree = new WeakMap<Price, boolean>();
