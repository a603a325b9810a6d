/** Where a format's usual event has its text. */
export interface DeltaPlace {
  /** What stands before the text, its opening quotation mark included; the first group is the member's name. */
  readonly opening: RegExp;
  /** What must stand behind the text, by the member's name: then it is all that the event says. */
  readonly closings: Readonly<Record<string, string>>;
  /** What would begin another text further on. */
  readonly another?: string;
}

/** What a place's member holds. */
export interface DeltaText {
  readonly member: string;
  readonly text: string;
}

/**
 * Finds the text of events that say nothing else, without parsing them. The events of a stream are
 * alike, so that a text is looked for first where the last one stood. Inside a text the quotation
 * marks of `opening` would be escaped: no text is taken for a member.
 */
export class DeltaFinder {
  readonly #place: DeltaPlace;
  /** How the last text was opened, and where. */
  #opening = "";
  #at = 0;
  #member = "";

  constructor(place: DeltaPlace) {
    this.#place = place;
  }

  /** Undefined for every event that must be parsed. */
  find(json: string): DeltaText | undefined {
    if (!this.#isAsBefore(json) && !this.#look(json)) return undefined;
    const { closings, another } = this.#place;
    const start = this.#at + this.#opening.length;
    const end = quoteEnd(json, start);
    if (end < 0 || !closesWith(json, end + 1, closings[this.#member])) return undefined;
    if (another !== undefined && json.indexOf(another, end) >= 0) return undefined;
    return { member: this.#member, text: unescaped(json.slice(start, end)) };
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

/** The index of the quotation mark that ends a string; -1 where it does not end. */
function quoteEnd(json: string, start: number): number {
  let end = json.indexOf('"', start);
  while (end >= 0 && isEscaped(json, start, end)) end = json.indexOf('"', end + 1);
  return end;
}

const backslash = 92;
const blank = 32;

function isEscaped(json: string, start: number, end: number): boolean {
  let at = end;
  while (at > start && json.charCodeAt(at - 1) === backslash) at--;
  return (end - at) % 2 === 1;
}

/** Whether these signs follow, with or without blank space between them. */
function closesWith(json: string, start: number, signs: string): boolean {
  let at = start;
  for (let sign = 0; sign < signs.length; sign++) {
    while (json.charCodeAt(at) <= blank) at++;
    if (json.charCodeAt(at++) !== signs.charCodeAt(sign)) return false;
  }
  return true;
}

function unescaped(text: string): string {
  if (!text.includes("\\")) return text;
  try {
    const value: unknown = JSON.parse(`"${text}"`);
    return typeof value === "string" ? value : text;
  } catch {
    return text; // no JSON after all: the caller got it as it is
  }
}
