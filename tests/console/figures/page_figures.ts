import { decimalUsd } from "../../../lib/canonical/mod.ts";
import { usedInWeek } from "../../../lib/console/wallet/balance.ts";
import type { RequestLogRow } from "../../../lib/store/log/mod.ts";
import { administrator, nowMs } from "../people.ts";
import { groupIds, modelNames, upstreamIds } from "./calls.ts";
import { tagOf, wasTaken } from "./dimensions.ts";
import { type FigureScene, formats, spanOf, within } from "./scene.ts";
import { isKept } from "./seed.ts";
import { csvRows, figures, listedRows, tableRows } from "./shown.ts";
import { sumOf } from "./sums.ts";

const spend30 = "Spend, 30 days";

function recent({ team: { rows } }: FigureScene, days: "24h" | "7d" | "14d" | "30d" = "30d") {
  return within(rows, spanOf(days));
}

/** The figures of a page about some calls: of a key, a user, a group or a project. */
async function subjectPage(
  scene: FigureScene,
  path: string,
  isOf: (row: RequestLogRow) => boolean,
): Promise<void> {
  for (const period of ["7d", "30d"] as const) {
    const shown = figures((await scene.admin.get(`${path}?period=${period}`)).html);
    const sums = sumOf(recent(scene, period).filter(isOf));
    const today = sumOf(
      recent(scene, period).filter((row) =>
        isOf(row) && row.atMs >= spanOf("24h").toMs - nowMs % 86_400_000 - 3_600_000 &&
        new Date(row.atMs).getUTCDate() === new Date(nowMs).getUTCDate()
      ),
    );
    const [spent, below] = (shown[`Spend, ${period.replace("d", " days")}`] ?? "").split(" | ");
    scene.same(`${path} ${period} spend`, spent, formats.money(sums.costNanoUsd));
    scene.same(`${path} ${period} today`, below, `${formats.money(today.costNanoUsd)} today`);
    const [calls, outcome] = (shown.Calls ?? "").split(" | ");
    scene.same(`${path} ${period} calls`, calls, formats.count(sums.calls));
    const failed = sums.failed === 0 ? "No failures" : `, ${formats.count(sums.failed)} failed`;
    scene.same(`${path} ${period} outcome ${outcome}`, outcome?.endsWith(failed), true);
  }
}

/** The list of keys, their export, and the page of each. */
export async function keyFigures(scene: FigureScene): Promise<void> {
  const path = "/console/token?who=everyone";
  const shown = await listedRows(scene.admin, path, "API keys of all accounts");
  const kept = scene.team.keys.filter(isKept);
  scene.same(path, shown.length, kept.length);
  for (const { link = "", name, cells } of shown) {
    const id = link.split("/").at(-1);
    const own = sumOf(recent(scene).filter(({ keyId }) => keyId === id));
    scene.same(`${path} ${name}`, cells[spend30], formats.exactMoney(own.costNanoUsd));
  }
  for (const row of csvRows((await scene.admin.get("/console/token/export?who=everyone")).html)) {
    const own = sumOf(recent(scene).filter(({ keyId }) => keyId === row.id));
    scene.same(`keys.csv ${row.id} cost`, row.cost_usd_30d, decimalUsd(own.costNanoUsd));
    scene.same(`keys.csv ${row.id} calls`, row.calls_30d, String(own.calls));
    scene.same(`keys.csv ${row.id} failed`, row.failed_30d, String(own.failed));
  }
  for (const { id } of kept.slice(0, 20)) {
    await subjectPage(scene, `/console/token/${id}`, ({ keyId }) => keyId === id);
  }
}

/** The list of users, their export, and the page of each. */
export async function userFigures(scene: FigureScene): Promise<void> {
  const path = "/console/admin/users";
  const shown = await listedRows(scene.admin, path, "Users of this gateway");
  for (const { link = "", name, cells } of shown) {
    const id = link.split("/").at(-1);
    const all = scene.team.rows.filter(({ accountId }) => accountId === id);
    const own = sumOf(recent(scene).filter(({ accountId }) => accountId === id));
    scene.same(`${path} ${name} calls`, cells["Calls, 30 days"], formats.count(own.calls));
    scene.same(`${path} ${name} spend`, cells[spend30], formats.exactMoney(own.costNanoUsd));
    const last = all.at(-1)?.atMs;
    scene.same(`${path} ${name} last`, cells["Last call"], last ? formats.ago(last) : "Never");
  }
  for (const row of csvRows((await scene.admin.get(`${path}/export`)).html)) {
    const own = sumOf(recent(scene).filter(({ accountId }) => accountId === row.id));
    scene.same(`users.csv ${row.id} cost`, row.cost_usd_30d, decimalUsd(own.costNanoUsd));
    scene.same(`users.csv ${row.id} calls`, row.calls_30d, String(own.calls));
  }
  for (const { id } of scene.team.users.slice(0, 20)) {
    await subjectPage(scene, `${path}/${id}`, ({ accountId }) => accountId === id);
    const week = sumOf(recent(scene, "7d").filter(({ accountId }) => accountId === id));
    scene.same(`week of ${id}`, await usedInWeek(scene.console.store, id, nowMs), week.costNanoUsd);
  }
}

