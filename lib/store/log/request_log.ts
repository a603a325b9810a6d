import { keys } from "../keys.ts";
import type { Store } from "../kv/store.ts";
import { compactRows } from "../settling/compact.ts";
import { findWaiting } from "../settling/waiting_rows.ts";
import { labelsFor, linesFilter, type LogFilter, rowFilter } from "./log_filter.ts";
import { allRowsLabel, failedStatus, type Label } from "./log_label.ts";
import { searchLog } from "./log_query.ts";
import { idTimeMs, stepMs, stepOf } from "./log_time.ts";
import type { RequestLogRow } from "./request_log_row.ts";
import {
  decodePositions,
  type LocatedRow,
  locatedRows,
  type RowLocation,
  rowsAtLocations,
} from "./row_positions.ts";

/** A filter, and the position of the page to read. */
interface LogQuery extends LogFilter {
  /** The `next` of the previous page. Any other text reads the first page. */
  readonly before?: string;
  readonly limit: number;
}

/** A page of calls, newest first. */
export interface RequestLogPage {
  readonly rows: readonly RequestLogRow[];
  /**
   * The next page's `before`; absent on the last page. A page with fewer rows than requested, even
   * none, may have a next page, because one request reads a bounded number of entries.
   */
  readonly next?: string;
  /** For each row, the `next` of a page that ends with it. */
  readonly cursors: readonly string[];
  /**
   * The number of rows that were read to find these, and the start of the oldest one; absent if
   * indexes cover the filter.
   */
  readonly searched?: { readonly rows: number; readonly backToMs: number };
}

/** Bounds of one request if no index covers its filter. It reads one batch in any case. */
export interface SearchBounds {
  /** Default: 1,000. */
  readonly rowsMax?: number;
  /** Default: no limit. */
  readonly ms?: number;
  /** Ends the search early, without an error. */
  readonly signal?: AbortSignal;
}

/** Maximum number of index entries that one page reads if few rows match. */
const indexEntriesMax = 600;
/** The same for a count, which is shown beside a page that was read already. */
const countedEntriesMax = 1_000;
/** Maximum number of rows that one page reads if no index covers its filter. */
const rowsReadMax = 1_000;
/** Sizes of batches, each of which takes some milliseconds: of rows, and of lines that are not unpacked. */
const rowsReadAtOnce = 250;
const linesReadAtOnce = 1_000;

/** Returns a call's row, whether it is in the log or still waits for compaction. */
export async function getRequestLog(
  store: Store,
  id: string,
): Promise<RequestLogRow | undefined> {
  return await findWaiting(store, id) ?? await findInPages(store, id); // in this order, because rows move from the first to the second
}

/** Returns the calls that match the filter, latest start first. Compacts waiting rows first. */
export async function listRequestLogs(
  store: Store,
  { before, limit, ...filter }: LogQuery,
  bounds?: SearchBounds,
): Promise<RequestLogPage> {
  await compactRows(store, { rollups: false });
  const from = { cursor: before === undefined ? undefined : readCursor(before), limit, bounds };
  const { located, next, searched } = await findRows(store, filter, from);
  return {
    rows: located.map(({ row }) => row),
    cursors: located.map(({ location }) => cursorText(location)),
    ...(next && { next: cursorText(next) }),
    ...(searched && { searched }),
  };
}

/** Counts matching calls, up to `most`; `more` is true if there may be others. */
export async function countRequestLogs(
  store: Store,
  filter: LogFilter,
  most: number,
): Promise<{ readonly count: number; readonly more: boolean }> {
  if (!rowFilter(filter)) {
    const { timesMs, more } = await listCallTimes(store, filter, { most });
    return { count: timesMs.length, more };
  }
  const { located, next } = await findRows(store, filter, { cursor: undefined, limit: most });
  return { count: located.length, more: next !== undefined };
}

/**
 * The starts of the newest calls that match a filter which indexes cover; `more` is true if there
 * may be others. With `failed`, only of those that failed.
 */
export async function listCallTimes(
  store: Store,
  filter: LogFilter,
  { most, failed = false }: { readonly most: number; readonly failed?: boolean },
): Promise<{ readonly timesMs: readonly number[]; readonly more: boolean }> {
  const labels = failed ? labelsFor({ status: failedStatus }) : [];
  const from = { cursor: undefined, limit: most, counting: true, labels };
  const { locations, next } = await findLocations(store, filter, from);
  return { timesMs: locations.map(({ atMs }) => atMs), more: next !== undefined };
}

interface Found {
  readonly locations: readonly RowLocation[];
  /** The search continues behind this location. */
  readonly next?: RowLocation;
}

interface FoundRows {
  readonly located: readonly LocatedRow[];
  readonly next?: RowLocation;
  readonly searched?: RequestLogPage["searched"];
}

interface SearchFrom {
  readonly cursor: RowLocation | undefined;
  readonly limit: number;
  readonly bounds?: SearchBounds;
  /** True if only the number of rows is needed. */
  readonly counting?: boolean;
  /** Labels that rows must have beside those of the filter. */
  readonly labels?: readonly Label[];
}

