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

/**
 * Estimates the tokens of a text without a tokenizer: above the exact count for practically all
 * text of people and programs, and below it only for text made to be expensive (random words, signs
 * or rare characters). Takes a nanosecond or two a character.
 */
export function estimatedTextTokens(text: string): number {
  return (text.length < bufferedCharsMin ? undefined : asciiTokens(text)) ?? anyTokens(text);
}

/** A copy of a text's bytes is read in three quarters of the time, and made in a fraction of it. */
const bufferedCharsMin = 128;
const buffer = new Uint8Array(128 * 1024);
const encoder = new TextEncoder();

/** Undefined if the text is too long for the buffer, or is not ASCII. */
function asciiTokens(text: string): number | undefined {
  const { read, written } = encoder.encodeInto(text, buffer);
  if (read !== text.length || written !== read) return undefined;
  let hundredths = 0;
  let before: number = kindAtStart;
  let letters = 0;
  for (let at = 0; at < written; at++) {
    const kind = characterKinds[buffer[at]];
    hundredths += costOf[before | kind & kindMask];
    letters = letters + 1 & kind >> kindBits;
    if (letters > wordLettersMax) hundredths += strangeLetterCost;
    before = (kind & kindMask) << kindBits;
  }
  return hundredths / 100;
}

/** A character other than ASCII does not end a word. */
function anyTokens(text: string): number {
  let hundredths = 0;
  let before: number = kindAtStart;
  let letters = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < asciiCount) {
      const kind = characterKinds[code];
      hundredths += costOf[before | kind & kindMask];
      letters = letters + 1 & kind >> kindBits;
      if (letters > wordLettersMax) hundredths += strangeLetterCost;
      before = (kind & kindMask) << kindBits;
    } else {
      hundredths += wideCostOf[code >> asciiBits];
      before = kindAfterWide;
    }
  }
  return hundredths / 100;
}

const kinds = ["lower", "upper", "digit", "sign", "space", "line", "wide"] as const;
type Kind = typeof kinds[number];

/**
 * The cost of an ASCII character, by its kind and the previous kind: a word, a number or a run of
 * signs starts with a token and continues with a fraction of one, and a space belongs to the next
 * word. Chosen above the tokenizer's need for prose in many languages, code, JSON, tables of
 * numbers, identifiers and encoded bytes; English comes to a token per three characters.
 */
const costs = {
  lower: { lower: 0.25, upper: 0.4, digit: 1, sign: 1, space: 1, line: 1, wide: 0.35 },
  upper: { lower: 1, upper: 0.35, digit: 1, sign: 1, space: 1, line: 1, wide: 1 },
  digit: { lower: 1, upper: 1, digit: 0.34, sign: 1, space: 2, line: 1, wide: 1 },
  sign: { lower: 1, upper: 1, digit: 1, sign: 0.45, space: 1, line: 1, wide: 1 },
  space: { lower: 0.1, upper: 0.1, digit: 0.1, sign: 0.1, space: 0.1, line: 0.1, wide: 0.1 },
  line: { lower: 0.7, upper: 0.7, digit: 0.7, sign: 0.7, space: 1, line: 0.4, wide: 0.7 },
} as const satisfies Record<Exclude<Kind, "wide">, Record<Kind, number>>;

/** A run of letters longer than this is an encoding or an unknown name. */
const wordLettersMax = 12;
/** In hundredths. */
const strangeLetterCost = 35;

/** The cost of other characters, by the first code of their block. Blocks are multiples of 128 codes. */
const wideCosts: readonly (readonly [from: number, cost: number])[] = [
  [0x0080, 1], // Latin with marks
  [0x0280, 2],
  [0x0380, 0.55], // Greek, Cyrillic
  [0x0500, 0.55], // Armenian, Hebrew, Arabic
  [0x0700, 2],
  [0x0900, 0.9], // the scripts of India
  [0x0e00, 0.8], // Thai
  [0x0e80, 2.3], // Lao, Tibetan
  [0x1000, 1], // Burmese, Georgian
  [0x1100, 2.5],
  [0x1780, 1], // Khmer
  [0x1800, 2.5],
  [0x1e00, 1], // Vietnamese
  [0x1f00, 2],
  [0x2000, 1.2], // quotation marks, dashes
  [0x2080, 2.5], // arrows, mathematics
  [0x2500, 0.8], // the lines of tables
  [0x2580, 2],
  [0x3000, 1.2], // Chinese and Japanese
  [0xa000, 3],
  [0xac00, 1], // Korean
  [0xd800, 1.6], // half a surrogate pair: emoji, rare scripts
  [0xe000, 3],
  [0xf900, 2.5],
  [0xff00, 1.5], // full-width forms
];

const asciiBits = 7;
const asciiCount = 1 << asciiBits;
const kindBits = 3;
const kindMask = (1 << kindBits) - 1;

const kindAtStart = kinds.indexOf("line") << kindBits;
const kindAfterWide = kinds.indexOf("wide") << kindBits;

/** The kind of every ASCII character; all bits above it are set for letters, which continue a word. */
const characterKinds = Int8Array.from({ length: asciiCount }, (_, code) => {
  const kind = asciiKind(code);
  return kinds.indexOf(kind) | (kind === "lower" || kind === "upper" ? ~kindMask : 0);
});

/** By the kind of the previous character and the character's own, in hundredths. */
const costOf = Uint8Array.from({ length: kinds.length << kindBits }, (_, pair) => {
  const kind = kinds[pair & kindMask];
  const isAscii = kind !== undefined && kind !== "wide";
  return isAscii ? hundredthsOf(costs[kind][kinds[pair >> kindBits]]) : 0;
});

/** By the character's code without its last bits, in hundredths. */
const wideCostOf = Uint16Array.from({ length: 0x10000 >> asciiBits }, (_, block) => {
  const code = block << asciiBits;
  return hundredthsOf(wideCosts.findLast(([from]) => from <= code)?.[1] ?? 0);
});

function hundredthsOf(cost: number): number {
  return Math.round(cost * 100);
}

function asciiKind(code: number): Exclude<Kind, "wide"> {
  const char = String.fromCharCode(code);
  if (/[a-z]/.test(char)) return "lower";
  if (/[A-Z]/.test(char)) return "upper";
  if (/[0-9]/.test(char)) return "digit";
  if (char === " ") return "space";
  return /\s/.test(char) ? "line" : "sign";
}
