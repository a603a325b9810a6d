import { Buffer } from "node:buffer";
import { strictText } from "../bytes.ts";
import { isSpace, spaceEnd, stringEndInBytes, valuePartEnd } from "./tokens.ts";
import type { JsonObject, JsonValue } from "./json.ts";
import { withOwnMember } from "./late_member.ts";

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

/**
 * Sets one top-level member in the text of a JSON object and keeps every other byte: digits of
 * numbers, escapes of strings, order of members. `text` must be valid JSON of an object; `value` is
 * JSON text. Of a repeated member the last one is replaced, which is the one that parsers keep.
 */
export function withMember(text: string, name: string, value: string): string {
  const range = memberRanges(text, (key) => key === name).at(-1);
  if (range) return text.slice(0, range.start) + value + text.slice(range.end);
  return withFirstMember(text, `${JSON.stringify(name)}:${value}`);
}

/**
 * Like `withMember`, for an object that is already parsed: parses nothing again, and searches only
 * for an existing member. `written` is the value's text.
 */
export function withReadMember(
  read: ReadText,
  name: string,
  { value, written = JSON.stringify(value) }: {
    readonly value: JsonValue;
    readonly written?: string;
  },
): ReadText {
  const body = withOwnMember(read.body, name, value);
  if (Object.hasOwn(read.body, name)) {
    const range = knownRange(read, name);
    if (range) return replaced(read, range, { written, body });
  }
  const member = `${JSON.stringify(name)}:${written}${isEmpty(read) ? "" : ","}`;
  return replaced(read, afterBrace(read), { written: member, body });
}

/** Like `withMembers`, for an object that is already parsed. */
export function withReadMembers(
  read: ReadText,
  changes: Readonly<Record<string, JsonValue | undefined>>,
): ReadText {
  return Object.entries(changes).reduce((changed, [name, value]) => {
    if (value !== undefined) return withReadMember(changed, name, { value });
    if (!Object.hasOwn(changed.body, name)) return changed;
    return withoutReadMember(changed, name);
  }, read);
}

function withoutReadMember(read: ReadText, name: string): ReadText {
  const ranges = membersOf(read)?.filter((member) => member.name === name) ?? [];
  if (!(read instanceof AsciiText) || ranges.length !== 1) {
    return { text: withoutMember(read.text, name), body: read.body };
  }
  const { [name]: _, ...body } = read.body;
  return replaced(read, removedRange((at) => read.bytes[at], ranges[0]), { written: "", body });
}

/** The top-level members of a long text; undefined for another one, which must be searched. */
function membersOf(read: ReadText): readonly NamedRange[] | undefined {
  return read instanceof AsciiText ? read.members : undefined;
}

interface Change {
  readonly written: string;
  /** The changed object. */
  readonly body: JsonObject;
}

/** Replaces a range of the text, and the same range of its bytes. */
function replaced(
  read: ReadText,
  { start, end }: Pick<Range, "start" | "end">,
  { written, body }: Change,
): ReadText {
  const { bytes, repeats } = read;
  const outline = read.outline && read.outline + written; // the replaced value stays in it
  const rest = { body, repeats, outline };
  if (read instanceof AsciiText) {
    const joined = withBytes(read.bytes, { start, end }, written);
    const longer = start - end + written.length;
    const isAscii = joined.length === read.bytes.length + longer;
    const long = read.long && moved(read.long, { start, end }, longer);
    return isAscii
      ? new AsciiText(joined, { ...rest, long })
      : { text: strictText(joined), bytes: joined, ...rest };
  }
  const { text } = read;
  const changed = text.slice(0, start) + written + text.slice(end);
  if (!bytes || isEncodedFast(text, bytes)) return { text: changed, ...rest };
  const range = { start: byteAt(text, bytes, start), end: byteAt(text, bytes, end) };
  return { text: changed, bytes: withBytes(bytes, range, written), ...rest };
}

