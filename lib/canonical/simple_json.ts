import type { JsonValue } from "./json.ts";
import { stringEnd } from "./json_text.ts";

/** So short, a text cannot be too complex. */
const shortChars = 4 * 1024;
const nestingMax = 200;
const containersMax = 500_000;

/**
 * As `JSON.parse`, for a text that others wrote within a string or an event, such as the arguments of
 * a call: one that is nested too deeply or holds too many objects, arrays and members is malformed
 * too. Throws a `SyntaxError`.
 */
export function parsedSimple(text: string): JsonValue {
  if (text.length > shortChars) assertSimple(text);
  return JSON.parse(text);
}

function assertSimple(text: string): void {
  let depth = 0;
  let parts = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x22) {
      const end = stringEnd(text, at);
      if (end <= at) return; // it never ends, which the parser says
      at = end - 1;
    } else if (code === 0x5b || code === 0x7b) {
      depth++;
      parts++;
    } else if (code === 0x5d || code === 0x7d) depth--;
    else if (code === 0x3a) parts++;
    if (depth > nestingMax || parts > containersMax) {
      throw new SyntaxError("The JSON is nested too deeply or holds too many objects and arrays");
    }
  }
}
