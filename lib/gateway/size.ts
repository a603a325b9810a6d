import type { Caller } from "../accounts/authorize.ts";
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type TokenBucket,
} from "../canonical/mod.ts";
import type { Decoded } from "../http/decode.ts";
import { atOnceMax, lengthOf, matchesIn, type ReadText, searchedText } from "../json/mod.ts";
import { type EstimatedCall, isCounted, type SizedPrompt } from "../ledger/mod.ts";
import { Pace } from "../pace.ts";
import { estimateAhead, estimatedInputTokens, mostInputTokens } from "../tokens/mod.ts";
import { termsAt } from "../upstreams/price_terms.ts";
import type { Candidate } from "../upstreams/upstream.ts";

/** JSON escapes of letters, digits and underscores, which hide words from a text search. */
const spelledOut = /\\u00[3-7][0-9a-f]/i;
const hostedNames =
  /(?:web|google|file)_?search|web_fetch|url_?context|code_?execution|code_interpreter/;
/** A name of a hosted tool, or an escape, which may spell one. */
const toolNames = new RegExp(`${hostedNames.source}|${spelledOut.source}`, "i");
/** A member of the input that adds tools (responses). */
const addedTools = /additional_tools/i;

/** Members that hold the conversation. A tool's name inside them is only text. */
const contents: ReadonlySet<string> = new Set([
  "messages",
  "contents",
  "input",
  "instructions",
  "system",
  "systemInstruction",
  "system_instruction",
]);
/** Members of a tool that the caller runs. */
const functionMembers = ["function", "input_schema", "parameters"];
/** Members that list the caller's functions next to hosted tools. */
const functionLists: ReadonlySet<string> = new Set([
  "functionDeclarations",
  "function_declarations",
]);

/** Calls of a hosted tool to reserve for if the request sets no limit; few requests make more. */
const callsAssumed = 8;

/**
 * The number of hosted tool calls to reserve for: the request's own limit if it sets one. `text` is
 * its body's text. Reads the settings and the tools, which are short: the whole text is searched for
 * one word only.
 */
export function hostedToolCallsIn(body: JsonObject, text: string): number {
  if (addedTools.test(text)) return names(text) ? callsAssumed : 0;
  for (const name in body) {
    if (name === "tools" || contents.has(name)) continue;
    if (names(name) || mentions(body[name])) return callsAssumed;
  }
  if (body.tools === undefined) return 0;
  const tools = hostedIn(body.tools).filter(mentions);
  return tools.reduce((sum: number, tool) => sum + usesOf(tool), 0);
}

/** The shortest is an escape; a longer string is prose. */
const nameChars = { min: 6, max: 512 };
/** A value with more strings is not searched to its end. */
const stringsMax = 10_000;

/** Returns true if a value has the name of a hosted tool, or too many strings to look at each. */
function mentions(root: JsonValue | undefined): boolean {
  if (typeof root !== "object" && typeof root !== "string") return false; // as most settings
  let left = stringsMax;
  const isNamed = (text: string) =>
    --left < 0 || (text.length >= nameChars.min && text.length <= nameChars.max && names(text));
  const isIn = (value: JsonValue | undefined): boolean => {
    if (typeof value === "string") return isNamed(value);
    if (Array.isArray(value)) return value.some(isIn);
    if (!isJsonObject(value)) return false;
    for (const name in value) if (isNamed(name) || isIn(value[name])) return true;
    return false;
  };
  return isIn(root);
}

function usesOf(tool: JsonValue): number {
  const uses = isJsonObject(tool) ? tool.max_uses : undefined;
  return typeof uses === "number" && uses >= 0 ? Math.ceil(uses) : callsAssumed;
}

function names(text: string): boolean {
  return toolNames.test(text);
}

/** The tools that the vendor runs: without those that the caller runs itself. */
function hostedIn(tools: JsonValue | undefined): readonly JsonValue[] {
  const all = Array.isArray(tools) ? tools : [tools ?? null];
  return all.flatMap((tool): JsonValue[] => {
    if (!isJsonObject(tool)) return [tool];
    if (functionMembers.some((name) => name in tool)) return [];
    return [Object.fromEntries(Object.entries(tool).filter(([name]) => !functionLists.has(name)))];
  });
}

/** Computes what the ledger needs to price a call: its size and its terms, without its text. */
export function estimatedCallOf(
  decoded: Decoded,
  candidates: readonly Candidate[],
  size: EstimatedCall["size"],
): EstimatedCall {
  return {
    model: decoded.envelope.model,
    ways: candidates,
    termsAt: (at) => {
      const { samplings } = decoded;
      const terms = termsAt(candidates[at], decoded);
      return samplings === undefined ? terms : { ...terms, samplings };
    },
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
 * A text without a match of both has none of these words and no escape that may hide one. Two
 * patterns with words of a similar length, because V8 searches for those several times as fast.
 */
const [anyName, anyLifetime] = [/audio|image|cache_[cbo]|\\u00/i, /"(?:30m|1h|12h)"/i];

const sizeWords = [...bucketWords.map(({ word }) => word), spelledOut, addedTools];
const sizeHints = [anyName, anyLifetime, addedTools];

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
  const used: TokenBucket[] = [];
  let names = model;
  for (const { upstreamModel } of candidates) names += `\n${upstreamModel}`;
  for (const { word, buckets } of mediaWords) if (word.test(names)) used.push(...buckets);
  return used;
}

function bucketsWithoutWord(text: string): readonly TokenBucket[] {
  if (!anyName.test(text) && !anyLifetime.test(text)) return wordBuckets;
  if (spelledOut.test(text)) return [];
  return bucketWords.flatMap(({ word, buckets }) => word.test(text) ? [] : buckets);
}

const wordBuckets = bucketWords.flatMap(({ buckets }) => buckets);
