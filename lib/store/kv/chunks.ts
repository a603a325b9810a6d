/** Derived from the 64 KiB of a value, with room for framing and seal. */
const chunkBytesMax = 60_000;
const chunkDigits = 5;

/** Cuts bytes into pieces that each fit in one value. */
export function inChunks(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer>[] {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  for (let at = 0; at < bytes.length; at += chunkBytesMax) {
    chunks.push(bytes.slice(at, at + chunkBytesMax)); // a copy: a view would be stored with its whole buffer
  }
  return chunks;
}

/** Returns the last key parts of the pieces of so many bytes, in order. */
export function chunkNames(bytes: number): string[] {
  const length = Math.ceil(bytes / chunkBytesMax);
  return Array.from({ length }, (_, at) => String(at).padStart(chunkDigits, "0"));
}
