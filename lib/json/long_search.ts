import type { Pace } from "../pace.ts";
import { type ReadText, searchedPart } from "./text.ts";

const partChars = 256 * 1024;
/** No pattern matches more characters. */
const matchCharsMax = 64;

/**
 * The first match of each pattern in a long body, one per line, found with turns for other work.
 * `hints` match every part that may have a match, and are faster to search for.
 */
export async function matchesIn(
  read: ReadText,
  patterns: readonly RegExp[],
  pace: Pace,
  hints = patterns,
): Promise<string> {
  const found = new Map<RegExp, string>();
  for (let at = 0, part = ""; (part = searchedPart(read, at, at + partChars + matchCharsMax));) {
    if (hints.some((hint) => hint.test(part))) {
      for (const pattern of patterns) if (!found.has(pattern)) note(found, pattern, part);
    }
    at += partChars;
    await pace.giveWay();
  }
  return [...found.values()].join("\n");
}

function note(found: Map<RegExp, string>, pattern: RegExp, part: string): void {
  const match = pattern.exec(part)?.[0];
  if (match !== undefined) found.set(pattern, match);
}
