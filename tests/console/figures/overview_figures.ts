import { decimalUsd } from "../../../lib/canonical/mod.ts";
import type { RequestLogRow } from "../../../lib/store/log/mod.ts";
import { administrator } from "../people.ts";
import { upstreamIds } from "./calls.ts";
import { tagOf, wasTaken } from "./dimensions.ts";
import { type FigureScene, formats, type PeriodName, periods, spanOf, within } from "./scene.ts";
import { chartSteps, csvRows, figures, tableRows } from "./shown.ts";
import { noSums, type RowSums, sumOf, sumsBy } from "./sums.ts";

/** The value of a row in each breakdown; undefined for a row without one. */
const valueOf = {
  user: ({ accountId }) => accountId,
  group: ({ groupId }) => groupId,
  project: ({ projectId }) => projectId,
  key: ({ keyId }) => keyId,
  upstream: ({ upstreamId }) => upstreamId,
  model: (row) => wasTaken(row) ? row.model : undefined,
  "tag&tag_key=env": (row) => tagOf(row, "env"),
  "tag&tag_key=team": (row) => tagOf(row, "team"),
} as const satisfies Record<string, (row: RequestLogRow) => string | undefined>;
type Breakdown = keyof typeof valueOf;

const measures = {
  cost: { amount: ({ costNanoUsd }) => costNanoUsd, write: formats.money },
  requests: { amount: ({ calls }) => BigInt(calls), write: short },
  tokens: {
    amount: ({ inputTokens, outputTokens }) => BigInt(inputTokens + outputTokens),
    write: short,
  },
  upstream: { amount: ({ upstreamNanoUsd }) => upstreamNanoUsd, write: formats.money },
  margin: {
    amount: ({ costNanoUsd, upstreamNanoUsd }) => costNanoUsd - upstreamNanoUsd,
    write: formats.money,
  },
} as const satisfies Record<
  string,
  { readonly amount: (sums: RowSums) => bigint; readonly write: (amount: bigint) => string }
>;
type Measure = keyof typeof measures;

function short(amount: bigint): string {
  return formats.short(Number(amount));
}

/** The overview of everyone by each dimension and measure, and its exports. */
export async function overviewFigures(scene: FigureScene): Promise<void> {
  for (const period of Object.keys(periods) as PeriodName[]) {
    for (const by of Object.keys(valueOf) as Breakdown[]) {
      await breakdown(scene, { period, by, measure: "cost" });
      await spendCsv(scene, { period, by });
    }
    await strip(scene, period);
  }
  for (const measure of Object.keys(measures) as Measure[]) {
    for (const by of ["model", "project", "tag&tag_key=env"] as const) {
      await breakdown(scene, { period: "14d", by, measure });
    }
  }
  for (const by of ["model", "key"] as const) {
    await breakdown(scene, { period: "14d", by, measure: "cost", who: "mine" });
  }
}

interface Question {
  readonly period: PeriodName;
  readonly by: Breakdown;
  readonly measure: Measure;
  readonly who?: "mine";
}

function rowsFor({ team: { rows } }: FigureScene, { who }: Partial<Question>) {
  return who === "mine" ? rows.filter(({ accountId }) => accountId === administrator.id) : rows;
}

/** Written where nothing can be shown. */
const none = "—";
const captions: Readonly<Record<string, string>> = { tag: "Spend by tag" };

async function breakdown(scene: FigureScene, question: Question): Promise<void> {
  const { period, by, measure, who = "everyone" } = question;
  const { amount, write } = measures[measure];
  const path = `/console?who=${who}&period=${period}&by=${by}&measure=${measure}`;
  const { html } = await scene.admin.get(path);
  const [dimension] = by.split("&");
  const shown = tableRows(html, captions[dimension] ?? `Spend by ${dimension}`);
  const span = spanOf(period);
  const all = rowsFor(scene, question);
  const rows = within(all, span);
  const before = within(all, { fromMs: 2 * span.fromMs - span.toMs, toMs: span.fromMs });
  const last = within(all, { fromMs: span.toMs - span.stepMs, toMs: span.toMs });
  if (measure === "cost") chartFigures(scene, path, { html, rows, span });
  const expected = expectedRows(by, { rows, amount });
  scene.same(`${path} rows`, shown.length, expected.length);
  for (const [at, { name, isOf }] of expected.entries()) {
    const row = shown[at];
    if (row === undefined) continue;
    const where = `${path} ${row.name}`;
    const own = sumOf(rows.filter(isOf));
    scene.same(`${where} (${name}) calls`, row.cells.Calls, formats.count(own.calls));
    scene.same(`${where} success`, row.cells.Success, successText(own));
    const spent = row
      .cells[`Spend, ${{ "24h": "24 hours" }[period as string] ?? period.replace("d", " days")}`];
    scene.same(`${where} amount`, spent, write(amount(own)));
    scene.same(
      `${where} change`,
      row.cells.Change,
      changeText(amount(own), amount(sumOf(before.filter(isOf)))),
    );
    if (span.stepMs === 86_400_000) {
      scene.same(`${where} today`, row.cells.Today, write(amount(sumOf(last.filter(isOf)))));
    }
  }
}

/** The sum of each hour or day in the chart. */
function chartFigures(scene: FigureScene, path: string, { html, rows, span }: {
  readonly html: string;
  readonly rows: readonly RequestLogRow[];
  readonly span: ReturnType<typeof spanOf>;
}): void {
  for (const [at, text] of chartSteps(html, "spend-chart").entries()) {
    const fromMs = span.fromMs + at * span.stepMs;
    const own = sumOf(within(rows, { fromMs, toMs: fromMs + span.stepMs }));
    const where = `${path} chart, ${text}`;
    scene.same(where, text.split(": ").at(-1), formats.money(own.costNanoUsd));
  }
}

