import type { Store } from "../store/mod.ts";
import { tagText } from "../store/projects/mod.ts";
import { compactRows } from "../store/settling/mod.ts";
import {
  addCounts,
  addTimes,
  type Counts,
  hoursAndDays,
  listAllSubjects,
  listSubjects,
  noCounts,
  noTimes,
  readCounts,
  readPartCounts,
  readTimes,
  type RollupDimension,
  type RollupParts,
  type RollupPeriod,
  type RollupPoint,
  type RollupStep,
  type RollupSubject,
  type Times,
} from "../store/usage/mod.ts";

/**
 * A period in whole UTC hours: it includes the hours that it starts and ends in. Hourly figures are
 * kept for 400 days, so an older period should consist of whole UTC days.
 */
export interface UsagePeriod {
  readonly fromMs: number;
  /** Exclusive. */
  readonly toMs: number;
}

interface UsageTotals {
  readonly counts: Counts;
  readonly times: Times;
}

/** One step of a series, which includes the steps without calls. */
interface UsagePoint {
  /** The start of the step. */
  readonly atMs: number;
  readonly counts: Counts;
}

/** The total usage of one subject. */
export interface SubjectUsage {
  readonly subject: RollupSubject;
  readonly counts: Counts;
}

/** The subjects with the most usage in a dimension, and the total of all others. */
interface TopUsage {
  readonly top: readonly SubjectUsage[];
  readonly others: Counts;
  /** The number of other subjects. */
  readonly othersCount: number;
}

