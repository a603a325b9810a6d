import { counted } from "../counted.ts";
import type { FieldLine, Outcome } from "./field_report.ts";
import { type SourceName, sourceNames } from "./plan.ts";
import type { RecordLine } from "./resolve.ts";

/** The result of an import, or of its dry run. */
export interface MigrationResult {
  readonly source: SourceName;
  readonly isDryRun: boolean;
  readonly records: readonly RecordLine[];
  readonly fields: readonly FieldLine[];
  readonly notices: readonly string[];
}

/** More records of a kind are counted only; JSON has them all. */
const namesMax = 20;

const nouns = {
  group: "group",
  model: "model price",
  upstream: "upstream",
  user: "user",
  grant: "balance",
  key: "API key",
} as const satisfies Record<RecordLine["kind"], string>;

/** The result as lines of text. */
export function printedLines(result: MigrationResult): string[] {
  const kinds = Object.keys(nouns) as RecordLine["kind"][]; // the table's own keys
  return [
    ...kinds.flatMap((kind) => recordLines(kind, result)),
    ...fieldLines(result.fields),
    ...section("To do", result.notices.map(printable)),
    "",
    summary(result),
  ];
}

/** The result as one JSON object, with snake_case names. */
export function printedJson(
  { source, isDryRun, records, fields, notices }: MigrationResult,
): string {
  return JSON.stringify({ source, dry_run: isDryRun, records, fields, notices }, null, 2);
}

function recordLines(kind: RecordLine["kind"], { records, isDryRun }: MigrationResult): string[] {
  const own = records.filter((record) => record.kind === kind);
  const created = own.filter(({ result }) => result === "created");
  if (own.length === 0) return [];
  const verb = isDryRun ? "to create" : "created";
  const present = own.length - created.length;
  const rest = created.length - namesMax;
  return [
    `${counted(created.length, nouns[kind])} ${verb}${present > 0 ? `, ${present} present` : ""}`,
    ...created.slice(0, namesMax).map(({ name, detail }) =>
      `  ${printable(name)}${detail ? ` (${printable(detail)})` : ""}`
    ),
    ...(rest > 0 ? [`  … and ${rest.toLocaleString("en")} more`] : []),
  ];
}

const outcomes: Readonly<Record<Outcome, string>> = {
  taken: "taken",
  changed: "changed",
  unknown: "not known",
};

function fieldLines(fields: readonly FieldLine[]): string[] {
  const byPlace = Map.groupBy(fields, ({ place }) => place);
  return [...byPlace].flatMap(([place, lines]) => section(place, lines.map(fieldLine)));
}

function fieldLine({ field, outcome, how, count, examples }: FieldLine): string {
  const names = examples.length === 0
    ? ""
    : ` [${examples.map(printable).join(", ")}${count > examples.length ? ", …" : ""}]`;
  const times = count > 1 ? ` ×${count.toLocaleString("en")}` : "";
  const reason = how === undefined ? "" : `: ${how}`;
  return `${printable(field).padEnd(28)} ${outcomes[outcome]}${times}${reason}${names}`;
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ["", title, ...lines.map((line) => `  ${line}`)];
}

function summary({ source, isDryRun, records, fields }: MigrationResult): string {
  const created = records.filter(({ result }) => result === "created").length;
  const counts = (Object.keys(outcomes) as Outcome[]).map((outcome) => { // the table's own keys
    const count = fields.filter((line) => line.outcome === outcome).length;
    return `${count} ${outcomes[outcome]}`;
  });
  const verb = isDryRun ? "Would create" : "Created";
  return `${verb} ${counted(created, "record")} from ${sourceNames[source]}; fields: ${
    counts.join(", ")
  }`;
}

/** Names of others may hold control characters, which would steer the terminal. */
function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}]/gu, "\ufffd").slice(0, 300);
}
