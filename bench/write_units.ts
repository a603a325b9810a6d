import { parseArgs } from "node:util";
import { markdownTable } from "./table.ts";
import { purposes, total, type UnitsByPurpose, unitsPerCall } from "./writes/purposes.ts";
import { type Measured, measureWrites, type Traffic } from "./writes/traffic.ts";

/** The figures of one measurement, per call. */
export interface Figure extends Traffic {
  readonly calls: number;
  readonly units: UnitsByPurpose;
  /** Units if each commit is billed as a whole, with its keys. */
  readonly commitUnits: number;
  readonly deletes: number;
  readonly commits: number;
  readonly conflicts: number;
  /** Writes per second to the busiest key of each kind, by the first part of the key. */
  readonly hotKeys: Readonly<Record<string, number>>;
}

/** Everything that `--json` writes. */
export interface Figures {
  readonly date: string;
  readonly deno: string;
  readonly figures: readonly Figure[];
}

export function figureOf({ traffic, calls, writes }: Measured): Figure {
  const kinds = Object.values(writes.byPrefix);
  const hotKeys = Object.entries(writes.busiest)
    .map(([prefix, count]) => [prefix, rounded(count / traffic.seconds)] as const);
  const units = unitsPerCall(writes, calls);
  return {
    ...{ ...traffic, calls },
    units: Object.fromEntries(
      purposes.map((name) => [name, rounded(units[name])]),
    ) as UnitsByPurpose, // all of them
    commitUnits: rounded(writes.commitUnits / calls),
    deletes: rounded(kinds.reduce((sum, { deletes }) => sum + deletes, 0) / calls),
    commits: rounded(writes.commits / calls),
    conflicts: rounded(writes.conflicts / calls),
    hotKeys: Object.fromEntries(hotKeys),
  };
}

/** Every kind of key with its values, units and deletes per call. */
function detailsOf({ traffic, calls, writes }: Measured): string {
  const rows = Object.entries(writes.byPrefix)
    .sort(([, a], [, b]) => b.units - a.units)
    .map(([prefix, { values, units, deletes }]) => [
      prefix,
      ...[values, units, deletes].map((count) => (count / calls).toFixed(3)),
    ]);
  const table = markdownTable(["kind of key", "values", "units", "deletes"], rows);
  return `${traffic.rate} calls/s, per call:\n\n${table}\n`;
}

function tableOf(figures: readonly Figure[]): string {
  const head = [
    "calls/s",
    "isolates",
    "keys",
    ...purposes,
    "units",
    "by commit",
    "deletes",
    "commits",
  ];
  const rows = figures.map(({ rate, isolates, keys, units, commitUnits, deletes, commits }) => [
    ...[rate, isolates, keys].map(String),
    ...purposes.map((name) => units[name].toFixed(2)),
    ...[total(units), commitUnits, deletes, commits].map((count) => count.toFixed(2)),
  ]);
  return markdownTable(head, rows);
}

function rounded(count: number): number {
  return Math.round(count * 1_000) / 1_000;
}

const options = {
  rates: { type: "string", default: "5,200" },
  isolates: { type: "string", default: "1" },
  keys: { type: "string", default: "1" },
  teams: { type: "boolean", default: false },
  sessions: { type: "boolean", default: false },
  "answer-ms": { type: "string", default: "300" },
  "latency-ms": { type: "string", default: "7" },
  "warm-up": { type: "string", default: "35" },
  seconds: { type: "string", default: "60" },
  full: { type: "boolean", default: false },
  json: { type: "string" },
} as const;

/** The measurements that `deno task bench:scale` needs. */
const fullPlan: readonly (Partial<Traffic> & Pick<Traffic, "rate">)[] = [
  ...[1, 5, 10, 100, 200].map((rate) => ({ rate })),
  { rate: 200, isolates: 4 },
  { rate: 5, keys: 50 },
  { rate: 5, answerMs: 10_000 },
];

function optionsOf(args: string[]): { readonly traffics: Traffic[]; readonly json?: string } {
  const { values } = parseArgs({ args, options });
  const one = {
    rate: 0,
    isolates: Number(values.isolates),
    keys: Number(values.keys),
    teams: values.teams,
    sessions: values.sessions,
    answerMs: Number(values["answer-ms"]),
    latencyMs: Number(values["latency-ms"]),
    warmUpSeconds: Number(values["warm-up"]),
    seconds: Number(values.seconds),
  };
  const rates = values.rates.split(",").map((rate) => ({ rate: Number(rate) }));
  const traffics = (values.full ? fullPlan : rates).map((own) => ({ ...one, ...own }));
  return { traffics, json: values.json };
}

/**
 * `deno task bench:writes`: counts the write units of a call on Deno Deploy's database, by purpose,
 * at constant rates; `--full` for all figures of the scale page. `--json FILE` also writes the
 * figures that `deno task bench:scale` reads.
 */
if (import.meta.main) {
  const { traffics, json } = optionsOf(Deno.args);
  const figures: Figure[] = [];
  for (const traffic of traffics) {
    const measured = await measureWrites(traffic);
    figures.push(figureOf(measured));
    console.log(detailsOf(measured));
    if (json !== undefined) await writeFigures(json, figures);
  }
  console.log(tableOf(figures));
  Deno.exit(0);
}

/** Writes what is measured so far, since all of it takes a quarter of an hour. */
async function writeFigures(path: string, figures: readonly Figure[]): Promise<void> {
  const date = new Date().toISOString().slice(0, 10);
  const written: Figures = { date, deno: Deno.version.deno, figures };
  await Deno.writeTextFile(path, `${JSON.stringify(written, null, 2)}\n`);
}
