import { keys } from "../keys.ts";
import type { Store } from "../kv/store.ts";
import { compactRows } from "../settling/compact.ts";
import { labelsFor, type LogFilter, rowFilter } from "./log_filter.ts";
import { searchLog } from "./log_query.ts";
import { idTimeMs, newestFirst } from "./log_time.ts";
import type { RequestLogRow } from "./request_log_row.ts";
import { rowsAtLocations } from "./row_positions.ts";

const streamedRows = 500;

/**
 * Streams all matching calls, newest first, in batches of some hundreds, so that memory does not
 * grow with their number. Compacts waiting rows first.
 */
export async function* streamRequestLogs(
  store: Store,
  filter: LogFilter = {},
): AsyncGenerator<readonly RequestLogRow[]> {
  for await (const { rows } of streamLogBatches(store, filter)) yield rows;
}

/** Some calls of a stream, and the moment after which it will yield no more calls that began later. */
interface LogBatch {
  /** Newest first, by id. */
  readonly rows: readonly RequestLogRow[];
  /** Every matching call that began after this time is in this batch or an earlier one. */
  readonly completeAfterMs: number;
}

/** Streams like `streamRequestLogs`. The last batch is complete after -1. */
export async function* streamLogBatches(
  store: Store,
  filter: LogFilter,
): AsyncGenerator<LogBatch> {
  let held: readonly RequestLogRow[] = [];
  for await (const { rows, completeAfterMs, isRepeated } of locatedBatches(store, filter)) {
    const read = isRepeated ? distinct([...held, ...rows]) : [...held, ...rows];
    const isReady = ({ id }: RequestLogRow) => idTimeMs(id) > completeAfterMs;
    held = read.filter((row) => !isReady(row));
    yield { rows: read.filter(isReady).sort(newestFirst), completeAfterMs };
  }
  yield { rows: held.toSorted(newestFirst), completeAfterMs: -1 };
}

function distinct(rows: readonly RequestLogRow[]): RequestLogRow[] {
  return [...new Map(rows.map((row) => [row.id, row])).values()];
}

interface LocatedBatch extends LogBatch {
  /** True if rows of its newest millisecond may be in the batch before it, too. */
  readonly isRepeated: boolean;
}

/**
 * Yields rows in the order of their locations, which do not order the calls of one millisecond by
 * id. Begins again from its last row whenever rows move to other pages.
 */
async function* locatedBatches(store: Store, filter: LogFilter): AsyncGenerator<LocatedBatch> {
  await compactRows(store, { rollups: false });
  let { toMs } = filter;
  for (let isRepeated = false;; isRepeated = true) {
    const moved = await lastMove(store);
    const isStill = async () => await lastMove(store) === moved;
    for await (const batch of batchesWhile(store, { ...filter, toMs }, isStill)) {
      yield { ...batch, isRepeated };
      toMs = batch.completeAfterMs + 1;
    }
    if (await isStill()) return;
  }
}

async function* batchesWhile(
  store: Store,
  { fromMs, toMs, ...filter }: LogFilter,
  isStill: () => Promise<boolean>,
): AsyncGenerator<LogBatch> {
  const matches = rowFilter(filter) ?? (() => true);
  for await (const { locations } of searchLog(store, { labels: labelsFor(filter), fromMs, toMs })) {
    for (let start = 0; start < locations.length; start += streamedRows) {
      const some = locations.slice(start, start + streamedRows);
      const rows = await rowsAtLocations(store, some);
      if (!await isStill()) return;
      yield { rows: rows.filter(matches), completeAfterMs: some[some.length - 1].atMs };
    }
  }
}

/** Changes whenever rows move to another page. */
async function lastMove(store: Store): Promise<string | null> {
  return (await store.kv.get(keys.logMoved)).versionstamp;
}
