import stringWidth from "string-width";
import type { Json, JsonRecord } from "./client.ts";
import { contentLines, jsonText } from "./content.ts";
import type { CliOperation } from "./operation.ts";
import type { Terminal } from "./terminal.ts";

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

/** The columns of a list, for resources whose first fields do not say enough. */
const chosen: Readonly<Record<string, readonly string[]>> = {
  keys: ["id", "name", "group", "enabled", "secret_hint", "expires_at", "last_used_at"],
  users: ["id", "email", "role", "enabled", "balance", "last_seen_at"],
  groups: ["id", "models", "price_ratio", "origin"],
  upstreams: ["id", "enabled", "priority", "weight", "preset", "origin"],
  models: ["id", "vendor", "context_window", "price_source", "groups"],
  usage: ["id", "requests", "failures", "input_tokens", "output_tokens", "cost", "margin"],
  calls: ["at", "id", "key_name", "model", "status", "outcome", "cost", "duration_ms"],
  tokens: ["id", "name", "scopes", "secret_hint", "expires_at", "last_used_at"],
  webhooks: ["id", "url", "types", "enabled", "failing_since"],
  "webhooks deliveries": ["event_id", "type", "state", "attempts", "created_at", "next_attempt_at"],
  audit: ["at", "actor_name", "action", "kind", "target_name"],
  alerts: ["at", "type", "owner", "owner_name", "refused"],
};

const columnsMax = 8;
const cellWidthMax = 48;

/** Lines of a table: a head and the rows, aligned, as wide as the terminal shows them. */
export function tableLines(rows: readonly JsonRecord[], resource: string): string[] {
  const columns = columnsOf(rows, resource);
  const head = columns.map((name) => name.replaceAll("_", " ").toUpperCase());
  const cells = rows.map((row) => columns.map((name) => cut(cellText(row[name] ?? null))));
  return aligned([head, ...cells]);
}

/** Lines of one object: each field with its value. */
function objectLines(object: JsonRecord): string[] {
  return aligned(flat(object).map(([name, value]) => [name, cellText(value)]));
}

function columnsOf(rows: readonly JsonRecord[], resource: string): readonly string[] {
  const present = new Set(rows.flatMap((row) => Object.keys(row)));
  const wanted = (chosen[resource] ?? []).filter((name) => present.has(name));
  if (wanted.length > 1) return wanted;
  const isSimple = (name: string) => rows.every((row) => !isRecord(row[name] ?? null));
  return [...present].filter(isSimple).slice(0, columnsMax);
}

function flat(object: JsonRecord, before = ""): [string, Json][] {
  return Object.entries(object).flatMap(([name, value]) =>
    isRecord(value) ? flat(value, `${before}${name}.`) : [[before + name, value] as [string, Json]]
  );
}

function isRecord(value: Json): value is JsonRecord {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function cellText(value: Json): string {
  if (value === null || value === "") return "—";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value !== "object") return printable(String(value));
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
