import type { Caller } from "../accounts/authorize.ts";
import type { JsonObject, TokenBucket } from "../canonical/mod.ts";
import type { Decoded } from "../http/decode.ts";
import { estimateAhead, estimatedInputTokens } from "../tokens/mod.ts";
import type { Candidate } from "../upstreams/upstream.ts";
import { defaultGroupId } from "../store/mod.ts";
import { termsAt } from "../upstreams/price_terms.ts";
import { boundTerms } from "./call_terms.ts";
import { isBoundByMoney } from "./claims.ts";
import { type CallBounds, upperBoundOf } from "./cost_bound.ts";
import type { Wanted } from "./hold.ts";
import type { Price } from "./price.ts";
import type { Prices } from "./prices.ts";
import { unpricedRefusal } from "./refusal.ts";

export interface WantedOptions {
  readonly prices: Prices;
  readonly nowMs: number;
  /** The most output tokens of recent calls like this one, where there were some. */
  readonly recentOutputTokens?: number;
}

/** Taken where neither the caller nor anything else says how long an answer may be. */
const answerTokens = 4_096;
const answerTokensMin = 256;

/**
 * What a call may use at most. Counts the prompt only where a limit asks for it: who may spend
 * without end is only charged. Throws `model_unpriced`.
 */
export function wantedOf(
  caller: Caller,
  decoded: Decoded,
  candidate: Candidate,
  options: WantedOptions,
): Wanted {
  const { model } = decoded.envelope;
  const names = { model, upstreamModel: candidate.upstreamModel };
  const price = options.prices.priceFor(names, options.nowMs);
  if (!price && !mayUseUnpriced(caller)) throw unpricedRefusal(model);
  const priceOf = (other: string) => options.prices.priceFor({ model: other }, options.nowMs);
  const wanted = { caller, model, ...(price && { price, priceOf }) };
  const terms = termsAt(candidate, decoded);
  const bounding = price && boundTerms(caller, { model, price, terms, priceOf });
  if (!isCounted(caller)) {
    const boundNanoUsd = price && !isFree(price) ? 1n : 0n;
    return { ...wanted, tokens: 0, boundNanoUsd, leastNanoUsd: boundNanoUsd };
  }
  const { fileTokens = 0 } = decoded;
  const inputTokens = estimatedInputTokens(decoded.wire.body) + fileTokens;
  const { alternatives } = decoded.envelope;
  const { maxOutputTokens } = options.prices.limitsFor(names);
  const outputTokens = decoded.envelope.maxOutputTokens ?? likelyOutput(options, maxOutputTokens);
  const text = decoded.text.toLowerCase();
  const hostedToolCalls = namesHostedTool(text) ? hostedToolCallsReserved : 0;
  const call = {
    ...bounding,
    inputTokens,
    outputTokens,
    alternatives,
    unused: unusedBuckets(text, [...decoded.fills ?? [], ...terms.fills]),
  };
  const boundOf = (bounds: CallBounds) => {
    if (!price || isFree(price)) return 0n;
    const bound = upperBoundOf(price, caller.group.priceRatio, bounds);
    return bound > 0n ? bound : 1n; // what costs nothing by its tokens may cost by its tools
  };
  return {
    ...wanted,
    tokens: inputTokens + Math.min(outputTokens, likelyOutput(options)) * alternatives,
    boundNanoUsd: boundOf({ ...call, hostedToolCalls }),
    leastNanoUsd: boundOf({ ...call, outputTokens: Math.min(outputTokens, 1), alternatives: 1 }),
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

/** The group says; where it says nothing, the default group may while no money bounds the caller. */
function mayUseUnpriced(caller: Caller): boolean {
  const { group } = caller;
  return group.allowUnpriced ?? (group.id === defaultGroupId && !isBoundByMoney(caller));
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

/** Twice what recent answers had, since the next may be longer. */
function likelyOutput({ recentOutputTokens }: WantedOptions, most = answerTokens): number {
  const likely = recentOutputTokens === undefined
    ? answerTokens
    : Math.max(recentOutputTokens * 2, answerTokensMin);
  return Math.min(likely, most);
}

/** Buckets that a request without these words cannot fill. */
const bucketWords: readonly { readonly word: RegExp; readonly buckets: readonly TokenBucket[] }[] =
  [
    {
      word: /cache_control|prompt_cache_breakpoint/,
      buckets: ["cacheWrite5mTokens", "cacheWrite1hTokens"],
    },
    { word: /"(?:1|12)h"/, buckets: ["cacheWrite1hTokens"] },
    { word: /"12h"/, buckets: ["cacheWrite12hTokens"] },
    { word: /audio/, buckets: ["audioInputTokens", "audioOutputTokens"] },
    { word: /image/, buckets: ["imageInputTokens", "imageOutputTokens"] },
  ];

/** As tools are named in lower case, in whatever format. */
const hostedToolWords = [
  "web_search",
  "websearch",
  "google_search",
  "googlesearch",
  "web_fetch",
  "url_context",
  "urlcontext",
  "code_execution",
  "codeexecution",
  "code_interpreter",
  "file_search",
  "filesearch",
];
/** A call that may use a hosted tool rarely uses it more often. */
const hostedToolCallsReserved = 8;

/** Letters, digits and underlines can be spelled out in JSON: then nobody knows which words there are. */
const spelledOut = /\\u00[3-7][0-9a-f]/;

function namesHostedTool(text: string): boolean {
  return hostedToolWords.some((word) => text.includes(word)) || spelledOut.test(text);
}

function unusedBuckets(text: string, fills: readonly TokenBucket[]): TokenBucket[] {
  if (spelledOut.test(text)) return [];
  return bucketWords.flatMap(({ word, buckets }) => word.test(text) ? [] : buckets)
    .filter((bucket) => !fills.includes(bucket));
}
