import type { Part } from "../../canonical/mod.ts";

/** One alternative of an answer, as far as it was sent. */
export interface AlternativeState {
  readonly alternative: number;
  /** The number of parts that the upstream began. */
  parts: number;
  /** The number of its texts that carry a signature. */
  proofs: number;
  /** The end of its text so far. */
  tail: string;
  /** True if an item became a call. */
  calls: boolean;
  /** True if a text has log probabilities that the caller's format shows. */
  rated?: boolean;
  /** True if it got text that the model did not write. */
  added?: boolean;
  /** The place of the last call if its arguments are not the whole object that the format requires. */
  cut?: string;
}

/** A part that is being sent. */
export interface OpenPart {
  /** Its index in the caller's stream. */
  readonly index: number;
  readonly state: AlternativeState;
  readonly place: string;
  readonly part: Part;
  /** Its text or arguments so far; only the beginning of very long ones. */
  text: string;
  /** The last characters of the text or the arguments. */
  tail: string;
}

/** Maximum UTF-16 units kept of one part's text, so that an endless answer cannot fill the memory. */
export const charsKeptMax = 512 * 1024;

/** Appends to the kept text of a part; other kinds of parts keep none. */
export function grow(open: OpenPart, text: string): void {
  if (open.part.type !== "text" && open.part.type !== "tool-call") return;
  if (open.text.length < charsKeptMax) open.text += text;
  open.tail = text.length > 1 ? tailOf(text) : tailOf(open.tail + text);
}

/** The path of an alternative in notes; the first one needs no index. */
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