/** The subjects to rank, and the figure to rank them by. */
interface TopOptions {
  readonly dimension: RollupDimension;
  /** The owner of the keys or of the model usage; absent: the model usage of all accounts. */
  readonly accountId?: string;
  /** The key whose tags are ranked; needed for the dimension `tag` alone. */
  readonly tagKey?: string;
  /** The figure that orders them. */
  readonly by: keyof Counts;
  readonly limit: number;
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** A date beyond any call. */
const endMs = Date.UTC(9_999, 0);
/** The most steps of one series: more than two years of days, or six weeks of hours. */
export const usageStepsMax = 1_024;
/** The number of subjects that are read in parallel. */
const readsAtOnce = 16;

/** The usage of a subject in a period. Compacts waiting rows first, to agree with the log. */
export async function usageTotals(
  store: Store,
  subject: RollupSubject,
  period: UsagePeriod,
): Promise<UsageTotals> {
  await compactRows(store);
  const parts = partsOf(period);
  const counts = await Promise.all(parts.map((part) => readCounts(store, subject, part)));
  const times = await Promise.all(parts.map((part) => readTimes(store, subject, part)));
  return {
    counts: totalOf(counts.flat()),
    times: sumOf(times.flat(), addTimes, noTimes),
  };
}

/**
 * The usage of a subject in the whole days of a period, and in the hours before and after them;
 * without those that have no calls.
 */
export async function usagePoints(
  store: Store,
  subject: RollupSubject,
  period: UsagePeriod,
): Promise<UsagePoint[]> {
  await compactRows(store);
  const [points] = await pointsOfEach(store, [subject], partsOf(period));
  return points.map(({ atMs, sum }) => ({ atMs, counts: sum }));
}

/**
 * The usage of a subject by UTC hour or day, oldest first. A period with too many steps is cut to
 * the last ones.
 */
export async function usageSeries(
  store: Store,
  subject: RollupSubject,
  { step, ...period }: UsagePeriod & { readonly step: RollupStep },
): Promise<UsagePoint[]> {
  await compactRows(store);
  const starts = stepStarts(period, step);
  if (starts.length === 0) return [];
  const toMs = Math.min(period.toMs, endMs);
  const points = await readCounts(store, subject, { step, fromMs: starts[0], toMs });
  const found = new Map(points.map(({ atMs, sum }) => [atMs, sum]));
  return starts.map((atMs) => ({ atMs, counts: found.get(atMs) ?? noCounts }));
}

/** The usage of a subject in each of some consecutive parts. Compacts waiting rows first. */
export async function usageParts(
  store: Store,
  subject: RollupSubject,
  parts: RollupParts,
): Promise<readonly Counts[]> {
  await compactRows(store);
  return await readPartCounts(store, subject, parts);
}

/** The subjects of a dimension with the most usage, such as keys by cost; only those with calls. */
export async function topUsage(
  store: Store,
  period: UsagePeriod,
  { dimension, accountId = "", tagKey = accountId, by, limit }: TopOptions,
): Promise<TopUsage> {
  const used = (await usageBySubject(store, { dimension, scope: tagKey }, period))
    .sort((a, b) =>
      compare(b.counts[by], a.counts[by]) || compare(a.subject.value, b.subject.value)
    );
  const others = used.slice(limit);
  return {
    top: used.slice(0, limit),
    others: others.reduce((sum, { counts }) => addCounts(sum, counts), noCounts),
    othersCount: others.length,
  };
}

/** The usage of one tag, such as `team=a`. */
interface TagUsage {
  readonly text: string;
  readonly counts: Counts;
}

/** The values of a tag key with the highest cost, and the number of its other values with calls. */
export async function tagUsage(
  store: Store,
  key: string,
  period: UsagePeriod,
  limit: number,
): Promise<{ readonly tags: readonly TagUsage[]; readonly othersCount: number }> {
  const options = { dimension: "tag", tagKey: key, by: "costNanoUsd", limit } as const;
  const { top, othersCount } = await topUsage(store, period, options);
  const tags = top.map(({ subject: { value }, counts }) => ({
    text: tagText({ key, value }),
    counts,
  }));
  return { tags, othersCount };
}

/**
 * The usage of each subject of a dimension that has calls in the period, in no order. Without a
 * `scope`, of all scopes: the keys of all accounts.
 */
export async function usageBySubject(
  store: Store,
  scope: SubjectScope,
  period: UsagePeriod,
): Promise<SubjectUsage[]> {
  await compactRows(store);
  const subjects = await subjectsOf(store, scope);
  const points = await pointsOfEach(store, subjects, partsOf(period));
  return subjects.map((subject, at) => ({ subject, counts: totalOf(points[at]) }))
    .filter(({ counts }) => counts.requests > 0);
}

/** The subjects of a dimension; without a scope, those of all scopes. */
export type SubjectScope = Pick<RollupSubject, "dimension"> & Partial<Pick<RollupSubject, "scope">>;

function subjectsOf(
  store: Store,
  { dimension, scope }: SubjectScope,
): Promise<RollupSubject[]> {
  return Array.fromAsync(
    scope === undefined ? listAllSubjects(store, dimension) : listSubjects(store, dimension, scope),
  );
}

/** Reads the counts of each subject, some subjects at a time. Does not compact first. */
export async function pointsOfEach(
  store: Store,
  subjects: readonly RollupSubject[],
  parts: readonly RollupPeriod[],
): Promise<RollupPoint<Counts>[][]> {
  return await inParallel(
    subjects,
    async (subject) =>
      (await Promise.all(parts.map((part) => readCounts(store, subject, part)))).flat(),
  );
}

function totalOf(points: readonly RollupPoint<Counts>[]): Counts {
  return sumOf(points, addCounts, noCounts);
}

function partsOf(period: UsagePeriod): RollupPeriod[] {
  const { fromMs, toMs } = withinTime(period);
  return hoursAndDays(fromMs, toMs);
}

/** The part of a period whose times can be written as dates. */
export function withinTime({ fromMs, toMs }: UsagePeriod): UsagePeriod {
  return { fromMs: Math.max(fromMs, 0), toMs: Math.min(toMs, endMs) };
}

function stepStarts(period: UsagePeriod, step: RollupStep): number[] {
  const { fromMs, toMs } = withinTime(period);
  const lengthMs = step === "hour" ? hourMs : dayMs;
  const end = Math.ceil(toMs / lengthMs);
  const start = Math.max(Math.floor(fromMs / lengthMs), end - usageStepsMax);
  return Array.from({ length: Math.max(end - start, 0) }, (_, at) => (start + at) * lengthMs);
}

function sumOf<Sum>(
  points: readonly RollupPoint<Sum>[],
  add: (a: Sum, b: Sum) => Sum,
  none: Sum,
): Sum {
  return points.reduce((total, { sum }) => add(total, sum), none);
}

function compare<T extends number | bigint | string>(a: T, b: T): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** A subject's usage in consecutive parts of a period. */
export interface PartUsage {
  readonly subject: RollupSubject;
  readonly parts: readonly Counts[];
}

/**
 * The usage of each subject of a dimension that has calls in the parts, in no order. Without a
 * `scope`, of all scopes. Compacts waiting rows first, to agree with the log.
 */
export async function usageTable(
  store: Store,
  { dimension, scope }: SubjectScope,
  parts: RollupParts,
): Promise<PartUsage[]> {
  await compactRows(store);
  const subjects = scope === undefined && dimension === "key"
    ? await keysOfAll(store)
    : await subjectsOf(store, { dimension, scope });
  const table = await inParallel(subjects, async (subject) => ({
    subject,
    parts: await readPartCounts(store, subject, parts),
  }));
  return table.filter(({ parts }) => parts.some(({ requests }) => requests > 0));
}

/** The keys of all accounts that ever had calls, from the lists in memory. */
async function keysOfAll(store: Store): Promise<readonly RollupSubject[]> {
  const accounts = await Array.fromAsync(listSubjects(store, "account", ""));
  const found = await inParallel(
    accounts,
    ({ value }) => Array.fromAsync(listSubjects(store, "key", value)),
  );
  return found.flat();
}

async function inParallel<Item, Result>(
  items: readonly Item[],
  read: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const found: Result[] = [];
  for (let start = 0; start < items.length; start += readsAtOnce) {
    found.push(...await Promise.all(items.slice(start, start + readsAtOnce).map(read)));
  }
  return found;
}
