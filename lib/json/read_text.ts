import { Buffer } from "node:buffer";
import { strictText } from "../bytes.ts";
import type { JsonObject } from "./json.ts";
import { isSpace, spaceEnd, stringEndInBytes, valuePartEnd } from "./tokens.ts";

/** The text of a JSON object, and the parsed object. */
export interface ReadText {
  readonly text: string;
  /** The text in UTF-8, if it is at hand: sent instead of the text, it need not be encoded again. */
  readonly bytes?: Uint8Array<ArrayBuffer> | undefined;
  readonly body: JsonObject;
  /** False if no top-level member occurs twice; absent if unknown. */
  readonly repeats?: boolean | undefined;
  /**
   * The text to search for ASCII names and short values: of each string of more than 512 bytes only
   * the first 64, so that a search is faster and ignores prose such as files. Other characters may
   * be garbled. Undefined if little would be left out: the text itself must be searched.
   */
  readonly outline?: string | undefined;
}

/** A JSON object in ASCII. Its text is decoded when it is first read: most calls pass the bytes on. */
export class AsciiText implements ReadText {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly body: JsonObject;
  readonly repeats?: boolean | undefined;
  readonly outline?: string | undefined;
  /** The ends of a long text's long values, by their starts: its members are found without a search. */
  readonly long?: ReadonlyMap<number, number> | undefined;
  #text?: string;
  #members?: readonly NamedRange[];

  constructor(
    bytes: Uint8Array<ArrayBuffer>,
    { body, repeats, outline, long }: Omit<ReadText, "text" | "bytes"> & Pick<AsciiText, "long">,
  ) {
    this.bytes = bytes;
    this.body = body;
    this.repeats = repeats;
    this.outline = outline;
    this.long = long;
  }

  get members(): readonly NamedRange[] | undefined {
    return this.long && (this.#members ??= membersIn(this.bytes, this.long));
  }

  get text(): string {
    return this.#text ??= strictText(this.bytes);
  }

  /** A part of the text. */
  slice(start: number, end: number): string {
    return this.#text?.slice(start, end) ?? strictText(this.bytes.subarray(start, end));
  }
}

/** The text to search for names and short values: the outline, or else the whole text. */
export function searchedText(read: Pick<ReadText, "text" | "outline">): string {
  return read.outline ?? read.text;
}

/** A part of `searchedText`, which is not decoded as a whole for it. */
export function searchedPart(read: ReadText, start: number, end: number): string {
  return read.outline === undefined && read instanceof AsciiText
    ? read.slice(start, end)
    : searchedText(read).slice(start, end);
}

/** The length in bytes. */
export function byteLengthOf(read: ReadText): number {
  return read.bytes?.length ?? Buffer.byteLength(read.text);
}

/** The length in bytes, without encoding the text if they are at hand; else in characters. */
export function lengthOf(read: ReadText): number {
  return read.bytes?.length ?? read.text.length;
}

/** The top-level members of a long text; undefined for another one, which must be searched. */
export function membersOf(read: ReadText): readonly NamedRange[] | undefined {
  return read instanceof AsciiText ? read.members : undefined;
}

const comma = 0x2c;

export interface Range {
  /** The start of its name; `start` is the start of its value. */
  readonly keyStart: number;
  readonly start: number;
  readonly end: number;
}

interface NamedRange extends Range {
  readonly name: string;
}

/** The ranges of the top-level members with a wanted name. */
export function memberRanges(text: string, isWanted: (name: string) => boolean): Range[] {
  const found: Range[] = [];
  let at = skipSpace(text, text.indexOf("{") + 1);
  while (text[at] === '"') {
    const keyEnd = stringEnd(text, at);
    const start = skipSpace(text, skipSpace(text, keyEnd) + 1);
    const end = valueEnd(text, start);
    if (isWanted(JSON.parse(text.slice(at, keyEnd)))) found.push({ keyStart: at, start, end });
    at = skipSpace(text, end);
    if (text[at] !== ",") break;
    at = skipSpace(text, at + 1);
  }
  return found;
}

/** The top-level members of JSON in bytes; `long` has the ends of its long values. */
function membersIn(bytes: Uint8Array, long: ReadonlyMap<number, number>): NamedRange[] {
  const found: NamedRange[] = [];
  for (let keyStart = spaceEnd(bytes, bytes.indexOf(0x7b) + 1); bytes[keyStart] === 0x22;) {
    const keyEnd = stringEndInBytes(bytes, keyStart + 1);
    const start = spaceEnd(bytes, spaceEnd(bytes, keyEnd) + 1);
    const end = long.get(start) ?? valueEndInBytes(bytes, start);
    const name: string = JSON.parse(strictText(bytes.subarray(keyStart, keyEnd)));
    found.push({ name, keyStart, start, end });
    keyStart = spaceEnd(bytes, spaceEnd(bytes, end) + 1);
  }
  return found;
}

function valueEndInBytes(bytes: Uint8Array, start: number): number {
  if (bytes[start] === 0x22 || bytes[start] === 0x5b || bytes[start] === 0x7b) {
    return valuePartEnd(bytes, start);
  }
  let at = start;
  while (at < bytes.length && bytes[at] !== comma && bytes[at] !== 0x7d && !isSpace(bytes[at])) {
    at++;
  }
  return at;
}

/** A member with the comma after it, or the one before it if it is the last. */
export function removedRange(
  codeAt: (at: number) => number,
  { keyStart, end }: Range,
): Pick<Range, "start" | "end"> {
  const spaceEnd = (at: number) => {
    while (isSpace(codeAt(at))) at++;
    return at;
  };
  const after = spaceEnd(end);
  if (codeAt(after) === comma) return { start: keyStart, end: spaceEnd(after + 1) };
  let start = keyStart;
  while (isSpace(codeAt(start - 1))) start--;
  return { start: codeAt(start - 1) === comma ? start - 1 : start, end };
}

export function skipSpace(text: string, at: number): number {
  while (text[at] === " " || text[at] === "\n" || text[at] === "\t" || text[at] === "\r") at++;
  return at;
}

/** The index after the closing quote of the string that starts at `at`. */
export function stringEnd(text: string, at: number): number {
  let end = text.indexOf('"', at + 1);
  while (end > 0 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end + 1;
}

function isEscaped(text: string, at: number): boolean {
  let backslashes = 0;
  while (text[at - 1 - backslashes] === "\\") backslashes++;
  return backslashes % 2 === 1;
}

/** The index after the value that starts at `at`. */
export function valueEnd(text: string, at: number): number {
  if (text[at] === '"') return stringEnd(text, at);
  if (text[at] !== "{" && text[at] !== "[") return scalarEnd(text, at);
  let depth = 0;
  for (let index = at; index < text.length; index++) {
    const char = text[index];
    if (char === '"') index = stringEnd(text, index) - 1;
    else if (char === "{" || char === "[") depth++;
    else if ((char === "}" || char === "]") && --depth === 0) return index + 1;
  }
  return text.length;
}

function scalarEnd(text: string, at: number): number {
  while (at < text.length && !",}] \n\t\r".includes(text[at])) at++;
  return at;
}
