import { markdownTable } from "./table.ts";
import type { Figure, Figures } from "./write_units.ts";
import { purposes, total } from "./writes/purposes.ts";

const page = new URL("RESULTS.md", import.meta.url);
const figuresFile = new URL("writes/figures.json", import.meta.url);

export async function readFigures(): Promise<Figures> {
  return JSON.parse(await Deno.readTextFile(figuresFile));
}

/** Returns the page's text with new tables between its markers. */
export function withTables(text: string, figures: Figures): string {
  const tables = { cost: costTable, writes: writesTable, keys: hotKeyTable };
  let written = text;
  for (const [name, tableOf] of Object.entries(tables)) {
    const marked = new RegExp(`(<!-- ${name} -->\n).*(<!-- end of ${name} -->)`, "s");
    written = written.replace(marked, (_, start, end) => `${start}\n${tableOf(figures)}\n\n${end}`);
  }
  return written;
}

/** USD per write unit: 2.50 per million. */
const usdPerUnit = 2.5e-6;
const secondsPerMonth = 30 * 86_400;
const rates = [1, 10, 100, 1_000, 10_000];
/** Calls per second that one isolate is expected to serve; the highest measured rate. */
const ratePerIsolate = 200;

/** A rate of calls, spread over isolates, with the measurement that comes closest for one of them. */
interface Spread {
  readonly rate: number;
  readonly isolates: number;
  readonly figure: Figure;
}

function spreadOf(rate: number, { figures }: Figures): Spread {
  const isolates = Math.ceil(rate / ratePerIsolate);
  const figure = figures.filter(isPlain).find((one) => one.rate === rate / isolates);
  if (figure === undefined) throw new Error(`No measurement at ${rate / isolates} calls/s`);
  return { rate, isolates, figure };
}

/** One isolate, one key and short answers. */
function isPlain({ isolates, keys, answerMs }: Figure): boolean {
  return isolates === 1 && keys === 1 && answerMs < 1_000;
}

function costTable(figures: Figures): string {
  const head = [
    ...["calls/s", "isolates", "commits/s", "units per call, by value", "million a month", "USD"],
    ...["units per call, by commit", "million a month", "USD"],
  ];
  const rows = rates.map((rate) => {
    const { isolates, figure } = spreadOf(rate, figures);
    return [
      ...[rate, isolates].map(grouped),
      significant(figure.commits * rate),
      ...[total(figure.units), figure.commitUnits].flatMap((units) => monthly(units, rate)),
    ];
  });
  return markdownTable(head, rows);
}

/** Units per call, and what they amount to in a month: millions of units, and USD. */
function monthly(units: number, rate: number): string[] {
  const perMonth = units * rate * secondsPerMonth;
  return [units.toFixed(1), grouped(perMonth / 1e6), grouped(perMonth * usdPerUnit)];
}

function writesTable({ figures }: Figures): string {
  const head = ["calls", ...purposes, "units", "by commit", "deletes"];
  const rows = figures.map((figure) => [
    describe(figure),
    ...purposes.map((name) => figure.units[name].toFixed(2)),
    total(figure.units).toFixed(1),
    figure.commitUnits.toFixed(1),
    figure.deletes.toFixed(1),
  ]);
  return markdownTable(head, rows);
}

function describe({ rate, isolates, keys, answerMs }: Figure): string {
  return [
    `${rate}/s`,
    ...isolates > 1 ? [`${isolates} isolates`] : [],
    ...keys > 1 ? [`${keys} keys`] : [],
    ...answerMs >= 1_000 ? [`answers of ${answerMs / 1_000} s`] : [],
  ].join(", ");
}

/** Keys that all isolates write; `checked`: a commit fails if another one has written it meanwhile. */
const sharedKeys = {
  allowance_spent: { name: "spent amount of a budget or wallet", checked: false },
  ledger_usage: { name: "charges of a key's day", checked: false },
  allowance: { name: "leased amount of a budget, wallet or limit", checked: true },
  rollup_turn: { name: "turn to add to the totals", checked: true },
} as const;

function hotKeyTable(figures: Figures): string {
  const head = ["key", "commits check it", ...rates.map((rate) => `${grouped(rate)} calls/s`)];
  const rows = Object.entries(sharedKeys).map(([prefix, { name, checked }]) => [
    name,
    checked ? "yes" : "no",
    ...rates.map((rate) => {
      const { isolates, figure } = spreadOf(rate, figures);
      return significant((figure.hotKeys[prefix] ?? 0) * isolates);
    }),
  ]);
  return markdownTable(head, rows);
}

function grouped(count: number): string {
  return Math.round(count).toLocaleString("en");
}

function significant(count: number): string {
  return count >= 10 ? grouped(count) : String(Number(count.toPrecision(2)));
}

/**
 * `deno task bench:scale`: writes the tables of bench/RESULTS.md, from the figures that
 * `deno task bench:writes --full` measured.
 */
if (import.meta.main) {
  const text = await Deno.readTextFile(page);
  await Deno.writeTextFile(page, withTables(text, await readFigures()));
}
