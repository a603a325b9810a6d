import { playgroundKeyId, playgroundKeyName } from "../../accounts/mod.ts";
import { totalInputTokens, totalOutputTokens } from "../../canonical/mod.ts";
import { type PartUsage, usageSeries, usageTable, usageTotals } from "../../ledger/mod.ts";
import { getApiKey } from "../../store/api_keys/mod.ts";
import type { Store } from "../../store/mod.ts";
import { tagText } from "../../store/projects/mod.ts";
import {
  addCounts,
  type Counts,
  marginOf,
  noCounts,
  positiveCounts,
  type RollupSubject,
  subjects,
  subtractCounts,
  type Times,
} from "../../store/usage/mod.ts";
import { getUser } from "../../store/users/mod.ts";
import { type PeriodSpan, spanOf } from "../page/period.ts";
import { KeptRead } from "../page/reading.ts";
import {
  rollupOf,
  type SpendDimension,
  type SpendMeasure,
  type SpendQuery,
} from "./spend_query.ts";

/** A row of the breakdown. */
export interface SpendRow {
  /** Absent for all other subjects together. */
  readonly subject?: RollupSubject;
  readonly counts: Counts;
  /** In the previous period of equal length. */
  readonly before: Counts;
  /** In the current hour or day. */
  readonly last: Counts;
  /** One for each step. */
  readonly points: readonly Counts[];
}

/** The spend of an account or of all accounts, in total and by subject. */
export interface Spending {
  readonly span: PeriodSpan;
  readonly starts: readonly number[];
  readonly total: SpendRow;
  readonly times: Times;
  /** The subjects with the highest amounts, then all others together. */
  readonly rows: readonly SpendRow[];
  readonly othersCount: number;
  /** The number of subjects with calls in the period, whatever their amounts. */
  readonly calledCount: number;
}

const rowsShown = 6;

/** The amount of a measure in money. */
export const moneyMeasures: Readonly<Partial<Record<SpendMeasure, (counts: Counts) => bigint>>> = {
  cost: ({ costNanoUsd }) => costNanoUsd,
  upstream: (counts) => marginOf(counts).upstreamNanoUsd,
  margin: (counts) => marginOf(counts).marginNanoUsd,
};

export const measureOf = {
  cost: ({ costNanoUsd }) => Number(costNanoUsd),
  upstream: (counts) => Number(marginOf(counts).upstreamNanoUsd),
  margin: (counts) => Number(marginOf(counts).marginNanoUsd),
  tokens: (counts) => totalInputTokens(counts) + totalOutputTokens(counts),
  requests: ({ requests }) => requests,
} as const satisfies Record<SpendMeasure, (counts: Counts) => number>;

/** Reads the spend of an account; without one, of all accounts together. */
export async function readSpending(
  store: Store,
  accountId: string | undefined,
  { period, dimension, measure, nowMs }: SpendQuery & { readonly nowMs: number },
): Promise<Spending> {
  const span = spanOf(period, nowMs);
  const whole = accountId === undefined ? subjects.all() : subjects.account(accountId);
  const [table, { times }, points, before] = await Promise.all([
    readTable(store, { dimension, accountId }, { span, nowMs }),
    usageTotals(store, whole, span),
    pointsOf(store, whole, span),
    usageTotals(store, whole, { fromMs: span.beforeMs, toMs: span.fromMs }),
  ]);
  const used = byAmount(table, measure);
  const top = await Promise.all(
    used.slice(0, rowsShown).map((row) => rowOf(store, row, span)),
  );
  const total = totalRow(points.map(({ counts }) => counts), before.counts);
  const others = dimension === "tag" ? undefined : restOf(total, top);
  return {
    span,
    starts: points.map(({ atMs }) => atMs),
    total,
    times,
    rows: others && measureOf[measure](others.counts) !== 0 ? [...top, others] : top,
    othersCount: used.length - top.length,
    calledCount: calledIn(table).length,
  };
}

/** The subjects with any amount, the highest first; a loss counts as much as a gain. */
function byAmount(table: readonly PartUsage[], measure: SpendMeasure): PartUsage[] {
  const amount = ({ parts: [, past, last] }: PartUsage) =>
    Math.abs(measureOf[measure](past) + measureOf[measure](last));
  return table.filter((row) => amount(row) > 0).sort((a, b) => amount(b) - amount(a));
}

/** Reads the spend of every subject, the highest first; `points` and `last` are left out. */
export async function readWholeSpending(
  store: Store,
  accountId: string | undefined,
  { period, dimension, measure, nowMs }: SpendQuery & { readonly nowMs: number },
): Promise<{ readonly span: PeriodSpan; readonly rows: readonly WholeSpendRow[] }> {
  const span = spanOf(period, nowMs);
  const table = await readTable(store, { dimension, accountId }, { span, nowMs });
  const rows = byAmount(table, measure).map(({ subject, parts: [before, past, last] }) => ({
    subject,
    before,
    counts: addCounts(past, last),
  }));
  return { span, rows };
}

