import { keys } from "../keys.ts";
import { readInBatches } from "../kv/engine.ts";
import type { Store } from "../kv/store.ts";
import { unpackRowsAt } from "./request_log_pack.ts";
import type { RequestLogRow } from "./request_log_row.ts";

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

/** A row's location in the log, which is ordered by start time, then by page and position. */
export interface RowLocation {
  readonly atMs: number;
  readonly pageId: string;
  readonly position: number;
}

export interface LocatedRow {
  readonly location: RowLocation;
  readonly row: RequestLogRow;
}

export async function rowsAtLocations(
  store: Store,
  locations: readonly RowLocation[],
): Promise<RequestLogRow[]> {
  return (await locatedRows(store, locations)).map(({ row }) => row);
}

/**
 * Returns the rows at these locations, in order, without rows that have expired meanwhile and those
 * whose lines `mayMatch` rejects.
 */
export async function locatedRows(
  store: Store,
  locations: readonly RowLocation[],
  mayMatch?: (lines: string) => boolean,
): Promise<LocatedRow[]> {
  const byPage = Map.groupBy(locations, ({ pageId }) => pageId);
  const pageIds = [...byPage.keys()];
  const pages = await readInBatches(store.kv, pageIds.map((id) => keys.logPage(id)));
  const rows = new Map<RowLocation, RequestLogRow | undefined>();
  for (const [at, wanted] of [...byPage.values()].entries()) {
    const { value } = pages[at];
    if (value === null) continue;
    const positions = wanted.map(({ position }) => position);
    const found = unpackRowsAt(value as Uint8Array, positions, mayMatch); // addPage wrote it
    for (const [index, location] of wanted.entries()) rows.set(location, found[index]);
  }
  return locations.flatMap((location) => {
    const row = rows.get(location);
    return row === undefined ? [] : [{ location, row }];
  });
}
