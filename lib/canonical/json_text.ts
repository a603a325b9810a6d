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
   * be garbled. The same as `text` if little would be left out; undefined if the whole text must be
   * searched.
   */
  readonly outline?: string | undefined;
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
  const { text, body, repeats } = read;
  const range = Object.hasOwn(body, name) ? knownRange(read, name) : undefined;
  const changed = range
    ? replaced(read, range, written)
    : replaced(read, afterBrace(text), firstMember(text, `${JSON.stringify(name)}:${written}`));
  return { ...changed, body: withOwnMember(body, name, value), repeats };
}

/** Like `withMembers`, for an object that is already parsed. */
export function withReadMembers(
  read: ReadText,
  changes: Readonly<Record<string, JsonValue | undefined>>,
): ReadText {
  return Object.entries(changes).reduce((changed, [name, value]) => {
    if (value !== undefined) return withReadMember(changed, name, { value });
    if (!Object.hasOwn(changed.body, name)) return changed;
    return { text: withoutMember(changed.text, name), body: changed.body };
  }, read);
}

/** Replaces a range of the text, and the same range of its bytes. */
function replaced(
  { text, bytes }: ReadText,
  { start, end }: Pick<Range, "start" | "end">,
  written: string,
): Pick<ReadText, "text" | "bytes"> {
  const changed = text.slice(0, start) + written + text.slice(end);
  if (!bytes || isEncodedFast(text, bytes)) return { text: changed };
  const before = bytes.subarray(0, byteAt(text, bytes, start));
  const after = bytes.subarray(byteAt(text, bytes, end));
  const middle = encoder.encode(written);
  const joined = new Uint8Array(before.length + middle.length + after.length);
  joined.set(before);
  joined.set(middle, before.length);
  joined.set(after, before.length + middle.length);
  return { text: changed, bytes: joined };
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
  return range && read.text.slice(range.start, range.end);
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
  const { start } = afterBrace(text);
  return text.slice(0, start) + firstMember(text, member) + text.slice(start);
}

/** The empty range at which a first member is inserted. */
function afterBrace(text: string): Pick<Range, "start" | "end"> {
  const start = text.indexOf("{") + 1;
  return { start, end: start };
}

/** The member with the comma that it needs before others. */
function firstMember(text: string, member: string): string {
  const { start } = afterBrace(text);
  const empty = /^\s*}/.test(text.slice(start, start + 1024).trimEnd() || "");
  return empty ? member : `${member},`;
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

/** Removes a member with the comma after it, or the one before it if it is the last. */
function withoutRange(text: string, { keyStart, end }: Range): string {
  const after = skipSpace(text, end);
  if (text[after] === ",") return text.slice(0, keyStart) + text.slice(skipSpace(text, after + 1));
  const before = text.slice(0, keyStart).trimEnd();
  return (before.endsWith(",") ? before.slice(0, -1) : before) + text.slice(end);
}

/**
 * Returns true if the top-level member `name` occurs more than once, in any case: parsers differ in
 * which one they use, and some ignore the case.
 */
export function isAmbiguous(
  { text, body, repeats }: ReadText,
  name: string,
  foldOf = foldedName,
): boolean {
  const folded = foldOf(name);
  const isAlike = (key: string) => foldOf(key) === folded;
  if (repeats === false) return Object.keys(body).filter(isAlike).length > 1;
  return mayBeAmbiguous(text, name) && // few bodies need the slower check of their members
    memberRanges(text, isAlike).length > 1;
}

/** Returns true if the name occurs more than once at any depth, as a member or within a string. */
export function mayBeAmbiguous(text: string, name: string): boolean {
  return (text.match(spellingsOf(name)) ?? []).length > 1;
}

/** The first of some names that `isAmbiguous`, found in one search. */
export function ambiguousName(read: ReadText, names: readonly string[]): string | undefined {
  const mayBe = read.repeats !== false && names.length > 0 &&
    mayBeAmbiguous(read.text, names.join("|"));
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
function knownRange({ text, repeats }: ReadText, name: string): Range | undefined {
  const matches = text.matchAll(spellingsOf(name));
  const { value: found } = matches.next();
  const isSure = repeats === false && found && isFirst(text, found.index) &&
    JSON.parse(found[0]) === name;
  if (!found || !(isSure || matches.next().done)) {
    return memberRanges(text, (key) => key === name).at(-1);
  }
  const keyStart = found.index;
  const start = skipSpace(text, skipSpace(text, keyStart + found[0].length) + 1);
  return { keyStart, start, end: valueEnd(text, start) };
}

function isFirst(text: string, at: number): boolean {
  return /^\s*\{\s*$/.test(text.slice(0, at));
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