export type WholeSpendRow = Pick<Required<SpendRow>, "subject" | "counts" | "before">;

/** The number of users with calls in a period. */
export async function countUsers(
  store: Store,
  at: { readonly span: PeriodSpan; readonly nowMs: number },
): Promise<number> {
  const table = await readTable(store, { dimension: "user", accountId: undefined }, at);
  return calledIn(table).length;
}

/** The subjects with calls in the period. */
function calledIn(table: readonly PartUsage[]): readonly PartUsage[] {
  return table.filter(({ parts: [, past, last] }) => past.requests + last.requests > 0);
}

interface TableOptions {
  readonly dimension: SpendDimension;
  readonly accountId: string | undefined;
}

/** The dimensions whose subjects belong to an account or a tag key; without one, all are read. */
const scoped: ReadonlySet<SpendDimension> = new Set(["key", "tag"]);
/** From this number of subjects on, a table is kept in memory: it takes long to read. */
const keptFrom = 100;
const tables = new Map<string, KeptRead<Store, readonly PartUsage[]>>();

/** The usage by subject before the period, in its past steps, and in its last one. */
function readTable(
  store: Store,
  { dimension, accountId }: TableOptions,
  { span, nowMs }: { readonly span: PeriodSpan; readonly nowMs: number },
): Promise<readonly PartUsage[]> {
  const { step, beforeMs, fromMs, lastMs, toMs } = span;
  const scope = scoped.has(dimension) ? accountId : accountId ?? "";
  const by = { dimension: rollupOf[dimension], ...(scope !== undefined && { scope }) };
  const parts = { step, startsMs: [beforeMs, fromMs, lastMs], toMs } as const;
  const read = () => usageTable(store, by, parts);
  if (accountId !== undefined) return read();
  const name = `${dimension} ${step} ${toMs - fromMs}`; // each of a few
  const table = tables.get(name) ??
    new KeptRead<Store, readonly PartUsage[]>(({ length }) => length >= keptFrom);
  tables.set(name, table);
  return table.get(store, { version: String(lastMs), nowMs, read });
}

async function rowOf(
  store: Store,
  { subject, parts: [before, past, last] }: PartUsage,
  span: PeriodSpan,
): Promise<SpendRow> {
  const points = await pointsOf(store, subject, span);
  return {
    subject,
    before,
    last,
    counts: addCounts(past, last),
    points: points.map(({ counts }) => counts),
  };
}

function pointsOf(store: Store, subject: RollupSubject, { step, fromMs, toMs }: PeriodSpan) {
  return usageSeries(store, subject, { step, fromMs, toMs });
}

function totalRow(points: readonly Counts[], before: Counts): SpendRow {
  return {
    counts: points.reduce(addCounts, noCounts),
    before,
    last: points.at(-1) ?? noCounts,
    points,
  };
}

/**
 * The total without the rows shown. A call that is counted between two reads can make a difference
 * negative: it counts as 0.
 */
function restOf(total: SpendRow, rows: readonly SpendRow[]): SpendRow {
  const rest = (of: (row: SpendRow) => Counts) =>
    rows.reduce((left, row) => positiveCounts(subtractCounts(left, of(row))), of(total));
  return {
    counts: rest(({ counts }) => counts),
    before: rest(({ before }) => before),
    last: rest(({ last }) => last),
    points: total.points.map((_, at) => rest(({ points }) => points[at])),
  };
}

/** The name of a row; absent if what it names was deleted. */
export interface SpendName {
  readonly name?: string;
  /** The e-mail address of a key's owner. */
  readonly keyOwner?: string;
}

/** The names of the rows that have a subject, in order. */
export function spendNames(
  store: Store,
  { rows }: { readonly rows: readonly Pick<SpendRow, "subject">[] },
  { dimension, who }: SpendQuery,
): Promise<SpendName[]> {
  const subjects = rows.flatMap(({ subject }) => subject ? [subject] : []);
  return Promise.all(subjects.map(async (subject) => {
    const name = await nameOf(store, dimension, subject);
    const owner = dimension === "key" && who === "everyone"
      ? await getUser(store, subject.scope)
      : undefined;
    return { ...(name !== undefined && { name }), ...(owner && { keyOwner: owner.email }) };
  }));
}

async function nameOf(
  store: Store,
  dimension: SpendDimension,
  { scope, value }: RollupSubject,
): Promise<string | undefined> {
  if (dimension === "user") return (await getUser(store, value))?.email;
  if (dimension === "tag") return tagText({ key: scope, value });
  if (dimension !== "key") return value;
  if (value === playgroundKeyId(scope)) return playgroundKeyName;
  return (await getApiKey(store, value))?.name;
}

/** The log's field for the calls of a subject. */
export function logFieldOf(
  dimension: SpendDimension,
  { scope, value }: RollupSubject,
): Readonly<Record<string, string>> {
  return { [dimension]: dimension === "tag" ? tagText({ key: scope, value }) : value };
}
