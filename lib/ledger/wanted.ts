import type { Caller } from "../accounts/authorize.ts";
import type { Decoded } from "../http/decode.ts";
import { estimatedInputTokens } from "../tokens/mod.ts";
import type { Candidate } from "../upstreams/upstream.ts";
import { defaultGroupId } from "../store/mod.ts";
import { isBoundByMoney } from "./claims.ts";
import { type CallBounds, upperBoundOf } from "./cost_bound.ts";
import type { Wanted } from "./hold.ts";
import type { Price, TokenBucket } from "./price.ts";
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
  const wanted = { caller, model, ...(price && { price }) };
  if (!isCounted(caller)) {
    const boundNanoUsd = price && !isFree(price) ? 1n : 0n;
    return { ...wanted, tokens: 0, boundNanoUsd, leastNanoUsd: boundNanoUsd };
  }
  const inputTokens = estimatedInputTokens(decoded.wire.body);
  const { alternatives } = decoded.envelope;
  const { maxOutputTokens } = options.prices.limitsFor(names);
  const outputTokens = decoded.envelope.maxOutputTokens ?? likelyOutput(options, maxOutputTokens);
  const unused = unusedBuckets(decoded.text);
  const call = { inputTokens, outputTokens, alternatives, unused };
  const boundOf = (bounds: CallBounds) =>
    price ? upperBoundOf(price, caller.group.priceRatio, bounds) : 0n;
  return {
    ...wanted,
    tokens: inputTokens + Math.min(outputTokens, likelyOutput(options)) * alternatives,
    boundNanoUsd: boundOf(call),
    leastNanoUsd: boundOf({ ...call, outputTokens: 1, alternatives: 1 }),
  };
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

function isFree({ rates, tiers, requestNanoUsd, hostedTools }: Price): boolean {
  const amounts = [rates, ...tiers.map(({ rates }) => rates), hostedTools].flatMap((one) =>
    Object.values(one)
  );
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
const bucketWords: readonly { readonly word: string; readonly buckets: readonly TokenBucket[] }[] =
  [
    { word: "cache_control", buckets: ["cacheWrite5mTokens", "cacheWrite1hTokens"] },
    { word: '"1h"', buckets: ["cacheWrite1hTokens"] },
    { word: "audio", buckets: ["audioInputTokens", "audioOutputTokens"] },
    { word: "image", buckets: ["imageInputTokens", "imageOutputTokens"] },
  ];

function unusedBuckets(text: string): TokenBucket[] {
  const lower = text.toLowerCase();
  return bucketWords.flatMap(({ word, buckets }) => lower.includes(word) ? [] : buckets);
}
