/** Of the 64 KiB that a value may have, less what frames and seals it. */
const chunkBytesMax = 60_000;
const chunkDigits = 5;

/** The bytes in pieces that each fit in one value. */
export function cut(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer>[] {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  for (let at = 0; at < bytes.length; at += chunkBytesMax) {
    chunks.push(bytes.slice(at, at + chunkBytesMax)); // a view would be stored with all of its buffer
  }
  return chunks;
}

/** The last parts of the keys of so many bytes' pieces, in order. */
export function chunkNames(bytes: number): string[] {
  const length = Math.ceil(bytes / chunkBytesMax);
  return Array.from({ length }, (_, at) => String(at).padStart(chunkDigits, "0"));
}
