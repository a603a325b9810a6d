import type { JsonValue } from "./json.ts";
import { stringEnd } from "./read_text.ts";

/** A text of at most this length cannot be too complex. */
const shortChars = 4 * 1024;
const nestingMax = 200;
const containersMax = 500_000;

/** A text and its JSON. */
export interface ParsedText {
  readonly text: string;
  readonly value: JsonValue;
}

/** Long texts that are parsed already. */
const parsedTexts = new Map<string, JsonValue>();

/** Runs a function to which `parsedSimple` returns the value of a text that is parsed already. */
export function withParsed<Result>({ text, value }: ParsedText, run: () => Result): Result {
  parsedTexts.set(text, value);
  try {
    return run();
  } finally {
    parsedTexts.delete(text);
  }
}

/** Returns true if a long text is parsed already, so that reading its value is faster than a search. */
export function isParsed(text: string): boolean {
  return parsedTexts.size > 0 && parsedTexts.has(text);
}

/**
 * `JSON.parse` for untrusted text within a string or an event, such as the arguments of a call.
 * Throws a `SyntaxError` also for text that is nested too deeply or has too many objects, arrays or
 * members.
 */
export function parsedSimple(text: string): JsonValue {
  if (text.length > shortChars) {
    const value = parsedTexts.size > 0 ? parsedTexts.get(text) : undefined;
    if (value !== undefined) return value;
    assertSimple(text);
  }
  return JSON.parse(text);
}

function assertSimple(text: string): void {
  let depth = 0;
  let parts = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x22) {
      const end = stringEnd(text, at);
      if (end <= at) return; // unterminated: the parser reports it
      at = end - 1;
    } else if (code === 0x5b || code === 0x7b) {
      depth++;
      parts++;
    } else if (code === 0x5d || code === 0x7d) depth--;
    else if (code === 0x3a) parts++;
    if (depth > nestingMax || parts > containersMax) {
      throw new SyntaxError("The JSON is nested too deeply or has too many objects and arrays");
    }
  }
}
