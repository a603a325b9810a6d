import { strictText } from "../../canonical/mod.ts";
import type { Pace } from "../stream/pace.ts";

const sliceBytes = 1024 * 1024;

/**
 * Decodes UTF-8, yielding to other work if the text is long. A byte-order mark is kept. Throws a
 * `TypeError` for bytes that are not UTF-8.
 */
export async function longText(bytes: Uint8Array, pace: Pace): Promise<string> {
  let text = "";
  for (let at = 0; at < bytes.length;) {
    const end = characterStart(bytes, at + sliceBytes);
    text += strictText(bytes.subarray(at, end));
    at = end;
    await pace.giveWay();
  }
  return text;
}

/** The start of the character that this byte belongs to, if the bytes around it are valid. */
function characterStart(bytes: Uint8Array, at: number): number {
  let start = at;
  while (start > at - 3 && (bytes[start] & 0xc0) === 0x80) start--;
  return start;
}
