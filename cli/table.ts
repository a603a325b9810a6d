import stringWidth from "string-width";
import type { Json, JsonRecord } from "./client.ts";
import { contentLines, jsonText } from "./content.ts";
import { columnsFor, isRecord } from "./columns.ts";
import type { CliOperation } from "./operation.ts";
import type { Terminal } from "./terminal.ts";
import { shownTime } from "./time.ts";

/** Prints an answer: as JSON, as a table of a list, or as the fields of one object. */
export function printAnswer(
  answer: JsonRecord | undefined,
  { words, isList }: Pick<CliOperation, "words" | "isList">,
  { terminal, json }: { readonly terminal: Terminal; readonly json: boolean },
): void {
  if (answer === undefined) return json ? undefined : terminal.print("Done");
  if (json) return terminal.print(jsonText(answer));
  if (words.join(" ") === "calls content") return contentLines(answer).forEach(terminal.print);
  if (!isList) return objectLines(answer).forEach(terminal.print);
  const rows = withSteps(listedRows(answer));
  complainPeriod(answer, terminal);
  if (rows.length === 0) return terminal.complain("None");
  const resource = words.filter((word) => word !== "list").join(" ");
  tableLines(rows, resource).forEach(terminal.print);
  if (typeof answer.next_cursor === "string") {
    terminal.complain(`More: --cursor ${answer.next_cursor}, or --all`);
  }
}

/** The period of sums, which the gateway rounds to whole hours or days. */
function complainPeriod(
  { from, to }: JsonRecord,
  { complain }: Terminal,
): void {
  if (typeof from === "string" && typeof to === "string") {
    complain(`${shownTime(from) ?? from} to ${shownTime(to) ?? to}, UTC`);
  }
}

/** The rows of a page. */
export function listedRows(answer: JsonRecord | undefined): readonly JsonRecord[] {
  const data = answer?.data ?? [];
  return Array.isArray(data) ? data : []; // a page's rows
}

const cellWidthMax = 48;

/** Lines of a table: a head and the rows, aligned, as wide as the terminal shows them. */
export function tableLines(
  rows: readonly JsonRecord[],
  resource: string,
): string[] {
  const columns = columnsFor(rows, resource);
  const cells = rows.map((row) => columns.map(({ value }) => cut(cellText(value(row)))));
  const heads = columns.map(({ head }, at) => {
    const isTime = rows.some((_, row) => timePattern.test(cells[row][at]));
    return head.replaceAll("_", " ").toUpperCase() + (isTime ? " (UTC)" : "");
  });
  return aligned([heads, ...cells]);
}

const timePattern = /^\d{4}-\d\d-\d\d( \d\d:\d\d:\d\d)?$/;

/** With steps, a row of usage for each step instead of one for all. */
function withSteps(rows: readonly JsonRecord[]): readonly JsonRecord[] {
  return rows.flatMap((row) => {
    const { points, ...sums } = row;
    if (!Array.isArray(points)) return [row];
    return points.map((point) => ({ ...sums, ...(isRecord(point) && point) }));
  });
}

/** Lines of one object: each field with its value. */
function objectLines(object: JsonRecord): string[] {
  const { secret, ...others } = object; // printed once: it must not be overlooked
  const shown = secret === undefined ? others : { secret, ...others };
  return aligned(flat(shown).map(([name, value]) => [name, cellText(value)]));
}

function flat(object: JsonRecord, before = ""): [string, Json][] {
  return Object.entries(object).flatMap(([name, value]) =>
    isRecord(value) ? flat(value, `${before}${name}.`) : [[before + name, value] as [string, Json]]
  );
}

function cellText(value: Json): string {
  if (value === null || value === "") return "—";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "string") return shownTime(value) ?? printable(value);
  if (typeof value !== "object") return String(value);
  if (!Array.isArray(value)) return printable(JSON.stringify(value));
  return value.length === 0 ? "—" : value.map((item) => cellText(item)).join(", ");
}

/** Without control characters, which could move the cursor or hide text. */
function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Bidi_Control}]+/gu, " ");
}

function cut(text: string): string {
  if (stringWidth(text) <= cellWidthMax) return text;
  let short = "";
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    if (stringWidth(short + segment) >= cellWidthMax) break;
    short += segment;
  }
  return `${short}…`;
}

function aligned(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => stringWidth(row[column])))
  );
  return rows.map((row) =>
    row.map((cell, column) => cell + " ".repeat(widths[column] - stringWidth(cell)))
      .join("  ").trimEnd()
  );
}
