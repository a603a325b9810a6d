import type { Caller } from "../accounts/authorize.ts";
import type { JsonObject, TokenBucket } from "../canonical/mod.ts";
import type { Decoded } from "../http/decode.ts";
import { estimateAhead, estimatedInputTokens } from "../tokens/mod.ts";
import type { Candidate } from "../upstreams/upstream.ts";
import { allowsUnpriced } from "../store/catalog/mod.ts";
import { termsAt } from "../upstreams/price_terms.ts";
import { type AnswerLength, answerLengthOf } from "./answer_length.ts";
import { boundTerms } from "./call_terms.ts";
import { isBoundByMoney } from "./limit_requests.ts";
import { affordableOutput, type CallBounds, upperBoundOf } from "./cost_bound.ts";
import type { PriceOf } from "./cost.ts";
import type { CostEstimate } from "./hold.ts";
import { hostedToolCallsIn, spelledOut } from "./hosted_tools.ts";
import type { Price } from "./price.ts";
import type { Prices } from "./prices.ts";
import type { RecentTokens } from "./recent_use.ts";
import { unpricedRefusal } from "./refusal.ts";

interface CostEstimateOptions {
  readonly prices: Prices;
  readonly nowMs: number;
  /** The use of recent calls of this key and model, where there were some. */
  readonly recent?: RecentTokens;
}

/**
 * The use that a call may make, whichever candidate answers: the dearest counts. Counts the
 * prompt only where a limit asks for it: a caller without one is only charged. Throws
 * `model_unpriced`.
 */
export function costEstimateOf(
  caller: Caller,
  decoded: Decoded,
  candidates: readonly Candidate[],
  options: CostEstimateOptions,
): CostEstimate {
  const { model } = decoded.envelope;
  const priced = pricesOf(model, candidates, options);
  const price = priced.get(candidates[0].upstreamModel);
  if (!price && !allowsUnpriced(caller.group, isBoundByMoney(caller))) throw unpricedRefusal(model);
  const all = [...new Set(priced.values())];
  const priceOf = (other: string) => options.prices.priceFor({ model: other }, options.nowMs);
  const estimate = {
    caller,
    model,
    ...(price && { price, priceOf }),
    ...(all.length > 1 && { prices: priced }),
  };
  const ways = waysOf(caller, decoded, { candidates, priced, priceOf });
  if (!isCounted(caller)) {
    const boundNanoUsd = all.every(isFree) ? 0n : 1n;
    return { ...estimate, tokens: 0, boundNanoUsd, leastNanoUsd: boundNanoUsd };
  }
  const known = knownLimitsOf(model, candidates, options);
  return { ...estimate, ...needOf(caller, decoded, { ways, known, recent: options.recent }) };
}

/** The money and the tokens that the call may use. */
function needOf(
  caller: Caller,
  decoded: Decoded,
  { ways, known, recent }: {
    readonly ways: readonly Way[];
    /** The output limit of each model that may answer. */
    readonly known: readonly (number | undefined)[];
    readonly recent?: RecentTokens;
  },
): Omit<CostEstimate, "caller" | "model"> {
  const call = boundsOf(decoded);
  const length = answerLengthOf(decoded, { known, recent });
  return {
    ...moneyFor(length, (outputTokens) => dearest(ways, caller, { ...call, outputTokens })),
    tokens: recent?.average ??
      call.inputTokens + Math.min(length.most, length.likely) * call.alternatives,
  };
}

/** Estimates a long body ahead where a limit asks how much its call may use; see `estimateAhead`. */
export async function estimateLong(
  caller: Caller,
  body: JsonObject,
  giveWay: () => Promise<void> | undefined,
): Promise<void> {
  if (isCounted(caller)) await estimateAhead(body, giveWay);
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
    enoughNanoUsd: costs(likely),
    leastNanoUsd: costs(least),
    outputTokensFor: (nanoUsd) => Math.min(longest, affordableOutput(most, nanoUsd, costs)),
  };
}

/** Everything that is known of the call but the length of its answer. */
function boundsOf(decoded: Decoded): Omit<CallBounds, "outputTokens"> {
  const { wire: { body }, envelope: { alternatives }, fileTokens = 0 } = decoded;
  const text = decoded.text.toLowerCase();
  return {
    inputTokens: estimatedInputTokens(body) + fileTokens,
    alternatives,
    hostedToolCalls: hostedToolCallsIn(body, text),
    unused: unusedBuckets(text, decoded.fills),
  };
}

