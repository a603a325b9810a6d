import type { Caller } from "../accounts/authorize.ts";
import { lengthOf, type ReadText, searchedText, type TokenBucket } from "../canonical/mod.ts";
import { atOnceMax } from "../http/body/json_scan.ts";
import { matchesIn } from "../http/body/long_search.ts";
import type { Decoded } from "../http/decode.ts";
import { Pace } from "../http/stream/pace.ts";
import { type EstimatedCall, isCounted, type SizedPrompt } from "../ledger/mod.ts";
import { estimateAhead, estimatedInputTokens, mostInputTokens } from "../tokens/mod.ts";
import { termsAt } from "../upstreams/price_terms.ts";
import type { Candidate } from "../upstreams/upstream.ts";
import { addedTools, hostedToolCallsIn, spelledOut, toolNames } from "./hosted_tools.ts";

/** Computes what the ledger needs to price a call: its size and its terms, without its text. */
export function estimatedCallOf(
  decoded: Decoded,
  candidates: readonly Candidate[],
  size: EstimatedCall["size"],
): EstimatedCall {
  return {
    model: decoded.envelope.model,
    ways: candidates,
    termsAt: (at) => termsAt(candidates[at], decoded),
    length: decoded,
    size,
  };
}

/** Longer bodies are estimated in advance; shorter ones take only a few milliseconds. */
const longLength = 512 * 1024;

/**
 * Estimates a long body's tokens asynchronously before its reservation, which is synchronous.
 * Resolves with everything else that prices the call.
 */
export function estimateLong(
  caller: Caller,
  decoded: Decoded,
  candidates: readonly Candidate[],
): Promise<SizeBesidesInput | undefined> | undefined {
  if (lengthOf(decoded.read) < longLength) return undefined;
  return isCounted(caller) ? estimatePaced(decoded, candidates) : Promise.resolve(undefined);
}

async function estimatePaced(
  decoded: Decoded,
  candidates: readonly Candidate[],
): Promise<SizeBesidesInput> {
  const pace = new Pace();
  await pace.turn();
  await estimateAhead(decoded.wire.body, () => pace.giveWay());
  const words = await wordsOf(decoded.read, pace);
  await pace.turn();
  const size = sizeBesidesInput(decoded, candidates, words);
  await pace.turn();
  return size;
}

/** A long body's words that its size depends on. */
async function wordsOf(read: ReadText, pace: Pace): Promise<string> {
  const words = await matchesIn(read, sizeWords, pace, sizeHints);
  return addedTools.test(words) ? `${words}\n${await matchesIn(read, [toolNames], pace)}` : words;
}

export type SizeBesidesInput = Omit<SizedPrompt, "inputTokens">;

/**
 * The most that a call's size can be, by the length of its body: two to four times its estimate, and
 * much faster. Undefined for a body that is parsed in pieces, and for one that may hold a medium.
 */
export function sizeByLength(
  decoded: Decoded,
  candidates: readonly Candidate[],
): SizedPrompt | undefined {
  const { read, fileTokens = 0 } = decoded;
  if (lengthOf(read) > atOnceMax) return undefined;
  const textTokens = mostInputTokens(read);
  if (textTokens === undefined) return undefined;
  return { ...sizeBesidesInput(decoded, candidates), inputTokens: textTokens + fileTokens };
}

/**
 * The estimated size of a call, apart from the length of its answer. `known` is everything except
 * the input, if it is computed already.
 */
export function sizeOf(
  decoded: Decoded,
  candidates: readonly Candidate[],
  known: SizeBesidesInput = sizeBesidesInput(decoded, candidates),
): SizedPrompt {
  const { wire, fileTokens = 0 } = decoded;
  return { ...known, inputTokens: estimatedInputTokens(wire.body) + fileTokens };
}

/** Everything that prices a call except its input tokens; `text` has all that is searched for. */
function sizeBesidesInput(
  decoded: Decoded,
  candidates: readonly Candidate[],
  text = searchedText(decoded.read),
): SizeBesidesInput {
  const { wire: { body }, envelope: { alternatives, model }, read } = decoded;
  const media = mediaOf(model, candidates);
  return {
    alternatives,
    hostedToolCalls: lengthOf(read) === 0 ? 0 : hostedToolCallsIn(body, text), // a form has no text
    unused: unusedBuckets(text, [...decoded.fills ?? [], ...media]),
  };
}

interface BucketWord {
  readonly word: RegExp;
  readonly buckets: readonly TokenBucket[];
}

const mediaWords: readonly BucketWord[] = [
  { word: /audio/i, buckets: ["audioInputTokens", "audioOutputTokens"] },
  { word: /image/i, buckets: ["imageInputTokens", "imageOutputTokens"] },
];

/**
 * Buckets that a request cannot fill if it has none of these words; for media, if the names of its
 * models have none either.
 */
const bucketWords: readonly BucketWord[] = [
  {
    word: /cache_control|prompt_cache_[bo]/i, // a breakpoint or options
    buckets: ["cacheWrite5mTokens", "cacheWrite1hTokens", "cacheWrite12hTokens"],
  },
  // a conversion may request the next longer lifetime
  { word: /"(?:30m|1h|12h)"/i, buckets: ["cacheWrite1hTokens"] },
  { word: /"(?:1|12)h"/i, buckets: ["cacheWrite12hTokens"] },
  ...mediaWords,
];

/**
 * A text without a match has none of these words and no escape that may hide one. Two patterns with
 * words of a similar length, because V8 searches for those several times as fast.
 */
const anyWord = [/audio|image|cache_[cbo]|\\u00/i, /"(?:30m|1h|12h)"/i];

const sizeWords = [...bucketWords.map(({ word }) => word), spelledOut, addedTools];
const sizeHints = [...anyWord, addedTools];

/** `used` may be filled whatever the text says. */
function unusedBuckets(text: string, used: readonly TokenBucket[]): readonly TokenBucket[] {
  const unused = bucketsWithoutWord(text);
  return used.length === 0 ? unused : unused.filter((bucket) => !used.includes(bucket));
}

/**
 * Buckets by the names of the models: a model whose name has `image` or `audio` may
 * answer with it, whatever the request says.
 */
function mediaOf(model: string, candidates: readonly Candidate[]): readonly TokenBucket[] {
  const names = [model, ...candidates.map(({ upstreamModel }) => upstreamModel)].join("\n");
  return mediaWords.flatMap(({ word, buckets }) => word.test(names) ? buckets : []);
}

function bucketsWithoutWord(text: string): readonly TokenBucket[] {
  if (!anyWord.some((word) => word.test(text))) return wordBuckets;
  if (spelledOut.test(text)) return [];
  return bucketWords.flatMap(({ word, buckets }) => word.test(text) ? [] : buckets);
}

const wordBuckets = bucketWords.flatMap(({ buckets }) => buckets);
