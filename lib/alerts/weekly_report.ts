import { usdText } from "../canonical/mod.ts";
import type { AlertSettings } from "../config.ts";
import { periodOf } from "../ledger/period.ts";
import { type SubjectUsage, topUsage, usageBySubject, usageTotals } from "../ledger/mod.ts";
import { listApiKeys } from "../store/api_keys/mod.ts";
import { newOrderedId } from "../store/kv/id.ts";
import type { Store } from "../store/mod.ts";
import { balanceOf } from "../store/money/mod.ts";
import { subjects } from "../store/usage/mod.ts";
import { listUsers } from "../store/users/mod.ts";
import { isMarked, postEventOnce } from "../store/webhooks/mod.ts";
import { type EventData, newEvent } from "../webhooks/mod.ts";

interface ReportOptions {
  readonly store: Store;
  readonly settings: Pick<AlertSettings, "lowBalanceNanoUsd">;
  /** IANA name of the zone in which a week begins. */
  readonly timeZone: string;
  readonly now: () => number;
}

type Report = EventData<"report.weekly">;
type Week = { readonly fromMs: number; readonly toMs: number };

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** The hour of Monday from which the report is due. */
const dueMs = 8 * hourMs;
const rowsMax = 5;
const listedMax = 10;
const soonMs = 14 * dayMs;

/** Posts the report of the last week, once; none if the week had no calls. */
export async function postWeeklyReport(options: ReportOptions): Promise<void> {
  const { store, timeZone, now } = options;
  const nowMs = now();
  const { id, startsAtMs = nowMs } = periodOf("week", timeZone, nowMs);
  const mark = { id: `report:${id}`, lifetimeMs: 14 * dayMs };
  if (nowMs < startsAtMs + dueMs || await isMarked(store, mark.id)) return;
  const data = await weeklyReport(options, startsAtMs);
  if (data.calls === 0) return;
  const about = { id: `evt_${newOrderedId(nowMs)}`, atMs: nowMs };
  await postEventOnce(store, newEvent("report.weekly", { ...about, data }), mark);
}

/** The report of the week that ended at a time. */
async function weeklyReport(options: ReportOptions, endedAtMs: number): Promise<Report> {
  const { store, timeZone } = options;
  const week = weekBefore(timeZone, endedAtMs);
  const { counts } = await usageTotals(store, subjects.all(), week);
  const before = await usageTotals(store, subjects.all(), weekBefore(timeZone, week.fromMs));
  const costUsd = decimal(counts.costNanoUsd);
  const [calls, failed] = [counts.requests, counts.failures];
  return {
    message: `Last week: ${calls} calls for $${costUsd}, ${failed} failed`,
    from: new Date(week.fromMs).toISOString(),
    to: new Date(week.toMs).toISOString(),
    calls,
    failed,
    costUsd,
    previousCostUsd: decimal(before.counts.costNanoUsd),
    ...await rankings(store, week),
    failures: await failuresIn(store, week),
    ...await warnings(options),
  };
}

function weekBefore(timeZone: string, endedAtMs: number): Week {
  const { startsAtMs } = periodOf("week", timeZone, endedAtMs - 1);
  return { fromMs: startsAtMs ?? endedAtMs - 7 * dayMs, toMs: endedAtMs };
}

async function rankings(
  store: Store,
  week: Week,
): Promise<Pick<Report, "users" | "models" | "keys">> {
  const by = { by: "costNanoUsd", limit: rowsMax } as const;
  const [accounts, models, keys] = [
    await topUsage(store, week, { ...by, dimension: "account" }),
    await topUsage(store, week, { ...by, dimension: "model" }),
    await usageBySubject(store, { dimension: "key" }, week),
  ];
  const emails = new Map((await listUsers(store)).map(({ id, email }) => [id, email]));
  const names = new Map((await listApiKeys(store)).map(({ id, name }) => [id, name]));
  const topKeys = keys.sort((a, b) => Number(b.counts.costNanoUsd - a.counts.costNanoUsd));
  return {
    users: accounts.top.map((one) => rowOf(one, emails)),
    models: models.top.map((one) => rowOf(one)),
    keys: topKeys.slice(0, rowsMax).map((one) => rowOf(one, names)),
  };
}

function rowOf(
  { subject: { value: id }, counts }: SubjectUsage,
  names: ReadonlyMap<string, string> = new Map(),
): Report["users"][number] {
  const costUsd = decimal(counts.costNanoUsd);
  return { id, name: names.get(id) ?? id, calls: counts.requests, costUsd };
}

/** The models with the most failed calls. */
async function failuresIn(store: Store, week: Week): Promise<Report["failures"]> {
  const options = { dimension: "model", by: "failures", limit: rowsMax } as const;
  const { top } = await topUsage(store, week, options);
  return top.filter(({ counts }) => counts.failures > 0)
    .map(({ subject, counts: { requests: calls, failures: failed } }) => ({
      model: subject.value,
      calls,
      failed,
    }));
}

async function warnings(
  { store, settings, now }: ReportOptions,
): Promise<Pick<Report, "lowBalances" | "expiringKeys">> {
  const nowMs = now();
  const expiring = (await listApiKeys(store))
    .flatMap(({ id, name, enabled, expiresAtMs = Infinity }) =>
      enabled && expiresAtMs > nowMs && expiresAtMs - nowMs <= soonMs
        ? [{ id, name, expiresAtMs }]
        : []
    ).sort((a, b) => a.expiresAtMs - b.expiresAtMs).slice(0, listedMax);
  return {
    lowBalances: await lowBalances(store, settings.lowBalanceNanoUsd),
    expiringKeys: expiring.map(({ id, name, expiresAtMs }) => ({
      id,
      name,
      expiresAt: new Date(expiresAtMs).toISOString(),
    })),
  };
}

async function lowBalances(store: Store, lowNanoUsd: bigint): Promise<Report["lowBalances"]> {
  const low = [];
  for (const { id, email: name, spending, enabled } of await listUsers(store)) {
    if (spending !== "prepaid" || !enabled) continue;
    const nanoUsd = await balanceOf(store, id);
    if (nanoUsd < lowNanoUsd) low.push({ id, name, nanoUsd });
  }
  return low.sort((a, b) => Number(a.nanoUsd - b.nanoUsd)).slice(0, listedMax)
    .map(({ id, name, nanoUsd }) => ({ id, name, balanceUsd: decimal(nanoUsd) }));
}

function decimal(nanoUsd: bigint): string {
  return usdText(nanoUsd).replace("$", "");
}