/** A price that may count, and how the call may be served at it. */
interface Way extends Pick<CallBounds, "served" | "samplings" | "others"> {
  readonly price: Price;
  /** Buckets that the upstream may fill although the request does not ask for it. */
  readonly fills: readonly TokenBucket[];
}

/** Each price and way to be served that a candidate may bring. Throws `tier_unpriced`. */
function waysOf(
  caller: Caller,
  decoded: Decoded,
  { candidates, priced, priceOf }: {
    readonly candidates: readonly Candidate[];
    readonly priced: ReadonlyMap<string, Price>;
    readonly priceOf: PriceOf;
  },
): Way[] {
  const { model } = decoded.envelope;
  const ways = new Map<string, Way>();
  for (const candidate of candidates) {
    const price = priced.get(candidate.upstreamModel);
    const id = `${candidate.format} ${candidate.upstreamModel}`;
    if (!price || ways.has(id)) continue;
    const terms = termsAt(candidate, decoded);
    const bounds = boundTerms(caller, { model, price, terms, priceOf });
    ways.set(id, { price, fills: terms.fills, ...bounds });
  }
  return [...ways.values()];
}

function dearest(ways: readonly Way[], caller: Caller, call: CallBounds): bigint {
  let most = 0n;
  for (const { price, fills, ...terms } of ways) {
    if (isFree(price)) continue;
    const unused = call.unused?.filter((bucket) => !fills.includes(bucket));
    const bound = upperBoundOf(price, caller.group.priceRatio, { ...call, ...terms, unused });
    if (bound > most) most = bound;
    if (most === 0n) most = 1n; // what costs nothing by its tokens may cost by its tools
  }
  return most;
}

/** By the upstream's name of the model; without those that have none. */
function pricesOf(
  model: string,
  candidates: readonly Candidate[],
  { prices, nowMs }: CostEstimateOptions,
): ReadonlyMap<string, Price> {
  const found = new Map<string, Price>();
  for (const { upstreamModel } of candidates) {
    if (found.has(upstreamModel)) continue;
    const price = prices.priceFor({ model, upstreamModel }, nowMs);
    if (price) found.set(upstreamModel, price);
  }
  return found;
}

/** How long answers of each of the models may be. */
function knownLimitsOf(
  model: string,
  candidates: readonly Candidate[],
  { prices }: CostEstimateOptions,
): readonly (number | undefined)[] {
  const names = new Set(candidates.map(({ upstreamModel }) => upstreamModel));
  return [...names].map((upstreamModel) =>
    prices.limitsFor({ model, upstreamModel }).maxOutputTokens
  );
}

function isCounted(caller: Caller): boolean {
  const { key, group, account } = caller;
  return isBoundByMoney(caller) ||
    [key, group, account].some(({ limits }) => limits?.tokensPerMinute !== undefined);
}

function isFree(price: Price): boolean {
  const { requestNanoUsd, hostedTools, serviceTiers } = price;
  const rates = [price, ...serviceTiers.values()].flatMap((set) => [set, ...set.tiers])
    .map((one) => one.rates);
  const amounts = [...rates, hostedTools].flatMap((one) => Object.values(one));
  return [requestNanoUsd, ...amounts].every((amount) => amount === 0n);
}

/** Buckets that a request without these words cannot fill. */
const bucketWords: readonly { readonly word: RegExp; readonly buckets: readonly TokenBucket[] }[] =
  [
    {
      word: /cache_control|prompt_cache_(?:breakpoint|options)/,
      buckets: ["cacheWrite5mTokens", "cacheWrite1hTokens", "cacheWrite12hTokens"],
    },
    // a conversion may ask for the next longer lifetime
    { word: /"(?:30m|1h|12h)"/, buckets: ["cacheWrite1hTokens"] },
    { word: /"(?:1|12)h"/, buckets: ["cacheWrite12hTokens"] },
    { word: /audio/, buckets: ["audioInputTokens", "audioOutputTokens"] },
    { word: /image/, buckets: ["imageInputTokens", "imageOutputTokens"] },
  ];

function unusedBuckets(text: string, fills: readonly TokenBucket[] = []): TokenBucket[] {
  if (spelledOut.test(text)) return [];
  return bucketWords.flatMap(({ word, buckets }) => word.test(text) ? [] : buckets)
    .filter((bucket) => !fills.includes(bucket));
}
