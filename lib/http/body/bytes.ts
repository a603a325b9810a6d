export const noBytes = new Uint8Array(0);

/** Joins chunks. Copies nothing if there is one, or if they follow each other in one buffer. */
export function concatenated(chunks: readonly Uint8Array[]): Uint8Array {
  const [first] = chunks;
  if (chunks.length === 0) return noBytes;
  if (chunks.length === 1) return first;
  const length = lengthOf(chunks);
  if (areAdjacent(chunks)) return new Uint8Array(first.buffer, first.byteOffset, length);
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}

function lengthOf(chunks: readonly Uint8Array[]): number {
  let length = 0;
  for (const chunk of chunks) length += chunk.length;
  return length;
}

function areAdjacent(chunks: readonly Uint8Array[]): boolean {
  const { buffer, byteOffset } = chunks[0];
  let end = byteOffset;
  for (const chunk of chunks) {
    if (chunk.byteOffset !== end || chunk.buffer !== buffer) return false;
    end += chunk.length;
  }
  return true;
}

/** The length of a byte-order mark, if there is one. */
export function markLength(bytes: Uint8Array): number {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
}

/** The bytes of a text without its byte-order mark. */
export function withoutMark(bytes: Uint8Array): Uint8Array {
  const mark = markLength(bytes);
  return mark === 0 ? bytes : bytes.subarray(mark);
}