/** The lists and pages of projects, groups and tags. */
export async function projectFigures(scene: FigureScene): Promise<void> {
  const path = "/console/admin/projects";
  for (const { name, cells } of await listedRows(scene.admin, path, "Projects of this gateway")) {
    const own = sumOf(recent(scene).filter(({ projectId }) => projectId === name));
    scene.same(`${path} ${name}`, cells[spend30], formats.exactMoney(own.costNanoUsd));
    await subjectPage(scene, `${path}/${name}`, ({ projectId }) => projectId === name);
  }
  for (const id of groupIds) {
    await subjectPage(scene, `/console/admin/groups/${id}`, ({ groupId }) => groupId === id);
  }
  const { html } = await scene.admin.get(`${path}/tags`);
  for (const key of ["env", "team"]) {
    for (const { name, cells } of tableRows(html, `Tag ${key}`)) {
      const own = sumOf(recent(scene).filter((row) => tagOf(row, key) === name));
      scene.same(`${path}/tags ${name} calls`, cells.Calls, formats.count(own.calls));
      scene.same(`${path}/tags ${name}`, cells[spend30], formats.exactMoney(own.costNanoUsd));
    }
  }
}

/** The lists and pages of models and upstreams. */
export async function catalogFigures(scene: FigureScene): Promise<void> {
  const shown = tableRows(
    (await scene.admin.get("/console/pricing")).html,
    "Models available to your keys",
  );
  scene.same("models", shown.length, modelNames.length);
  for (const { name, cells } of shown) {
    const own = sumOf(recent(scene, "14d").filter((row) => row.model === name && wasTaken(row)));
    scene.same(`models ${name} calls`, cells.Calls, formats.short(own.calls));
    scene.same(`models ${name} spend`, cells.Spend, formats.exactMoney(own.costNanoUsd));
    const page = figures((await scene.admin.get(`/console/pricing/model?name=${name}`)).html);
    const [spent] = (page["Spend, 14 days"] ?? "").split(" | ");
    scene.same(`model ${name} spend`, spent, formats.money(own.costNanoUsd));
    const [success, below] = (page["Success, 14 days"] ?? "").split(" | ");
    scene.same(`model ${name} success`, success, formats.percent(1 - own.failed / own.calls));
    scene.same(`model ${name} calls ${below}`, below?.includes(formats.count(own.calls)), true);
  }
  const list = "/console/admin/upstreams";
  for (const { link, cells } of await listedRows(scene.admin, list, "Upstreams of this gateway")) {
    const id = link?.split("/").at(-1);
    const own = scene.team.rows.filter(({ upstreamId }) => upstreamId === id);
    const [day, weeks] = [sumOf(within(own, spanOf("24h"))), sumOf(within(own, spanOf("14d")))];
    const success = day.calls === 0 ? "No calls" : formats.percent(1 - day.failed / day.calls);
    scene.same(`${list} ${id} success`, cells["Success, 24 h"], success);
    scene.same(`${list} ${id} calls`, cells["Calls, 24 hours"], formats.count(day.calls));
    scene.same(
      `${list} ${id} spend`,
      cells["Spend, 14 days"],
      formats.exactMoney(weeks.costNanoUsd),
    );
    const { html } = await scene.admin.get(`${list}/${id}`);
    const page = figures(html);
    scene.same(`${id} calls`, page["Calls, 24 hours"]?.split(" | ")[0], formats.count(day.calls));
    scene.same(`${id} success`, page["Success, 24 hours"]?.split(" | ")[0], success);
    scene.same(
      `${id} sentence`,
      html.includes(`${day.failed} of ${formats.count(day.calls)} calls failed in 24 hours.`),
      day.failed > 0,
    );
    scene.same(`${id} without contradiction`, html.includes("No calls since"), false);
    if (!html.includes(">Last 24 hours<")) continue;
    for (const { name, cells } of tableRows(html, `Models of ${id}`)) {
      const calls = within(own, spanOf("24h")).filter(({ model }) => model === name).length;
      scene.same(`${id} ${name} calls`, cells.Calls, formats.count(calls));
    }
  }
  scene.same(`${list} rows`, upstreamIds.length > 0, true);
}

/** The entries of a wallet, and their export. */
export async function walletFigures(scene: FigureScene): Promise<void> {
  const own = scene.team.rows.filter(({ accountId }) => accountId === administrator.id);
  const days = Map.groupBy(
    own,
    ({ atMs, keyId }) => `${new Date(atMs).toISOString().slice(0, 10)} ${keyId}`,
  );
  const rows = csvRows((await scene.admin.get("/console/topup/export")).html);
  for (const row of rows) {
    const sums = sumOf(days.get(`${row.time.slice(0, 10)} ${row.reference}`) ?? []);
    scene.same(`wallet ${row.about}`, row.amount_usd, decimalUsd(-sums.costNanoUsd));
  }
  const paid = [...days.values()].filter((some) => sumOf(some).costNanoUsd > 0n);
  scene.same("wallet entries", rows.length, paid.length);
}