interface Expected {
  readonly name: string;
  readonly isOf: (row: RequestLogRow) => boolean;
}

/** Seven values, the others together, the rows without a value, and the total. */
function expectedRows(
  by: Breakdown,
  { rows, amount }: {
    readonly rows: readonly RequestLogRow[];
    readonly amount: (sums: RowSums) => bigint;
  },
): readonly Expected[] {
  const valueIn = valueOf[by];
  const size = (sums: RowSums) => amount(sums) < 0n ? -amount(sums) : amount(sums);
  const placeOf = (row: RequestLogRow) => `${row.accountId} ${row.keyId}`;
  const inOrder = by === "key"
    ? rows.toSorted((a, b) => placeOf(a) < placeOf(b) ? -1 : 1)
    : rows.toSorted((a, b) => String(valueIn(a)) < String(valueIn(b)) ? -1 : 1);
  const ranked = [...sumsBy(inOrder, valueIn)].filter(([value]) => value !== undefined)
    .sort(([, a], [, b]) => Number(size(b) - size(a)) || b.calls - a.calls);
  const top = ranked.slice(0, 7).map(([value]) => value);
  const isOther = (row: RequestLogRow) => {
    const value = valueIn(row);
    return value !== undefined && !top.includes(value);
  };
  const isWithout = (row: RequestLogRow) => valueIn(row) === undefined;
  const others = ranked.length - top.length;
  return [
    ...top.map((value) => ({
      name: String(value),
      isOf: (row: RequestLogRow) => valueIn(row) === value,
    })),
    ...(others > 0 ? [{ name: `${others} other`, isOf: isOther }] : []),
    ...(rows.some(isWithout) ? [{ name: "without", isOf: isWithout }] : []),
    { name: "total", isOf: () => true },
  ];
}

function successText({ calls, failed }: RowSums): string {
  return calls === 0 ? none : formats.percent((calls - failed) / calls);
}

function changeText(now: bigint, before: bigint): string {
  if (before <= 0n) return none;
  const percent = Math.round(100 * (Number(now) - Number(before)) / Number(before));
  return percent < 0 ? `−${-percent}%` : `+${percent}%`;
}

/** Every value, and the rows without one. */
async function spendCsv(
  scene: FigureScene,
  { period, by }: Pick<Question, "period" | "by">,
): Promise<void> {
  const path = `/console/export?who=everyone&period=${period}&by=${by}`;
  const shown = csvRows((await scene.admin.get(path)).html);
  const rows = within(scene.team.rows, spanOf(period));
  const isTag = by.startsWith("tag");
  const sums = new Map(
    [...sumsBy(rows, valueOf[by])]
      .map(([value, own]) => [isTag && value ? value.split("=")[1] : value ?? "", own]),
  );
  scene.same(`${path} rows`, shown.length, sums.size);
  for (const row of shown) {
    const own = sums.get(row.id) ?? noSums;
    const where = `${path} ${row.id}`;
    scene.same(`${where} calls`, row.calls, String(own.calls));
    scene.same(`${where} failed`, row.failed, String(own.failed));
    scene.same(`${where} input`, row.input_tokens, String(own.inputTokens));
    scene.same(`${where} output`, row.output_tokens, String(own.outputTokens));
    scene.same(`${where} cost`, row.cost_usd, decimalUsd(own.costNanoUsd));
    scene.same(`${where} upstream`, row.upstream_cost_usd, decimalUsd(own.upstreamNanoUsd));
  }
}

async function strip(scene: FigureScene, period: PeriodName): Promise<void> {
  const path = `/console?who=everyone&period=${period}`;
  const { html } = await scene.admin.get(path);
  const length = period === "24h" ? "24 hours" : period.replace("d", " days");
  const shown = figures(html);
  const rows = within(scene.team.rows, spanOf(period));
  const sums = sumOf(rows);
  const firstOf = (name: string) => shown[name]?.split(" | ")[0];
  scene.same(`${path} spend`, firstOf(`Spend, ${length}`), formats.money(sums.costNanoUsd));
  scene.same(`${path} calls`, firstOf("Calls"), formats.count(sums.calls));
  scene.same(
    `${path} failed`,
    shown.Calls?.includes(`${formats.count(sums.failed)} failed`),
    sums.failed > 0,
  );
  const users = new Set(rows.map(({ accountId }) => accountId)).size;
  scene.same(`${path} users`, firstOf("Users with calls"), formats.count(users));
  for (const row of tableRows(html, "Upstreams")) {
    const own = rows.filter(({ upstreamId }) => upstreamId === row.name);
    const day = within(scene.team.rows, spanOf("24h"))
      .filter(({ upstreamId }) => upstreamId === row.name);
    const where = `${path} upstreams ${row.name}`;
    scene.same(`${where} success of the day`, row.cells["Success, 24 h"], successText(sumOf(day)));
    scene.same(
      `${where} calls`,
      row.cells[`Calls, ${length}`] ?? row.cells.Calls,
      formats.count(own.length),
    );
    scene.same(
      `${where} spend`,
      row.cells[`Spend, ${length}`],
      formats.money(sumOf(own).costNanoUsd),
    );
  }
  scene.same(`${path} upstreams`, tableRows(html, "Upstreams").length, upstreamIds.length);
}
