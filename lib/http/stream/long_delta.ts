import type { CanonicalEvent, PartDeltaEvent } from "../../canonical/mod.ts";
import { pieceEnd } from "../../json/mod.ts";

/** More text is written in pieces, with turns for other work. */
export const longChars = 512 * 1024;
const pieceChars = 64 * 1024;

/** Returns true if text is to be written in pieces. Tokens belong to the whole text. */
export function isLongDelta({ text, logprobs }: PartDeltaEvent): boolean {
  return text.length > longChars && logprobs === undefined;
}

/** A long delta as several; any other event as it is. */
export function inPieces(event: CanonicalEvent): readonly CanonicalEvent[] {
  if (event.type !== "part-delta" || !isLongDelta(event)) return [event];
  const pieces: CanonicalEvent[] = [];
  for (let at = 0; at < event.text.length;) {
    const end = pieceEnd(event.text, at + pieceChars);
    pieces.push({ ...event, text: event.text.slice(at, end) });
    at = end;
  }
  return pieces;
}
