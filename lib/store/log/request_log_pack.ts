import { StoreError } from "../kv/error.ts";
import { lineBytes, linesBytesMax, packRun, textOfLines, unpackLines } from "./log_lines.ts";
import {
  columnNames,
  type Columns,
  columnsOf,
  ordinaryColumnNames,
  packCells,
  type SharedFields,
  unpackRow,
  unpackShared,
} from "./request_log_columns.ts";
import type { RequestLogRow } from "./request_log_row.ts";
import { fitRow, smallerRows } from "./request_log_size.ts";

/**
 * Values of many rows. The first line names the columns. Each row is a JSON array on a line of its
 * own, which the number of its shared cells precedes unless they are those of the row before. Shared
 * cells are numbered from 0; their line, with `=`, precedes the first row that has them.
 */

const version = 2;
const head = JSON.stringify({ version, ...columnNames });
/** Its columns are the first ones of `head`, so that lines are the same under both. */
const ordinaryHead = JSON.stringify({ version, ...ordinaryColumnNames });
const headBytes = lineBytes(head);

/** Ten values of rows fit into the 800 KiB of a commit, with room for other writes. */
const valuesPerCommit = 10;

/** A line and its length. */
interface Line {
  readonly text: string;
  readonly bytes: number;
}

/** A row and its lines in a packed value. */
export interface PackedRow {
  /** The row as its lines have it, cut to size. */
  readonly row: RequestLogRow;
  readonly shared: Line;
  readonly line: string;
  /** Bytes of its own line. */
  readonly bytes: number;
  /** True if all of its columns are ordinary ones. */
  readonly isOrdinary: boolean;
}

/** Packs a row, fitted to the size of one value. */
export function packRow(source: RequestLogRow): PackedRow {
  let packed = packedLines(fitRow(source));
  if (fits(packed)) return packed;
  for (const smaller of smallerRows(packed.row)) {
    packed = packedLines(smaller);
    if (fits(packed)) break;
  }
  return packed;
}

/** Packs a row that was cut to size when it was written: cutting it again would lose more of it. */
function repack(row: RequestLogRow): PackedRow {
  const packed = packedLines(row);
  return fits(packed) ? packed : packRow(row);
}

function packedLines(row: RequestLogRow): PackedRow {
  const { shared, own, isOrdinary } = packCells(row);
  return { row, shared: sharedLine(shared), line: own, bytes: lineBytes(own), isOrdinary };
}

/** The line of the row before, of any store: most rows share its cells, so it is counted and kept once. */
let lastShared = lineOf("");

function sharedLine(text: string): Line {
  if (lastShared.text !== text) lastShared = lineOf(text);
  return lastShared;
}

function lineOf(text: string): Line {
  return { text, bytes: lineBytes(text) };
}

function fits({ shared, bytes }: PackedRow): boolean {
  return headBytes + sharedMark.length + shared.bytes + bytes <= linesBytesMax;
}

const sharedMark = "=";

/** Writes what precedes the line of each row of a value: nothing, a number, or new shared cells. */
class Prefixes {
  readonly #numbers = new Map<string, number>();
  #last?: string;

