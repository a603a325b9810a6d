import type { JsonRecord } from "./client.ts";
import type { CliOperation } from "./operation.ts";
import { objectLines, tableLines } from "./table.ts";
import type { Terminal } from "./terminal.ts";

/** Prints an answer: as JSON, as a table of a list, or as the fields of one object. */
export function printAnswer(
  answer: JsonRecord | undefined,
  { words, isList }: Pick<CliOperation, "words" | "isList">,
  { terminal, json }: { readonly terminal: Terminal; readonly json: boolean },
): void {
  if (answer === undefined) return json ? undefined : terminal.print("Done");
  if (json) return terminal.print(JSON.stringify(answer, undefined, 2));
  if (!isList) return objectLines(answer).forEach(terminal.print);
  const rows = listedRows(answer);
  if (rows.length === 0) return terminal.complain("None");
  const resource = words.filter((word) => word !== "list").join(" ");
  tableLines(rows, resource).forEach(terminal.print);
  if (typeof answer.next_cursor === "string") {
    terminal.complain(`More: --cursor ${answer.next_cursor}, or --all`);
  }
}

/** The rows of a page. */
export function listedRows(answer: JsonRecord | undefined): readonly JsonRecord[] {
  const data = answer?.data ?? [];
  return Array.isArray(data) ? data : []; // a page's rows
}