/** The places of long values after a range became longer. */
function moved(
  long: ReadonlyMap<number, number>,
  { start, end }: Pick<Range, "start" | "end">,
  longer: number,
): ReadonlyMap<number, number> {
  const places = new Map<number, number>();
  for (const [from, to] of long) {
    if (to <= start) places.set(from, to);
    else if (from >= end) places.set(from + longer, to + longer);
    else if (from < start && to >= end) places.set(from, to + longer);
  }
  return places;
}

function withBytes(
  bytes: Uint8Array<ArrayBuffer>,
  { start, end }: Pick<Range, "start" | "end">,
  written: string,
): Uint8Array<ArrayBuffer> {
  const middle = encoder.encode(written);
  const joined = new Uint8Array(bytes.length + start - end + middle.length);
  joined.set(bytes.subarray(0, start));
  joined.set(middle, start);
  joined.set(bytes.subarray(end), start + middle.length);
  return joined;
}

const encoder = new TextEncoder();
const shortBytes = 2 * 1024;

/** Returns true if encoding the whole text takes no longer than replacing a range of its bytes. */
function isEncodedFast(text: string, bytes: Uint8Array): boolean {
  return bytes.length <= shortBytes || bytes.length === text.length; // ASCII
}

/** The position of a character in a text's bytes, by encoding the shorter side of the text. */
function byteAt(text: string, bytes: Uint8Array, at: number): number {
  return at < text.length / 2
    ? encoder.encode(text.slice(0, at)).length
    : bytes.length - encoder.encode(text.slice(at)).length;
}

/** Like `memberText`, for an object that is already parsed. */
export function readMemberText(read: ReadText, name: string): string | undefined {
  const range = Object.hasOwn(read.body, name) ? knownRange(read, name) : undefined;
  return range && (read instanceof AsciiText ? read : read.text).slice(range.start, range.end);
}

/** Sets several members, and removes those whose value is `undefined`. */
export function withMembers(
  text: string,
  changes: Readonly<Record<string, JsonValue | undefined>>,
): string {
  return Object.entries(changes).reduce(
    (changed, [name, value]) =>
      value === undefined
        ? withoutMember(changed, name)
        : withMember(changed, name, JSON.stringify(value)),
    text,
  );
}

/** Sets members that `text` does not have, without searching it. */
export function withNewMembers(
  text: string,
  members: Readonly<Record<string, JsonValue>>,
): string {
  const written = Object.entries(members).map(([name, value]) =>
    `${JSON.stringify(name)}:${JSON.stringify(value)}`
  );
  return written.reduce(withFirstMember, text);
}

function withFirstMember(text: string, member: string): string {
  const start = text.indexOf("{") + 1;
  return `${text.slice(0, start)}${member}${hasNoMember(text) ? "" : ","}${text.slice(start)}`;
}

function isEmpty(read: ReadText): boolean {
  return read instanceof AsciiText ? Object.keys(read.body).length === 0 : hasNoMember(read.text);
}

function hasNoMember(text: string): boolean {
  return text[skipSpace(text, text.indexOf("{") + 1)] === "}";
}

/** The empty range at which a first member is inserted. */
function afterBrace(read: ReadText): Pick<Range, "start" | "end"> {
  const brace = read instanceof AsciiText ? read.bytes.indexOf(0x7b) : read.text.indexOf("{");
  return { start: brace + 1, end: brace + 1 };
}

/** The text of a top-level member's value, the last if repeated; undefined if there is none. */
export function memberText(text: string, name: string): string | undefined {
  const range = memberRanges(text, (key) => key === name).at(-1);
  return range && text.slice(range.start, range.end);
}

/** Removes every occurrence of a top-level member. */
export function withoutMember(text: string, name: string): string {
  return memberRanges(text, (key) => key === name).reverse().reduce(withoutRange, text);
}

function withoutRange(text: string, range: Range): string {
  const { start, end } = removedRange((at) => text.charCodeAt(at), range);
  return text.slice(0, start) + text.slice(end);
}

