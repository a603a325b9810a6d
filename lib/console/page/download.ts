import { type CsvCell, csvLine, decimalUsd } from "../../canonical/mod.ts";
import type { Budget, CalendarPeriod } from "../../store/money/mod.ts";

/** The formats of downloads: media type, file extension and the prefix of the text. */
interface FileType {
  readonly type: string;
  readonly ending: string;
  readonly mark: string;
}

export const fileTypes = {
  /** With a byte-order mark, by which spreadsheets recognize UTF-8. */
  csv: { type: "text/csv; charset=utf-8; header=present", ending: "csv", mark: "\ufeff" },
  jsonl: { type: "application/x-ndjson", ending: "jsonl", mark: "" },
} as const satisfies Record<string, FileType>;

/** Responds with a file download, streamed in constant memory. */
export function download(
  name: string,
  pieces: AsyncIterable<string>,
  { type, ending, mark }: FileType = fileTypes.csv,
): Response {
  const text = ReadableStream.from(marked(mark, pieces));
  return new Response(text.pipeThrough(new TextEncoderStream()), {
    headers: {
      "content-type": type,
      "content-disposition": `attachment; filename="${name}.${ending}"`,
      "cache-control": "no-store",
    },
  });
}

/** A file name with the current UTC day. */
export function datedName(name: string, nowMs: number): string {
  return `${name}-${new Date(nowMs).toISOString().slice(0, 10)}`;
}

async function* marked(mark: string, pieces: AsyncIterable<string>): AsyncGenerator<string> {
  if (mark !== "") yield mark;
  yield* pieces;
}

/** The columns of an export, by name: the cell of each in a row. */
type CsvColumns<Row> = Readonly<Record<string, (row: Row) => CsvCell>>;

/** Rows as CSV in pieces, after the names of the columns. */
export async function* csvOf<Row>(
  columns: CsvColumns<Row>,
  pieces: AsyncIterable<readonly Row[]>,
): AsyncGenerator<string> {
  const cells = Object.values(columns);
  yield csvLine(Object.keys(columns));
  for await (const rows of pieces) {
    yield rows.map((row) => csvLine(cells.map((cell) => cell(row)))).join("");
  }
}

/** Completes rows, `count` at once. */
export async function* completed<Row, Whole>(
  rows: readonly Row[],
  count: number,
  complete: (some: readonly Row[]) => Promise<readonly Whole[]>,
): AsyncGenerator<readonly Whole[]> {
  for (let start = 0; start < rows.length; start += count) {
    yield await complete(rows.slice(start, start + count));
  }
}

/** The cell of a time: ISO 8601 in UTC. */
export function csvTime(atMs: number | undefined): CsvCell {
  return atMs === undefined ? undefined : new Date(atMs).toISOString();
}

/** The cell of a period's budget: exact decimal dollars. */
export function csvBudget(
  budgets: readonly Budget[] | undefined,
  period: CalendarPeriod,
): CsvCell {
  const found = budgets?.find((one) => one.period === period);
  return found && decimalUsd(found.nanoUsd);
}
