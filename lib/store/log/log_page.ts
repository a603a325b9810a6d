import { keys } from "../keys.ts";
import type { AtomicOperation } from "../kv/database.ts";
import { randomBase62 } from "../kv/id.ts";
import type { Store } from "../kv/store.ts";
import { areLabelsEqual, type Label, labelKey, labelsOf } from "./log_label.ts";
import { idTimeMs, stepMs, stepOf } from "./log_time.ts";
import { type PackedRow, packFitting, rowsThatFit, unpackRows } from "./request_log_pack.ts";
import type { RequestLogRow } from "./request_log_row.ts";
import { encodePositions, positionNumber, rowsPerPageMax } from "./row_positions.ts";

/** A page: many rows in one value, with the index entries of their labels. */
export interface LogPage {
  readonly id: string;
  readonly rows: readonly PackedRow[];
  readonly index: readonly IndexEntry[];
}

export interface IndexEntry {
  readonly key: Deno.KvKey;
  readonly value: Uint8Array<ArrayBuffer>;
}

/** Bounds the index entries that a page of dissimilar rows may add to a commit. */
const indexEntriesMax = 300;
const idTimeLength = 11;
const idRandomLength = 12;

/** Creates a unique id that grows with time, in microseconds. */
export function newPageId(): string {
  const microseconds = Math.floor((performance.timeOrigin + performance.now()) * 1_000);
  return microseconds.toString(36).padStart(idTimeLength, "0") + randomBase62(idRandomLength);
}

/** Returns the time at which a page's id was created, in milliseconds. */
export function pageTimeMs(id: string): number {
  return parseInt(id.slice(0, idTimeLength), 36) / 1_000;
}

/** Returns how many of the first rows make one page. */
export function rowsOfPage(rows: readonly PackedRow[]): number {
  const fitting = rowsThatFit(rows.slice(0, rowsPerPageMax));
  const groups: Groups = { byName: new Map() };
  const entries = new Set<string>();
  for (let at = 0; at < fitting; at++) {
    const { row } = rows[at];
    const { size } = groups.byName;
    const { minute } = groupOf(groups, row, idTimeMs(row.id));
    if (groups.byName.size > size) addEntryNames(entries, row, minute);
    if (entries.size > indexEntriesMax) return at;
  }
  return fitting;
}

/** Splits rows, in order, into pages with new ids, until `isEnough` of the pages so far. */
export function pagesOf(
  rows: readonly PackedRow[],
  isEnough: (pages: readonly LogPage[]) => boolean = () => false,
): LogPage[] {
  const pages: LogPage[] = [];
  for (let left = rows; left.length > 0 && !isEnough(pages);) {
    const page = logPageOf(newPageId(), left.slice(0, rowsOfPage(left)));
    pages.push(page);
    left = left.slice(page.rows.length);
  }
  return pages;
}

/**
 * Builds a page of the rows that `rowsOfPage` counted, ordered by id. The order may add the numbers
 * of shared cells, up to three bytes for each row, which a value has room for.
 */
export function logPageOf(id: string, unsorted: readonly PackedRow[]): LogPage {
  const rows = unsorted.toSorted((a, b) => a.row.id < b.row.id ? -1 : 1);
  return { id, rows, index: indexOf(id, rows.map(({ row }) => row)) };
}

/** Adds a page to a commit. It never expires if the retention is infinite. */
export function addPage(
  operation: AtomicOperation,
  { id, rows, index }: LogPage,
  retentionMs: number,
): void {
  const options = Number.isFinite(retentionMs) ? { expireIn: retentionMs } : {};
  operation.set(keys.logPage(id), packFitting(rows), options);
  for (const { key, value } of index) operation.set(key, value, options);
}

/** Lists all stored pages. */
export function listPages(store: Store): AsyncIterable<Deno.KvEntry<Uint8Array>> {
  return store.kv.list({ prefix: keys.logPages }); // addPage wrote it
}

/** Returns the index entries of a page's rows, which are given in the page's order. */
function indexOf(pageId: string, rows: readonly RequestLogRow[]): IndexEntry[] {
  const parts = new Map<string, Part>();
  for (const alike of alikeRows(rows)) {
    for (const label of labelsOf(alike.row)) {
      const name = entryName(label, alike.minute);
      const part = parts.get(name);
      if (part) part.groups.push(alike);
      else parts.set(name, { label, groups: [alike] });
    }
  }
  return [...parts.values()].map(({ label: { dimension, value }, groups }) => ({
    key: keys.logIndex(dimension, value, groups[0].minute, pageId),
    value: encodedPositions(groups),
  }));
}

/** Encodes the positions of groups in order. A group's labels share its bytes. */
function encodedPositions(groups: readonly Alike[]): Uint8Array<ArrayBuffer> {
  const [first] = groups;
  if (groups.length === 1) return first.encoded ??= encodePositions(first.positions);
  return encodePositions(new Uint32Array(groups.flatMap(({ positions }) => positions)).sort());
}

/** Returns the index entries that belong to a stored page. */
export function indexOfStored(pageId: string, page: Uint8Array): IndexEntry[] {
  return indexOf(pageId, unpackRows(page).map(({ row }) => row));
}

interface Part {
  readonly label: Label;
  /** All of one minute. */
  readonly groups: Alike[];
}

/** Rows of one minute with equal labels, such as the first one's. */
interface Alike {
  readonly row: RequestLogRow;
  readonly minute: string;
  /** The numbers of their positions. */
  readonly positions: number[];
  encoded?: Uint8Array<ArrayBuffer>;
}

interface Groups {
  readonly byName: Map<string, Alike>;
  last?: Alike;
}

/** Groups the rows of one minute with equal labels; most pages have many. */
function alikeRows(rows: readonly RequestLogRow[]): Iterable<Alike> {
  const groups: Groups = { byName: new Map() };
  for (let position = 0; position < rows.length; position++) {
    const row = rows[position];
    const atMs = idTimeMs(row.id);
    const offsetMs = atMs % stepMs.minute;
    groupOf(groups, row, atMs).positions.push(positionNumber({ position, offsetMs }));
  }
  return groups.byName.values();
}

/** Returns the group of a row. Most rows are like the one before, which is found without a name. */
function groupOf(groups: Groups, row: RequestLogRow, atMs: number): Alike {
  const { byName, last } = groups;
  const minute = stepOf(atMs, "minute");
  if (last?.minute === minute && areLabelsEqual(last.row, row)) return last;
  const make = () => ({ row, minute, positions: [] });
  return groups.last = byName.getOrInsertComputed(`${minute} ${labelKey(row)}`, make);
}

function addEntryNames(names: Set<string>, row: RequestLogRow, minute: string): void {
  for (const label of labelsOf(row)) names.add(entryName(label, minute));
}

function entryName({ dimension, value }: Label, minute: string): string {
  return `${dimension} ${minute} ${value}`;
}