/** A member with the comma after it, or the one before it if it is the last. */
function removedRange(
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

const comma = 0x2c;

/**
 * Returns true if the top-level member `name` occurs more than once, in any case: parsers differ in
 * which one they use, and some ignore the case.
 */
export function isAmbiguous(
  read: ReadText,
  name: string,
  foldOf = foldedName,
): boolean {
  const folded = foldOf(name);
  const isAlike = (key: string) => foldOf(key) === folded;
  if (read.repeats === false) return Object.keys(read.body).filter(isAlike).length > 1;
  const members = membersOf(read);
  if (members) return members.filter((member) => isAlike(member.name)).length > 1;
  return mayBeAmbiguous(read.text, name) && // few bodies need the slower check of their members
    memberRanges(read.text, isAlike).length > 1;
}

/** Returns true if the name occurs more than once at any depth, as a member or within a string. */
export function mayBeAmbiguous(text: string, name: string): boolean {
  return (text.match(spellingsOf(name)) ?? []).length > 1;
}

/** The first of some names that `isAmbiguous`, found in one search. */
export function ambiguousName(read: ReadText, names: readonly string[]): string | undefined {
  const mayBe = read.repeats !== false && names.length > 0 &&
    (membersOf(read) !== undefined || mayBeAmbiguous(read.text, names.join("|")));
  return mayBe ? names.find((name) => isAmbiguous(read, name)) : undefined;
}

/** A name as case-insensitive parsers compare it: some also accept `\u017f` for s and `\u212a` for k. */
export function foldedName(name: string): string {
  return name.toUpperCase().toLowerCase();
}

const spellings = new Map<string, RegExp>();

/** Matches every JSON spelling of ASCII names, separated by bars; for constant names only, so there are few. */
function spellingsOf(names: string): RegExp {
  const known = spellings.get(names) ??
    new RegExp(`"(?:${names.split("|").map(everySpelling).join("|")})"`, "gi");
  spellings.set(names, known);
  return known;
}

function everySpelling(name: string): string {
  const letters = [...name].map((letter) => {
    const codes = [letter.toLowerCase(), letter.toUpperCase()].map((form) =>
      form.charCodeAt(0).toString(16).padStart(4, "0")
    );
    return `(?:${letter}|\\\\u(?:${codes.join("|")}))`;
  });
  return letters.join("");
}

interface Range {
  /** The start of its name; `start` is the start of its value. */
  readonly keyStart: number;
  readonly start: number;
  readonly end: number;
}

/**
 * The range of a top-level member that is known to exist: a name that occurs once needs no check of
 * its surroundings, and a first member that is not repeated needs no search for others.
 */
function knownRange(read: ReadText, name: string): Range | undefined {
  const beginning = read.repeats === false ? beginningOf(read) : "";
  const first = firstRange(beginning, name);
  if (first) return first;
  const members = membersOf(read);
  return members ? members.findLast((member) => member.name === name) : anyRange(read.text, name);
}

const beginningChars = 256;

function beginningOf(read: ReadText): string {
  return (read instanceof AsciiText ? read : read.text).slice(0, beginningChars);
}

/** The range of a first member whose value is a short string or an integer. */
function firstRange(beginning: string, name: string): Range | undefined {
  const found = /^(\s*\{\s*)("\w+")\s*:\s*("[^"\\]*"|-?\d+(?=[\s,}]))/.exec(beginning);
  if (found?.[2] !== `"${name}"`) return undefined;
  const end = found[0].length;
  return { keyStart: found[1].length, start: end - found[3].length, end };
}

function anyRange(text: string, name: string): Range | undefined {
  const matches = text.matchAll(spellingsOf(name));
  const { value: found } = matches.next();
  if (!found || !matches.next().done) return memberRanges(text, (key) => key === name).at(-1);
  const keyStart = found.index;
  const start = skipSpace(text, skipSpace(text, keyStart + found[0].length) + 1);
  return { keyStart, start, end: valueEnd(text, start) };
}

interface NamedRange extends Range {
  readonly name: string;
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

/** The ranges of the top-level members with a wanted name. */
function memberRanges(text: string, isWanted: (name: string) => boolean): Range[] {
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

function skipSpace(text: string, at: number): number {
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
function valueEnd(text: string, at: number): number {
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
