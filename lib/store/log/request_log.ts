import { keys } from "../keys.ts";
import { getEntries } from "../kv/entries.ts";
import { compactRows } from "../settling/compact.ts";
import { allRowsLabel, type Label } from "./log_label.ts";
import { type RowLocation, searchLog } from "./log_query.ts";
import { rowFilter, type ScannedFilter } from "./log_scan.ts";
import { idTimeMs, stepMs, stepOf } from "./log_time.ts";
import { decodePositions } from "./row_positions.ts";

import { unpackRowsAt } from "./request_log_pack.ts";
import type { RequestLogRow } from "./request_log_row.ts";
import type { Store } from "../kv/store.ts";
import { findWaiting } from "../settling/waiting_rows.ts";

/** Selects calls that match all of its fields. */
export interface LogFilter extends ScannedFilter {
  readonly accountId?: string;
  readonly keyId?: string;
  readonly groupId?: string;
  readonly model?: string;
  /** An upstream that was tried, even if another one answered. */
  readonly upstreamId?: string;
  /** A status such as `429`, a class such as `5xx`, an outcome such as `timeout`, or `failed`. */
  readonly status?: string;
  /** Bounds of the start of the calls; the end is exclusive. */
  readonly fromMs?: number;
  readonly toMs?: number;
}

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
}

/** Maximum number of index entries that one page reads if few rows match. */
const indexEntriesMax = 2_000;
/** The same for a count, which is shown beside a page that was read already. */
const countedEntriesMax = 1_000;
/**
 * Maximum number of rows that one page reads if no index covers its filter, and the size of each
 * batch.
 */
const rowsReadMax = 1_000;
const rowsReadAtOnce = 250;
const streamedRows = 500;

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
): Promise<RequestLogPage> {
  await compactRows(store, { rollups: false });
  const from = { cursor: before === undefined ? undefined : readCursor(before), limit };
  const { located, next } = await findRows(store, filter, from);
  return {
    rows: located.map(({ row }) => row),
    cursors: located.map(({ location }) => cursorText(location)),
    ...(next && { next: cursorText(next) }),
  };
}

/** Counts matching calls, up to `most`; `more` is true if there may be others. */
export async function countRequestLogs(
  store: Store,
  filter: LogFilter,
  most: number,
): Promise<{ readonly count: number; readonly more: boolean }> {
  const from = { cursor: undefined, limit: most };
  const { found, next } = rowFilter(filter)
    ? await findRows(store, filter, from).then(({ located, next }) => ({ found: located, next }))
    : await findLocations(store, filter, { ...from, counting: true }).then((
      { locations, next },
    ) => ({ found: locations, next }));
  return { count: found.length, more: next !== undefined };
}

/**
 * Streams all matching calls, newest first, in batches of some hundreds, so that memory does not
 * grow with their number. Compacts waiting rows first.
 */
export async function* streamRequestLogs(
  store: Store,
  { fromMs, toMs, ...filter }: LogFilter = {},
): AsyncGenerator<readonly RequestLogRow[]> {
  await compactRows(store, { rollups: false });
  const matches = rowFilter(filter);
  for await (const { locations } of searchLog(store, { labels: labelsFor(filter), fromMs, toMs })) {
    for (let start = 0; start < locations.length; start += streamedRows) {
      const rows = await rowsAt(store, locations.slice(start, start + streamedRows));
      yield matches ? rows.filter(matches) : rows;
    }
  }
}

interface Found {
  readonly locations: readonly RowLocation[];
  /** The search continues behind this location. */
  readonly next?: RowLocation;
}

interface LocatedRow {
  readonly location: RowLocation;
  readonly row: RequestLogRow;
}

interface SearchFrom {
  readonly cursor: RowLocation | undefined;
  readonly limit: number;
  /** True if only the number of rows is needed. */
  readonly counting?: boolean;
}

/** Reads as many rows as one page may, and keeps those that match the filter. */
async function findRows(
  store: Store,
  filter: LogFilter,
  { cursor, limit }: SearchFrom,
): Promise<{ readonly located: readonly LocatedRow[]; readonly next?: RowLocation }> {
  const matches = rowFilter(filter);
  if (!matches) {
    const { locations, next } = await findLocations(store, filter, { cursor, limit });
    return { located: await locatedRows(store, locations), ...(next && { next }) };
  }
  const located: LocatedRow[] = [];
  let behind = cursor;
  for (let read = 0; read < rowsReadMax; read += rowsReadAtOnce) {
    const { locations, next } = await findLocations(store, filter, {
      cursor: behind,
      limit: rowsReadAtOnce,
    });
    located.push(...(await locatedRows(store, locations)).filter(({ row }) => matches(row)));
    if (located.length > limit) {
      const kept = located.slice(0, limit);
      return { located: kept, next: kept.at(-1)?.location };
    }
    if (!next) return { located };
    behind = next;
  }
  return { located, ...(behind && { next: behind }) };
}

async function findLocations(
  store: Store,
  { fromMs, toMs = Infinity, ...filter }: LogFilter,
  { cursor, limit, counting = false }: SearchFrom,
): Promise<Found> {
  const endMs = cursor === undefined ? toMs : Math.min(toMs, cursor.atMs + 1);
  const entriesMax = counting ? countedEntriesMax : indexEntriesMax;
  const wanted = { labels: labelsFor(filter), fromMs, toMs: endMs, behind: cursor, counting };
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

function labelsFor(filter: Omit<LogFilter, "fromMs" | "toMs">): Label[] {
  const { accountId, keyId, groupId, model, upstreamId, status } = filter;
  const wanted = [
    ["account", accountId],
    ["key", keyId],
    ["group", groupId],
    ["model", model?.toWellFormed()],
    ["upstream", upstreamId],
    ["status", status],
  ] as const;
  return wanted.flatMap(([dimension, value]) => value === undefined ? [] : [{ dimension, value }]);
}

async function rowsAt(store: Store, locations: readonly RowLocation[]): Promise<RequestLogRow[]> {
  return (await locatedRows(store, locations)).map(({ row }) => row);
}

/** Returns the rows at these locations, in order, without rows that have expired meanwhile. */
async function locatedRows(store: Store, locations: readonly RowLocation[]): Promise<LocatedRow[]> {
  const byPage = Map.groupBy(locations, ({ pageId }) => pageId);
  const pageIds = [...byPage.keys()];
  const pages = await getEntries(store, pageIds.map((id) => keys.logPage(id)));
  const rows = new Map<RowLocation, RequestLogRow | undefined>();
  for (const [at, wanted] of [...byPage.values()].entries()) {
    const { value } = pages[at];
    if (value === null) continue;
    const found = unpackRowsAt(value as Uint8Array, wanted.map(({ position }) => position)); // addPage wrote it
    for (const [index, location] of wanted.entries()) rows.set(location, found[index]);
  }
  return locations.flatMap((location) => {
    const row = rows.get(location);
    return row === undefined ? [] : [{ location, row }];
  });
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
    const found = (await rowsAt(store, locations)).find((row) => row.id === id);
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
