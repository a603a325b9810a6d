import type { Part } from "../../canonical/mod.ts";

/** One of several answers to a request, as far as it went out. */
export interface AlternativeState {
  readonly alternative: number;
  /** The number of parts that the upstream began. */
  parts: number;
  /** The end of its text so far. */
  tail: string;
  /** True if an item became a call. */
  calls: boolean;
  /** The place of the last call if its arguments are not the whole object that the format requires. */
  cut?: string;
}

/** A part that is going out. */
export interface OpenPart {
  /** Its index as it goes out. */
  readonly index: number;
  readonly state: AlternativeState;
  readonly place: string;
  readonly part: Part;
  /** Its text or its arguments so far; of very long ones the beginning. */
  text: string;
  /** The end of them. */
  tail: string;
}

/** UTF-16 units of one part's text that are kept: an endless answer must not fill the memory. */
export const charsKeptMax = 512 * 1024;

/** Adds to the kept text of a part; other kinds of parts keep none. */
export function grow(open: OpenPart, text: string): void {
  if (open.part.type !== "text" && open.part.type !== "tool-call") return;
  if (open.text.length < charsKeptMax) open.text += text;
  open.tail = tailOf(open.tail + text);
}

/** Most answers are the only one to their request. */
export function placeOf(alternative: number): string {
  return alternative === 0 ? "answer" : `answer.alternatives[${alternative}]`;
}

/** The text or the arguments that a part begins with. */
export function textIn(part: Part): string {
  return part.type === "text" ? part.text : part.type === "tool-call" ? part.arguments : "";
}

/** The last characters, enough to see the end of a paragraph. */
export function tailOf(text: string): string {
  return text.slice(-2);
}
