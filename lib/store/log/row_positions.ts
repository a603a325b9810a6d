/**
 * A row's position in its page, and the millisecond within the minute at which its call started.
 */
export interface RowPosition {
  readonly position: number;
  readonly offsetMs: number;
}

/** Maximum number of rows of a page: a position takes one byte. */
export const rowsPerPageMax = 256;

const bytesPerPosition = 3;

/** Encodes each in three bytes: one for the position, two for the millisecond. */
export function encodePositions(positions: readonly RowPosition[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(positions.length * bytesPerPosition);
  let at = 0;
  for (const { position, offsetMs } of positions) {
    bytes[at++] = position;
    bytes[at++] = offsetMs >> 8;
    bytes[at++] = offsetMs & 0xff;
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
