import { decimalUsd } from "../../../lib/canonical/mod.ts";
import type { RequestLogRow } from "../../../lib/store/log/mod.ts";
import { nowMs } from "../people.ts";
import { wasTried } from "./dimensions.ts";
import { type FigureScene, formats, spanOf, within } from "./scene.ts";
import { chartSteps, csvRows, totals } from "./shown.ts";
import { sumOf, sumsBy } from "./sums.ts";

type Test = (row: RequestLogRow) => boolean;

const failing = new Set(["truncated", "upstream_error", "timeout", "refused"]);

/** Filters of the log, and the rows that each finds. */
const filters: Readonly<Record<string, Test>> = {
  "": () => true,
  "status=failed": ({ outcome }) => failing.has(outcome),
  "status=429": ({ status }) => status === 429,
  "status=4xx": ({ status }) => status >= 400 && status < 500,
  "status=refused": ({ outcome }) => outcome === "refused",
  "status=completed": ({ outcome }) => outcome === "completed",
  "error=rate_limit_exceeded": ({ errorCode }) => errorCode === "rate_limit_exceeded",
  "error=rate_limit_exceeded&failed_by=key requests per minute": ({ errorCode, refusedBy }) =>
    errorCode === "rate_limit_exceeded" && refusedBy !== undefined,
  "model=model-1": ({ model }) => model === "model-1",
  "model=model-1&status=failed": ({ model, outcome }) =>
    model === "model-1" && failing.has(outcome),
  "model=no-such-model": ({ model }) => model === "no-such-model",
  "key=key_0002": ({ keyId }) => keyId === "key_0002",
  "key=key_0002&status=failed": ({ keyId, outcome }) =>
    keyId === "key_0002" && failing.has(outcome),
  "user=usr_0003": ({ accountId }) => accountId === "usr_0003",
  "group=coding": ({ groupId }) => groupId === "coding",
  "project=project-2": ({ projectId }) => projectId === "project-2",
  "upstream=upstream-2": wasTried("upstream-2"),
  "tag=env=value-1": ({ tags }) => tags?.includes("env=value-1") ?? false,
};

const periods = ["", "24h", "7d", "30d"] as const;

/** The totals and bars above each list of calls, and the exports. */
export async function logFigures(scene: FigureScene): Promise<void> {
  for (const [query, isFound] of Object.entries(filters)) {
    for (const period of periods) {
      if (!scene.isWhole && (period === "24h" || period === "30d")) continue;
      const { rows } = scene.team;
      const found = (period ? within(rows, spanOf(period)) : rows).filter(isFound);
      await listFigures(scene, `${query}&period=${period}`, found);
    }
    await exportFigures(scene, query, scene.team.rows.filter(isFound));
  }
  await zoneFigures(scene);
}

/** A zone without daylight saving time, eight hours ahead of UTC. */
const zone = { name: "Asia/Shanghai", aheadMs: 8 * 3_600_000 };

/** The bars of a reader whose days are not those of UTC: each is half a day. */
async function zoneFigures({ admin, team, same }: FigureScene): Promise<void> {
  const halfAt = (atMs: number) => Math.floor((atMs + zone.aheadMs) / 43_200_000);
  admin.cookies.set("tessera_zone", zone.name);
  for (const query of ["", "status=failed", "model=model-1", "key=key_0002", "group=coding"]) {
    const path = `/console/log?who=everyone&${query}&period=7d`;
    const byHalf = Map.groupBy(team.rows.filter(filters[query]), ({ atMs }) => halfAt(atMs));
    const halves = Array.from({ length: 14 }, (_, at) => halfAt(nowMs) - 13 + at);
    const expected = halves.map((half) => byHalf.get(half)?.length ?? 0);
    same(`${path} in ${zone.name}`, `${barsOf((await admin.get(path)).html)}`, `${expected}`);
  }
  admin.cookies.delete("tessera_zone");
}

/** The calls of each bar. */
function barsOf(html: string): readonly number[] {
  return chartSteps(html, "log-bars").map((text) =>
    Number(text.split(": ").at(-1)?.replaceAll(",", ""))
  );
}

async function listFigures(
  scene: FigureScene,
  query: string,
  rows: readonly RequestLogRow[],
): Promise<void> {
  const path = `/console/log?who=everyone&${query}`;
  const { html } = await scene.admin.get(path);
  const shown = totals(html);
  const newest = Number(/durations cover the newest (\d+)/.exec(html)?.[1] ?? Infinity);
  const sums = sumOf(rows.slice(-newest));
  const all = sumOf(rows);
  const isMany = shown.Calls?.endsWith("+");
  scene.same(
    `${path} calls`,
    isMany ? all.calls > 1_000 : shown.Calls,
    isMany || formats.count(all.calls),
  );
  if (all.calls === 0) return;
  scene.same(`${path} cost`, shown.Cost?.split(" ")[0], formats.money(sums.costNanoUsd));
  const margin = formats.money(sums.costNanoUsd - sums.upstreamNanoUsd);
  scene.same(`${path} margin`, shown.Margin, margin);
  const tokens = `${formats.short(sums.inputTokens)} in ${formats.short(sums.outputTokens)} out`;
  scene.same(`${path} tokens`, shown.Tokens, tokens);
  if (isMany) return;
  scene.same(`${path} failed`, shown.Failed?.split(" ")[0], formats.count(all.failed));
  const bars = barsOf(html);
  if (bars.length === 0) return;
  scene.same(`${path} bars`, bars.reduce((sum, calls) => sum + calls, 0), all.calls);
}

async function exportFigures(
  scene: FigureScene,
  query: string,
  rows: readonly RequestLogRow[],
): Promise<void> {
  const path = `/console/log/export?who=everyone&${query}`;
  const calls = csvRows((await scene.admin.get(`${path}&as=csv`)).html);
  scene.same(`${path} rows`, calls.length, rows.length);
  const byDay = sumsBy(
    rows,
    ({ atMs, keyId, model }) => `${new Date(atMs).toISOString().slice(0, 10)} ${keyId} ${model}`,
  );
  const spend = csvRows((await scene.admin.get(`${path}&as=spend`)).html);
  scene.same(`${path} days`, spend.length, byDay.size);
  for (const row of spend) {
    const own = byDay.get(`${row.day_utc} ${row.key_id} ${row.model}`);
    const where = `${path} ${row.day_utc} ${row.key_id} ${row.model}`;
    scene.same(`${where} calls`, row.calls, String(own?.calls));
    scene.same(`${where} input`, row.input_tokens, String(own?.inputTokens));
    scene.same(`${where} output`, row.output_tokens, String(own?.outputTokens));
    scene.same(`${where} cost`, row.cost_usd, own && decimalUsd(own.costNanoUsd));
    scene.same(`${where} upstream`, row.upstream_cost_usd, own && decimalUsd(own.upstreamNanoUsd));
  }
}
