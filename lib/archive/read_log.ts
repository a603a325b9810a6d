import { listArchiveParts } from "../store/archive/mod.ts";
import {
  getRequestLog,
  idTimeMs,
  type LogFilter,
  newestFirst,
  type RequestLogRow,
  stepOf,
  streamLogBatches,
  streamRequestLogs,
} from "../store/log/mod.ts";
import type { Store } from "../store/mod.ts";
import { ArchivedRows } from "./archived_rows.ts";
import { linesOf, readPart } from "./part_file.ts";
import type { ArchivePlace } from "./place.ts";
import { readRow } from "./row_json.ts";

/** The log: its store and, if it has one, its archive. */
export interface LogSource {
  readonly store: Store;
  readonly place?: ArchivePlace;
}

const batchRows = 500;

/**
 * Streams the matching calls of store and archive, newest first, each once, also while rows move
 * from one to the other. Throws `ArchiveError` if a file cannot be read.
 */
export async function* readLog(
  { store, place }: LogSource,
  filter: LogFilter = {},
): AsyncGenerator<readonly RequestLogRow[]> {
  if (!place) {
    yield* streamRequestLogs(store, filter);
    return;
  }
  const archived = new ArchivedRows(store, place, filter);
  for await (const { rows, completeAfterMs } of streamLogBatches(store, filter)) {
    yield* merged(rows, archived.rowsAfter(completeAfterMs)); // in this order, because rows move from the first to the second
  }
}

/** Returns a call's row from the store or the archive. Throws `ArchiveError` if a file fails. */
export async function findCall(
  { store, place }: LogSource,
  id: string,
  signal?: AbortSignal,
): Promise<RequestLogRow | undefined> {
  const stored = await getRequestLog(store, id);
  return stored ?? (place && await findArchived(store, place, { id, signal }));
}

/** Merges rows that are ordered alike. A row of both is one that is being moved. */
async function* merged(
  stored: readonly RequestLogRow[],
  archived: AsyncIterable<RequestLogRow>,
): AsyncGenerator<readonly RequestLogRow[]> {
  let batch: RequestLogRow[] = [];
  let at = 0;
  for await (const row of archived) {
    while (at < stored.length && newestFirst(stored[at], row) < 0) batch.push(stored[at++]);
    if (stored[at]?.id === row.id) at++;
    batch.push(row);
    if (batch.length < batchRows) continue;
    yield batch;
    batch = [];
  }
  const last = [...batch, ...stored.slice(at)];
  if (last.length > 0) yield last;
}

async function findArchived(
  store: Store,
  place: ArchivePlace,
  { id, signal }: { readonly id: string; readonly signal?: AbortSignal },
): Promise<RequestLogRow | undefined> {
  const day = stepOf(idTimeMs(id), "day");
  for (const part of await listArchiveParts(store, { fromDay: day, toDay: day })) {
    if (id > part.newestId || id < part.oldestId) continue;
    const row = await findRow(await readPart(place, part, signal), id);
    if (row) return row;
  }
}

/** Parses only the line that starts with the id, as all lines start with theirs. */
async function findRow(
  bytes: Uint8Array<ArrayBuffer>,
  id: string,
): Promise<RequestLogRow | undefined> {
  const start = `{"id":${JSON.stringify(id)},`;
  for await (const lines of linesOf(bytes)) {
    const line = lines.find((line) => line.startsWith(start));
    if (line !== undefined) return readRow(line);
  }
}
