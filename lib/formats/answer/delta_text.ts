import { stringEnd } from "../../json/mod.ts";
import { missesMax, type UsualEvent } from "../stream.ts";

/** The position of the text in the most frequent event of a format's streams. */
export interface DeltaPlace {
  /**
   * Matches everything before the text, including its opening quotation mark; the first group is
   * the member's name.
   */
  readonly opening: RegExp;
  /** The characters that must follow the text, by the member's name: then the event contains nothing else. */
  readonly closings: Readonly<Record<string, string>>;
  /** Occurs if the event contains a second text. */
  readonly another?: string;
}

/** A member and its text. */
export interface DeltaText {
  readonly member: string;
  readonly text: string;
}

/** A longer event is parsed as a whole, in pieces. */
const charsMax = 512 * 1024;

/**
 * Finds the text of events that contain nothing else, without parsing them. Events of one stream
 * are alike, so it first looks at the position of the previous text. Quotation marks within a text
 * are escaped, so `opening` never matches inside one.
 */
export class DeltaFinder {
  readonly #place: DeltaPlace;
  /** The match and position of the previous text. */
  #opening = "";
  #at = 0;
  #member = "";
  /** The previous event, and where its text starts and ends; undefined if it had to be parsed. */
  #last?: FoundText;
  #usual?: UsualEvent;

  constructor(place: DeltaPlace) {
    this.#place = place;
  }

  /** Returns undefined if the event must be parsed. */
  find(json: string): DeltaText | undefined {
    this.#last = this.#usual = undefined;
    if (json.length > charsMax) return undefined;
    if (!this.#isAsBefore(json) && !this.#look(json)) return undefined;
    const { closings, another } = this.#place;
    const start = this.#at + this.#opening.length;
    const end = stringEnd(json, start - 1) - 1;
    if (end < 0 || !closesWith(json, end + 1, closings[this.#member])) return undefined;
    if (another !== undefined && json.indexOf(another, end) >= 0) return undefined;
    this.#last = { json, start, end };
    return { member: this.#member, text: unescaped(json.slice(start, end)) };
  }

  /**
   * The previous event, of this name, around its text, with `add` for the next texts; undefined if
   * it had to be parsed.
   */
  usual(add: (found: DeltaText) => void, name?: string): UsualEvent | undefined {
    if (!this.#last) return undefined;
    return this.#usual ??= { name, ...aroundText(this.#last, this.#member, add) };
  }

  #isAsBefore(json: string): boolean {
    const opening = this.#opening;
    return opening !== "" && json.slice(this.#at, this.#at + opening.length) === opening; // faster than `startsWith`
  }

  #look(json: string): boolean {
    const opened = this.#place.opening.exec(json);
    if (!opened) return false;
    [this.#opening, this.#member] = opened;
    this.#at = opened.index;
    return true;
  }
}

/** Reads events that differ from a parsed one only in their text, without parsing them. */
export class TextRepeats {
  readonly #finder: DeltaFinder;
  #around?: Omit<UsualEvent, "name">;
  #misses = 0;

  constructor(place: DeltaPlace) {
    this.#finder = new DeltaFinder(place);
  }

  /** Notes a parsed event. Returns its text; undefined if later events are not read like it. */
  note(json: string): DeltaText | undefined {
    if (this.#misses > missesMax) return undefined;
    const found = this.#finder.find(json);
    this.#around = this.#finder.usual(() => {});
    return found;
  }

  /** The text of an event like the noted one; undefined if the event must be parsed. */
  textIn(json: string): string | undefined {
    const text = this.#around && textBetween(this.#around, json);
    this.#misses = text === undefined ? this.#misses + 1 : 0;
    return text;
  }
}

function textBetween(
  { before, after }: Omit<UsualEvent, "name">,
  json: string,
): string | undefined {
  const start = before.length;
  const end = json.length - after.length;
  if (end < start || json.length > charsMax) return undefined;
  if (json.slice(0, start) !== before || json.slice(end) !== after) return undefined;
  return stringEnd(json, start - 1) === end + 1 ? parsedText(json.slice(start, end)) : undefined;
}

interface FoundText {
  readonly json: string;
  readonly start: number;
  readonly end: number;
}

function aroundText(
  { json, start, end }: FoundText,
  member: string,
  add: (found: DeltaText) => void,
): Omit<UsualEvent, "name"> {
  return {
    before: json.slice(0, start),
    after: json.slice(end),
    add: (escaped) => add({ member, text: unescaped(escaped) }),
  };
}

const blank = 32;

/** Returns true if these characters follow, with or without white space between them. */
function closesWith(json: string, start: number, signs: string): boolean {
  let at = start;
  for (let sign = 0; sign < signs.length; sign++) {
    while (json.charCodeAt(at) <= blank) at++;
    if (json.charCodeAt(at++) !== signs.charCodeAt(sign)) return false;
  }
  return true;
}

/** The text of a JSON string's inside; undefined if it is not valid. */
function parsedText(inside: string): string | undefined {
  if (plain.test(inside)) return inside;
  try {
    return JSON.parse(`"${inside}"`);
  } catch {
    return undefined;
  }
}

/** Neither an escape nor a control character, which JSON must escape. */
const plain = /^[\x20-\x5b\x5d-\uffff]*$/;

/** Like `parsedText`; what is not valid reaches the caller unchanged. */
function unescaped(inside: string): string {
  return inside.includes("\\") ? parsedText(inside) ?? inside : inside;
}
