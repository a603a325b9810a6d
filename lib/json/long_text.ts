import { strictText } from "../bytes.ts";
import type { Pace } from "../pace.ts";
import { type ReadText, searchedPart } from "./read_text.ts";

const sliceBytes = 1024 * 1024;
/** Decoding so much at once takes less time than joining its slices. */
const wholeBytesMax = 4 * sliceBytes;

/**
 * Decodes UTF-8, yielding to other work if the text is long. A byte-order mark is kept. Throws a
 * `TypeError` for bytes that are not UTF-8.
 */
export async function longText(bytes: Uint8Array, pace: Pace): Promise<string> {
  if (bytes.length <= wholeBytesMax) return strictText(bytes);
  const slices: string[] = [];
  for (let at = 0; at < bytes.length;) {
    const end = characterStart(bytes, at + sliceBytes);
    slices.push(strictText(bytes.subarray(at, end)));
    at = end;
    await pace.giveWay();
  }
  return await joined(slices, pace);
}

/**
 * The same for a string in JSON, with its quotes. Throws a `SyntaxError` for a malformed one. Empty
 * if it is only checked.
 */
export async function longString(
  bytes: Uint8Array,
  pace: Pace,
  isChecked = false,
): Promise<string> {
  const last = bytes.length - 1;
  const slices: string[] = [];
  for (let at = 1; at < last;) {
    const end = at + sliceBytes < last ? escapeStart(bytes, at, at + sliceBytes) : last;
    const slice: string = JSON.parse(`"${strictText(bytes.subarray(at, end))}"`);
    if (!isChecked) slices.push(slice);
    at = end;
    await pace.giveWay();
  }
  return await joined(slices, pace);
}

/** More slices make a text that takes too long to copy at once. */
const joinedMax = 32;

/**
 * Joins them in a turn of their own: adding them up leaves the copying to the first reader, which is
 * better for the longest texts only, as those of most answers are never read.
 */
async function joined(slices: readonly string[], pace: Pace): Promise<string> {
  await pace.turn();
  const text = slices.length > joinedMax
    ? slices.reduce((before, slice) => before + slice)
    : slices.join("");
  await pace.turn();
  return text;
}

/** The start of the character that this byte belongs to, if the bytes around it are valid. */
function characterStart(bytes: Uint8Array, at: number): number {
  let start = at;
  while (start > at - 3 && (bytes[start] & 0xc0) === 0x80) start--;
  return start;
}

const backslash = 0x5c;
/** The length of `\u0000`, the longest escape. */
const escapeBytes = 6;

/** Like `characterStart`, or the start of the escape that this byte may belong to; `from` is one. */
function escapeStart(bytes: Uint8Array, from: number, at: number): number {
  const near = at - escapeBytes + 1;
  const found = bytes.subarray(near, at).lastIndexOf(backslash);
  if (found < 0) return characterStart(bytes, at);
  const start = near + found;
  let first = start;
  while (first > from && bytes[first - 1] === backslash) first--;
  return (start - first) % 2 === 0 ? start : characterStart(bytes, at);
}

/** The end of a piece of a text or of bytes; never within a surrogate pair. */
export function pieceEnd(whole: string | Uint8Array, end: number): number {
  if (typeof whole !== "string" || end >= whole.length) return end;
  return (whole.charCodeAt(end - 1) & 0xfc00) === 0xd800 ? end - 1 : end;
}

const partChars = 256 * 1024;
/** No pattern matches more characters. */
const matchCharsMax = 64;

/**
 * The first match of each pattern in a long body, one per line, found with turns for other work.
 * `hints` match every part that may have a match, and are faster to search for.
 */
export async function matchesIn(
  read: ReadText,
  patterns: readonly RegExp[],
  pace: Pace,
  hints = patterns,
): Promise<string> {
  const found = new Map<RegExp, string>();
  for (let at = 0, part = ""; (part = searchedPart(read, at, at + partChars + matchCharsMax));) {
    if (hints.some((hint) => hint.test(part))) {
      for (const pattern of patterns) if (!found.has(pattern)) note(found, pattern, part);
    }
    at += partChars;
    await pace.giveWay();
  }
  return [...found.values()].join("\n");
}

function note(found: Map<RegExp, string>, pattern: RegExp, part: string): void {
  const match = pattern.exec(part)?.[0];
  if (match !== undefined) found.set(pattern, match);
}
