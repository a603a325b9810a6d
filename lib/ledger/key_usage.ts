import type { ApiKey } from "../store/api_keys/mod.ts";
import type { Store } from "../store/mod.ts";
import { compactRows } from "../store/settling/mod.ts";
import {
  addCounts,
  type Counts,
  listSubjects,
  noCounts,
  readCounts,
  type RollupPoint,
  type RollupSubject,
  subjects,
  subtractCounts,
} from "../store/usage/mod.ts";
import { periodOf } from "./period.ts";
import { pointsOfEach, type UsagePeriod, withinTime } from "./usage_queries.ts";

/** The usage of a model in some period. */
export interface ModelUsage {
  /** Absent for calls without a known model, and for calls before keys' models were added up. */
  readonly model?: string;
  readonly counts: Counts;
}

/** The usage of a key on one UTC day with calls. */
export interface KeyUsageDay {
  /** The start of the day. */
  readonly atMs: number;
  readonly counts: Counts;
  /** Ordered by cost; adds up to `counts`. */
  readonly models: readonly ModelUsage[];
}

/** A key's spending in nano-dollars, in the current UTC periods and in total. */
export interface KeySpending {
  readonly dayNanoUsd: bigint;
  readonly weekNanoUsd: bigint;
  readonly monthNanoUsd: bigint;
  readonly totalNanoUsd: bigint;
}

type OwnedKey = Pick<ApiKey, "id" | "accountId">;

/**
 * The usage of a key by UTC day and model, oldest day first, without days that have no calls. The
 * period should consist of whole UTC days. Reads sums alone, so it takes as long for a hundred
 * thousand calls as for one.
 */
export async function keyUsage(
  store: Store,
  key: OwnedKey,
  period: UsagePeriod,
): Promise<KeyUsageDay[]> {
  await compactRows(store);
  const part = { ...withinTime(period), step: "day" } as const;
  const models = await Array.fromAsync(listSubjects(store, "keyModel", key.id));
  const [days, ...points] = await pointsOfEach(store, [subjectOf(key), ...models], [part]);
  const byDay = modelsByDay(models, points);
  return days.map(({ atMs, sum }) => ({
    atMs,
    counts: sum,
    models: withRest(sum, byDay.get(atMs) ?? []),
  }));
}

/** A key's spending, from its daily sums. */
export async function keySpending(
  store: Store,
  key: OwnedKey,
  nowMs: number,
): Promise<KeySpending> {
  await compactRows(store);
  const all = { step: "day", fromMs: 0, toMs: nowMs + 1 } as const;
  const days = await readCounts(store, subjectOf(key), all);
  const since = (period: "day" | "week" | "month") =>
    spentSince(days, periodOf(period, "UTC", nowMs).startsAtMs);
  return {
    dayNanoUsd: since("day"),
    weekNanoUsd: since("week"),
    monthNanoUsd: since("month"),
    totalNanoUsd: spentSince(days),
  };
}

function subjectOf({ id, accountId }: OwnedKey): RollupSubject {
  return subjects.key(id, accountId);
}

function spentSince(days: readonly RollupPoint<Counts>[], fromMs = 0): bigint {
  return days.reduce((sum, day) => day.atMs < fromMs ? sum : sum + day.sum.costNanoUsd, 0n);
}

function modelsByDay(
  models: readonly RollupSubject[],
  points: readonly (readonly RollupPoint<Counts>[])[],
): ReadonlyMap<number, ModelUsage[]> {
  const found = models.flatMap(({ value: model }, at) =>
    points[at].map(({ atMs, sum }) => ({ atMs, usage: { model, counts: sum } }))
  );
  return new Map(
    [...Map.groupBy(found, ({ atMs }) => atMs)]
      .map(([atMs, rows]) => [atMs, rows.map(({ usage }) => usage)]),
  );
}

/** Adds the calls that belong to no model's sum. */
function withRest(total: Counts, models: readonly ModelUsage[]): ModelUsage[] {
  const rest = models.reduce((left, { counts }) => subtractCounts(left, counts), total);
  const all = rest.requests > 0 ? [...models, { counts: rest }] : [...models];
  return all.sort(dearestFirst);
}

/** Adds up the models of several days, ordered by cost. */
export function totalOfModels(days: readonly KeyUsageDay[]): ModelUsage[] {
  const rows = days.flatMap(({ models }) => models);
  return [...Map.groupBy(rows, ({ model }) => model)].map(([model, own]) => ({
    ...(model !== undefined && { model }),
    counts: own.reduce((sum, { counts }) => addCounts(sum, counts), noCounts),
  })).sort(dearestFirst);
}

function dearestFirst(a: ModelUsage, b: ModelUsage): number {
  return Number(b.counts.costNanoUsd - a.counts.costNanoUsd);
}
