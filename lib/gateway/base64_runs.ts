import type { Steps } from "../pace.ts";

/** A text without its long runs of base64. */
interface Elided {
  readonly pieces: readonly Uint8Array[];
  /** The size of the runs that were left out. */
  readonly base64Bytes: number;
}

/** Shorter runs are kept: an id, a digest, a word. */
const runMin = 1_024;
/** Bytes that are examined between two turns of other work. */
const stepBytes = 1024 * 1024;

/** Base64, base64url, and the backslash of escaped slashes and line ends. */
const isBase64 = new Uint8Array(256);
for (const char of "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_=\\") {
  isBase64[char.charCodeAt(0)] = 1;
}
const backslash = "\\".charCodeAt(0);

/**
 * Replaces runs of base64, such as images, by their sizes. JSON stays JSON. Prose is not read as a
 * whole: from the end of each place where a run could be, the search goes back to the first other
 * character, and continues behind it.
 */
export function* withoutBase64(bytes: Uint8Array): Steps<Elided> {
  const pieces: Uint8Array[] = [];
  let base64Bytes = 0;
  let kept = 0;
  for (let start = 0, turn = stepBytes; start + runMin <= bytes.length;) {
    if (start > turn) {
      yield;
      turn = start + stepBytes;
    }
    let at = start + runMin - 1;
    while (at >= start && isBase64[bytes[at]] === 1) at--;
    if (at >= start) {
      start = at + 1;
      continue;
    }
    const end = yield* runEnd(bytes, start + runMin);
    pieces.push(bytes.subarray(kept, start), leftOut(end - start));
    base64Bytes += end - start;
    kept = end;
    start = end + 1;
  }
  pieces.push(bytes.subarray(kept));
  return { pieces, base64Bytes };
}

/** The end of a run. Backslashes at its end belong to the character behind it. */
function* runEnd(bytes: Uint8Array, from: number): Steps<number> {
  let end = from;
  while (end < bytes.length && isBase64[bytes[end]] === 1) {
    if (++end % stepBytes === 0) yield;
  }
  while (bytes[end - 1] === backslash) end--;
  return end;
}

function leftOut(length: number): Uint8Array {
  return new TextEncoder().encode(`[${length} bytes of base64 not recorded]`);
}
