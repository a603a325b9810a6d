import { type ArchivedPart, listArchiveParts } from "../store/archive/mod.ts";
import {
  idTimeMs,
  type LogFilter,
  logFilterTest,
  newestFirst,
  type RequestLogRow,
  stepOf,
} from "../store/log/mod.ts";
import type { Store } from "../store/mod.ts";
import { fileName, readPart, rowsOf } from "./part_file.ts";
import type { ArchivePlace } from "./place.ts";

/** An open file, and its next row. */
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
export class ArchivedRows {
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
