/**
 * A row's position in its page, and the millisecond within the minute at which its call started.
 */
interface RowPosition {
  readonly position: number;
  readonly offsetMs: number;
}

/** Maximum number of rows of a page: a position takes one byte. */
export const rowsPerPageMax = 256;

const bytesPerPosition = 3;

/** Returns a position as a number of three bytes: one for the position, two for the millisecond. */
export function positionNumber({ position, offsetMs }: RowPosition): number {
  return position << 16 | offsetMs;
}

/** Encodes the numbers of positions in three bytes each. */
export function encodePositions(numbers: ArrayLike<number>): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(numbers.length * bytesPerPosition);
  let at = 0;
  for (let index = 0; index < numbers.length; index++) {
    const number = numbers[index];
    bytes[at++] = number >> 16;
    bytes[at++] = number >> 8;
    bytes[at++] = number;
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
