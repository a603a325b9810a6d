/** Where in a page a row lies, and how many milliseconds into the minute its call began. */
export interface Place {
  readonly position: number;
  readonly offsetMs: number;
}

/** The most rows of a page: a position takes one byte. */
export const rowsPerPageMax = 256;

const bytesPerPlace = 3;

/** Three bytes for each: the position, and two for the milliseconds of a minute. */
export function encodePlaces(places: readonly Place[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(places.length * bytesPerPlace);
  for (const [index, { position, offsetMs }] of places.entries()) {
    bytes[index * bytesPerPlace] = position;
    bytes[index * bytesPerPlace + 1] = offsetMs >> 8;
    bytes[index * bytesPerPlace + 2] = offsetMs & 0xff;
  }
  return bytes;
}

export function decodePlaces(bytes: Uint8Array): Place[] {
  const places: Place[] = [];
  for (let at = 0; at < bytes.length; at += bytesPerPlace) {
    places.push({ position: bytes[at], offsetMs: bytes[at + 1] << 8 | bytes[at + 2] });
  }
  return places;
}
