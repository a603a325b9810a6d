import { type ArchivedPart, listArchiveParts } from "../store/archive/mod.ts";
import {
  getRequestLog,
  idTimeMs,
  type LogFilter,
  logFilterTest,
  newestFirst,
  type RequestLogRow,
  stepOf,
  streamLogBatches,
  streamRequestLogs,
} from "../store/log/mod.ts";
import type { Store } from "../store/mod.ts";
import { fileName, linesOf, readPart, readRow, rowsOf } from "./part_file.ts";
import type { ArchivePlace } from "./place.ts";

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

interface OpenPart {
  readonly rows: AsyncGenerator<RequestLogRow>;
  row: RequestLogRow;
}

/** The last moment whose day has four digits of a year. */
const msMax = Date.UTC(9_999, 11, 31);

/**
 * Reads the matching rows of the archive, newest first. A file is opened when its newest row is
 * next, so only files whose times overlap are in memory together.
 */
class ArchivedRows {
  readonly #store: Store;
  readonly #place: ArchivePlace;
  readonly #filter: LogFilter;
  readonly #matches: (row: RequestLogRow) => boolean;
  /** Files by name that were listed. */
  readonly #known = new Set<string>();
  /** Files that are not open yet, newest last. */
  #closed: ArchivedPart[] = [];
  #open: OpenPart[] = [];
  /** All rows after this time were read. */
  #readAfterMs = Infinity;

  constructor(store: Store, place: ArchivePlace, filter: LogFilter) {
    this.#store = store;
    this.#place = place;
    this.#filter = filter;
    this.#matches = logFilterTest(filter);
  }

  /**
   * Yields the rows that began after a time and that no earlier call covered. Lists the files
   * again: rows that have just left the store are in new ones.
   */
  async *rowsAfter(ms: number): AsyncGenerator<RequestLogRow> {
    const readAfterMs = this.#readAfterMs;
    await this.#list(ms);
    for (let next = await this.#next(ms); next; next = await this.#next(ms)) {
      const { row } = next;
      await this.#advance(next);
      if (idTimeMs(row.id) <= readAfterMs && this.#matches(row)) yield row;
    }
    this.#readAfterMs = ms;
  }

  /** The open file with the newest row after a time. */
  async #next(ms: number): Promise<OpenPart | undefined> {
    for (;;) {
      const first = this.#open.reduce<OpenPart | undefined>(
        (first, part) => first && newestFirst(first.row, part.row) <= 0 ? first : part,
        undefined,
      );
      const candidate = this.#closed.at(-1);
      const isDue = candidate && idTimeMs(candidate.newestId) > ms &&
        (!first || newestFirst({ id: candidate.newestId }, first.row) <= 0);
      if (!isDue) return first && idTimeMs(first.row.id) > ms ? first : undefined;
      this.#closed.pop();
      await this.#openPart(candidate);
    }
  }

  async #openPart(part: ArchivedPart): Promise<void> {
    const rows = rowsOf(await readPart(this.#place, part));
    const { value } = await rows.next();
    if (value) this.#open.push({ rows, row: value });
  }

  async #advance(part: OpenPart): Promise<void> {
    const { value } = await part.rows.next();
    if (value) part.row = value;
    else this.#open = this.#open.filter((one) => one !== part);
  }

  /** Adds the new files of the days that are read next. */
  async #list(ms: number): Promise<void> {
    const { fromMs = 0, toMs = Infinity } = this.#filter;
    const days = {
      fromDay: dayOf(Math.max(ms + 1, fromMs)),
      toDay: dayOf(Math.min(this.#readAfterMs, toMs)),
    };
    for (const part of await listArchiveParts(this.#store, days)) {
      const name = fileName(part);
      if (this.#known.has(name)) continue;
      this.#known.add(name);
      if (idTimeMs(part.newestId) >= fromMs && idTimeMs(part.oldestId) < toMs) {
        this.#closed.push(part);
      }
    }
    this.#closed.sort((a, b) => newestFirst({ id: b.newestId }, { id: a.newestId }));
  }
}

function dayOf(ms: number): string {
  return stepOf(Math.min(Math.max(ms, 0), msMax), "day");
}