  next({ shared: { text, bytes } }: PackedRow): Line {
    if (text === this.#last) return none;
    this.#last = text;
    const number = this.#numbers.get(text);
    if (number !== undefined) return { text: `${number}`, bytes: `${number}`.length };
    this.#numbers.set(text, this.#numbers.size);
    return { text: `${sharedMark}${text}\n`, bytes: sharedMark.length + bytes };
  }
}

const none: Line = { text: "", bytes: 0 };

/** Splits rows, in order, into runs that each fit into one value. */
export function runsOfValues(rows: readonly PackedRow[]): (readonly PackedRow[])[] {
  const runs: (readonly PackedRow[])[] = [];
  for (let left = rows; left.length > 0;) {
    const taken = Math.max(rowsThatFit(left), 1);
    runs.push(taken === left.length ? left : left.slice(0, taken));
    left = left.slice(taken);
  }
  return runs;
}

/** Packs rows into as few values as possible, in order. */
export function packRows(rows: readonly PackedRow[]): Uint8Array<ArrayBuffer>[] {
  return runsOfValues(rows).map(packFitting);
}

/** Returns how many of the first rows fit into one value. */
export function rowsThatFit(rows: readonly PackedRow[]): number {
  const prefixes = new Prefixes();
  let bytes = headBytes;
  for (let at = 0; at < rows.length; at++) {
    bytes += prefixes.next(rows[at]).bytes + rows[at].bytes;
    if (bytes > linesBytesMax) return at;
  }
  return rows.length;
}

/** Splits rows, in order, into runs that each fit in one commit and hold at most `rowsMax`. */
export function* runsOfRows(
  rows: readonly PackedRow[],
  rowsMax: number,
): Generator<readonly PackedRow[]> {
  for (let left = rows; left.length > 0;) {
    const taken = Math.min(rowsOfCommit(left), rowsMax);
    yield left.slice(0, taken);
    left = left.slice(taken);
  }
}

function rowsOfCommit(rows: readonly PackedRow[]): number {
  let taken = 0;
  for (let value = 0; value < valuesPerCommit && taken < rows.length; value++) {
    taken += Math.max(rowsThatFit(taken === 0 ? rows : rows.slice(taken)), 1);
  }
  return taken;
}

/** Returns false for other bytes, also for those of another version. */
export function isPackOfRows(value: Uint8Array): boolean {
  return unpackLines(value).head.startsWith(`{"version":${version},`);
}

/** Packs the rows that `rowsThatFit` counted into one value. */
export function packFitting(rows: readonly PackedRow[]): Uint8Array<ArrayBuffer> {
  const prefixes = new Prefixes();
  const shortest = rows.every(({ isOrdinary }) => isOrdinary) ? ordinaryHead : head;
  return packRun(shortest, rows.map((row) => prefixes.next(row).text + row.line));
}

/** Unpacks the rows of a value, in order, each with its lines. */
export function unpackRows(value: Uint8Array): PackedRow[] {
  const { head: written, lines, ascii } = unpackLines(value);
  const reader = new RowReader(written);
  const isOrdinary = written === ordinaryHead;
  const sharedLines = new Map<string, Line>();
  return rowLines(lines).map(({ shared, line }) => {
    const row = reader.read(shared, line);
    if (written !== head && !isOrdinary) return repack(row);
    return {
      row,
      shared: sharedLines.getOrInsertComputed(shared, lineOf),
      line,
      bytes: ascii ? line.length + 1 : lineBytes(line),
      isOrdinary,
    };
  });
}

/**
 * Unpacks some rows of a value without reading the others; undefined for positions that it does not
 * have, and for rows whose lines `mayMatch` rejects. It gets the text of the whole value first.
 */
export function unpackRowsAt(
  bytes: Uint8Array,
  positions: readonly number[],
  mayMatch: (text: string) => boolean = () => true,
): (RequestLogRow | undefined)[] {
  const text = textOfLines(bytes);
  if (!mayMatch(text)) return positions.map(() => undefined);
  const { head: written, lines } = unpackLines(bytes, text);
  const reader = new RowReader(written);
  const rows = rowLines(lines);
  return positions.map((position) => {
    const { shared, line } = rows[position] ?? {};
    if (shared === undefined || !mayMatch(shared + line)) return undefined;
    return reader.read(shared, line);
  });
}

/** The texts of a row: its own line, and that of its shared cells; empty without these. */
interface RowLine {
  readonly shared: string;
  readonly line: string;
}

/** Finds the lines of each row. */
function rowLines(lines: readonly string[]): RowLine[] {
  const known: string[] = [];
  const rows: RowLine[] = [];
  let shared = "";
  for (const text of lines) {
    const start = text.indexOf("[");
    if (text.startsWith(sharedMark)) {
      shared = text.slice(start);
      known.push(shared);
    } else {
      if (start > 0) shared = known[Number(text.slice(0, start))];
      rows.push({ shared, line: start > 0 ? text.slice(start) : text });
    }
  }
  return rows;
}

/** Unpacks the rows of a value with this first line. */
class RowReader {
  readonly #ownColumns: Columns;
  readonly #sharedColumns: Columns;
  readonly #shared = new Map<string, SharedFields>([["", { parts: {}, fields: {} }]]);

  constructor(written: string) {
    const { version: from, fields, shared = [] } = JSON.parse(written);
    if (from !== version) throw unreadable(from);
    this.#ownColumns = columnsOf(fields);
    this.#sharedColumns = columnsOf(shared);
  }

  read(shared: string, line: string): RequestLogRow {
    const fields = this.#shared.getOrInsertComputed(shared, this.#readShared);
    return unpackRow(JSON.parse(line), this.#ownColumns, fields);
  }

  readonly #readShared = (text: string): SharedFields =>
    unpackShared(JSON.parse(text), this.#sharedColumns);
}

function unreadable(written: unknown): StoreError {
  return new StoreError(
    "unreadable",
    `Cannot read rows of the log: they were written by version ${written} of their format, this release reads version ${version}`,
  );
}
