import type { Sample, ShapeResult } from "./measure.ts";
import { describe, unitOf } from "./shapes.ts";
import { type Spread, spreadOf } from "./statistics.ts";

/** One subject's results of one shape. */
export interface Row {
  readonly shape: string;
  readonly description: string;
  readonly subject: string;
  readonly unit: "call" | "event";
  readonly cpu: Spread;
  /** The bare proxy's CPU time by the subject's, paired by round. Above 1: the subject is cheaper. */
  readonly ratio: Spread;
  readonly callsPerSecond: Spread;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly errors: number;
  readonly loadAverage: number;
}

/** The subject that all others are compared with. */
const reference = "bare";

export function rowsOf({ shape, samples, loadAverage }: ShapeResult): Row[] {
  const bare = samples[reference] ?? [];
  return Object.entries(samples).map(([subject, own]) => ({
    shape: shape.name,
    description: describe(shape),
    subject,
    unit: unitOf(shape),
    cpu: spreadOf(own.map(({ cpuPerUnit }) => cpuPerUnit)),
    ratio: spreadOf(own.map((sample, round) => ratioOf(bare[round], sample))),
    callsPerSecond: spreadOf(own.map(({ callsPerSecond }) => callsPerSecond)),
    p50Ms: spreadOf(own.map(({ whole }) => whole.p50)).median,
    p99Ms: spreadOf(own.map(({ whole }) => whole.p99)).median,
    errors: own.reduce((sum, { errors }) => sum + errors, 0),
    loadAverage,
  }));
}

function ratioOf(bare: Sample | undefined, own: Sample): number {
  return bare === undefined ? NaN : bare.cpuPerUnit / own.cpuPerUnit;
}

const head = [
  "shape",
  "subject",
  "CPU µs",
  "of bare",
  "calls/s",
  "p50 ms",
  "p99 ms",
  "errors",
  "load",
];

/** A table in Markdown that also reads well on a terminal. */
export function tableOf(rows: readonly Row[]): string {
  return markdownTable(head, rows.map(cellsOf));
}

function cellsOf(row: Row): string[] {
  return [
    row.shape,
    row.subject,
    `${spread(row.cpu, 1)} per ${row.unit}`,
    spread(row.ratio, 2),
    row.callsPerSecond.median.toFixed(0),
    row.p50Ms.toFixed(2),
    row.p99Ms.toFixed(1),
    `${row.errors}`,
    row.loadAverage.toFixed(1),
  ];
}

export function spread({ median, least, greatest }: Spread, digits: number): string {
  const [middle, from, to] = [median, least, greatest].map((value) => value.toFixed(digits));
  return `${middle} (${from}–${to})`;
}

export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]) {
  const widths = head.map((cell, at) =>
    Math.max(3, cell.length, ...rows.map((row) => (row[at] ?? "").length))
  );
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(" | ")} |`;
  return [line(head), line(widths.map((width) => "-".repeat(width))), ...rows.map(line)].join("\n");
}
