import type * as O200k from "gpt-tokenizer/encoding/o200k_base";
import { createRequire } from "node:module";
import { atOnce, type Steps } from "../pace.ts";

type Tokenizer = Pick<typeof O200k, "countTokens" | "setMergeCacheSize">;

/** Maximum length that is counted exactly; the rest is estimated by the ratio so far. */
export const exactCharsMax = 512 * 1024;

/** Entries of the tokenizer's own word cache. */
const mergeCacheEntriesMax = 10_000;

/**
 * Merging a long run of letters, marks or blanks takes quadratic time, so runs are cut here. Words
 * of real text are shorter; a cut changes the count by one at most.
 */
const runCharsMax = 64;
const longRuns = new RegExp(
  [String.raw`[\p{L}\p{M}]`, String.raw`\s`, String.raw`[^\s\p{L}\p{M}\p{N}]`]
    .map((kind) => `${kind}{${runCharsMax}}`).join("|"),
  "gu",
);

const words = new RegExp(
  String.raw`\s{0,${runCharsMax}}\S{1,${runCharsMax}}|\s{1,${runCharsMax}}`,
  "gu",
);

/** Control markers such as `<|endoftext|>` are plain text in a caller's message. */
const plainText = { allowedSpecial: new Set<string>(), disallowedSpecial: new Set<string>() };

const loaded: { tokenizer?: Tokenizer } = {};

/** Tokens of a text. Takes at most about a second for any text. */
export function countTextTokens(text: string): number {
  return atOnce(textTokenSteps(text));
}

/** The same in steps. */
export function* textTokenSteps(text: string): Steps<number> {
  if (text === "") return 0;
  const counted = text.slice(0, exactCharsMax);
  let tokens = 0;
  for (const part of partsOf(counted)) {
    tokens += countExactly(part);
    yield;
  }
  return counted === text ? tokens : Math.ceil(tokens * (text.length / exactCharsMax));
}

/** Characters that are counted in one step. */
const stepChars = 16 * 1024;
/** The characters behind a step in which a place between two words is looked for. */
const nearChars = 4 * 1024;
/** The tokenizer never joins such a word with the one after it. */
const betweenWords = /[a-z](?= [a-z])/i;

/** Cuts a long text, between two words if it can, so that its parts have as many tokens. */
function* partsOf(text: string): Generator<string> {
  let start = 0;
  while (text.length - start > stepChars) {
    const end = cutBehind(text, start + stepChars);
    yield text.slice(start, end);
    start = end;
  }
  yield text.slice(start);
}

/** Without such a place, cuts between two characters: the count then is higher by one at most. */
function cutBehind(text: string, at: number): number {
  const found = text.slice(at, at + nearChars).search(betweenWords);
  if (found >= 0) return at + found + 1;
  return /[\uDC00-\uDFFF]/.test(text[at]) ? at + 1 : at;
}

/** The longest prefix of a text with at most `tokensMax` tokens. Never splits a character. */
export function cutToTokens(text: string, tokensMax: number): string {
  if (tokensMax <= 0) return "";
  if (countTextTokens(text) <= tokensMax) return text;
  let kept = 0;
  let left = tokensMax;
  for (const [word] of text.matchAll(words)) {
    const tokens = countExactly(word);
    if (tokens > left) return text.slice(0, kept) + cutWord(word, left);
    kept += word.length;
    left -= tokens;
  }
  return text;
}

/** Counts prefixes of a word. The library's decoder is no alternative: it carries half a character over to the next text. */
function cutWord(word: string, tokensMax: number): string {
  const characters = [...word];
  while (characters.length > 0 && countExactly(characters.join("")) > tokensMax) characters.pop();
  return characters.join("");
}

function countExactly(text: string): number {
  let tokens = 0;
  for (const piece of pieces(text)) tokens += tokenizer().countTokens(piece, plainText);
  return tokens;
}

/**
 * Cuts a text after each `runCharsMax` characters of a long run. A text without long runs is one
 * piece.
 */
function* pieces(text: string): Generator<string> {
  let start = 0;
  for (const { index, 0: run } of text.matchAll(longRuns)) {
    const end = index + run.length;
    yield text.slice(start, end);
    start = end;
  }
  if (start < text.length) yield text.slice(start);
}

/** Loaded on first use: loading takes a tenth of a second and 80 MB. */
function tokenizer(): Tokenizer {
  return loaded.tokenizer ??= loadTokenizer();
}

function loadTokenizer(): Tokenizer {
  const tokenizer: Tokenizer = createRequire(import.meta.url)("gpt-tokenizer/encoding/o200k_base");
  tokenizer.setMergeCacheSize(mergeCacheEntriesMax);
  return tokenizer;
}
