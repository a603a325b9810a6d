import { strictText } from "../bytes.ts";
import {
  AsciiText,
  memberRanges,
  membersOf,
  type Range,
  type ReadText,
  removedRange,
  skipSpace,
  valueEnd,
} from "./read_text.ts";
import type { JsonObject, JsonValue } from "./json.ts";
import { withOwnMember } from "./late_member.ts";

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
