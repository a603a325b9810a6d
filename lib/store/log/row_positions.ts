/** A row's position in its page, and the millisecond of the minute in which its call began. */
export interface RowPosition {
  readonly position: number;
  readonly offsetMs: number;
}

/** The most rows of a page: a position takes one byte. */
export const rowsPerPageMax = 256;

const bytesPerPosition = 3;

/** Three bytes for each: the position, and two for the milliseconds of a minute. */
export function encodePositions(positions: readonly RowPosition[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(positions.length * bytesPerPosition);
  for (const [index, { position, offsetMs }] of positions.entries()) {
    bytes[index * bytesPerPosition] = position;
    bytes[index * bytesPerPosition + 1] = offsetMs >> 8;
    bytes[index * bytesPerPosition + 2] = offsetMs & 0xff;
  }
  return bytes;
}

export function decodePositions(bytes: Uint8Array): RowPosition[] {
  const positions: RowPosition[] = [];
  for (let at = 0; at < bytes.length; at += bytesPerPosition) {
    positions.push({ position: bytes[at], offsetMs: bytes[at + 1] << 8 | bytes[at + 2] });
  }
  return positions;
}