async function findRows(
  store: Store,
  filter: LogFilter,
  from: SearchFrom,
): Promise<FoundRows> {
  if (rowFilter(filter)) return await scanRows(store, filter, from);
  const { locations, next } = await findLocations(store, filter, from);
  return { located: await locatedRows(store, locations), ...(next && { next }) };
}

/** Reads as many rows as the bounds allow, and keeps those that match the filter. */
async function scanRows(
  store: Store,
  filter: LogFilter,
  { cursor, limit, bounds: { rowsMax = rowsReadMax, ms = Infinity, signal } = {} }: SearchFrom,
): Promise<FoundRows> {
  const endsAt = performance.now() + ms;
  const located: LocatedRow[] = [];
  let read = 0;
  let full: RequestLogPage["searched"];
  for await (const { rows, locations, next } of rowBatches(store, filter, cursor)) {
    located.push(...rows);
    const last = located[limit - 1]?.location;
    if (last) full ??= { rows: read + locations.indexOf(last) + 1, backToMs: last.atMs };
    if (located.length > limit) {
      return { located: located.slice(0, limit), next: last, searched: full };
    }
    read += locations.length;
    const searched = { rows: read, backToMs: (next ?? locations.at(-1))?.atMs ?? 0 };
    const isOver = read >= rowsMax || performance.now() >= endsAt || signal?.aborted;
    if (isOver || !next) return { located, searched, ...(next && { next }) };
  }
  return { located };
}

interface RowBatch {
  /** The rows that match the filter. */
  readonly rows: readonly LocatedRow[];
  /** The locations of all rows of the batch. */
  readonly locations: readonly RowLocation[];
  /** Absent in the last batch. */
  readonly next?: RowLocation;
}

/** Yields the rows behind a location in batches that each take some milliseconds. */
async function* rowBatches(
  store: Store,
  filter: LogFilter,
  cursor: RowLocation | undefined,
): AsyncGenerator<RowBatch> {
  const matches = rowFilter(filter) ?? (() => true);
  const mayMatch = linesFilter(filter);
  const limit = mayMatch ? linesReadAtOnce : rowsReadAtOnce;
  for (let behind = cursor;;) {
    const { locations, next } = await findLocations(store, filter, { cursor: behind, limit });
    const rows = await locatedRows(store, locations, mayMatch);
    yield { rows: rows.filter(({ row }) => matches(row)), locations, ...(next && { next }) };
    if (!next) return;
    behind = next;
  }
}

async function findLocations(
  store: Store,
  { fromMs, toMs = Infinity, ...filter }: LogFilter,
  { cursor, limit, counting = false, labels = [] }: SearchFrom,
): Promise<Found> {
  const endMs = cursor === undefined ? toMs : Math.min(toMs, cursor.atMs + 1);
  const entriesMax = counting ? countedEntriesMax : indexEntriesMax;
  const wanted = { labels: [...labelsFor(filter), ...labels], fromMs, toMs: endMs, behind: cursor };
  const found: RowLocation[] = [];
  let entriesRead = 0;
  for await (const minute of searchLog(store, { ...wanted, most: limit + 1 })) {
    found.push(...minute.locations);
    if (found.length > limit) {
      const locations = found.slice(0, limit);
      return { locations, next: locations.at(-1) };
    }
    entriesRead += minute.entriesRead;
    if (entriesRead >= entriesMax) return { locations: found, next: endOf(minute.startMs) };
  }
  return { locations: found };
}

/** Finds a row by its call's id. The id contains the start time, so only pages with a call of that millisecond are read. */
async function findInPages(store: Store, id: string): Promise<RequestLogRow | undefined> {
  const atMs = idTimeMs(id);
  const offset = atMs % stepMs.minute;
  const { dimension, value } = allRowsLabel;
  const prefix = keys.logIndexFrom(dimension, value, stepOf(atMs, "minute"));
  for await (const { key, value } of store.kv.list<Uint8Array>({ prefix })) {
    const locations = decodePositions(value).filter(({ offsetMs }) => offsetMs === offset)
      .map(({ position }) => ({ atMs, pageId: String(key.at(-1)), position }));
    const found = (await rowsAtLocations(store, locations)).find((row) => row.id === id);
    if (found) return found;
  }
}

/** Returns true if the text has the form of a page's `next`. */
export function isLogCursor(text: string): boolean {
  return readCursor(text) !== undefined;
}

/** Returns a location after all rows of the minute that starts then. */
function endOf(minuteMs: number): RowLocation {
  return { atMs: minuteMs, pageId: "", position: 0 };
}

function cursorText({ atMs, pageId, position }: RowLocation): string {
  return `${atMs}.${position}.${pageId}`;
}

function readCursor(text: string): RowLocation | undefined {
  const [, atMs, position, pageId] = /^(\d{1,14})\.(\d{1,3})\.([0-9A-Za-z]*)$/.exec(text) ?? [];
  if (pageId === undefined) return undefined;
  return { atMs: Number(atMs), position: Number(position), pageId };
}
