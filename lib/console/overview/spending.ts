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
  readPartCounts,
  type RollupParts,
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
  /** Absent for several subjects together, and for calls without one. */
  readonly subject?: RollupSubject;
  /** True for the calls without a subject, such as those without a project. */
  readonly isWithout?: true;
  readonly counts: Counts;
  /** In the previous period of equal length. */
  readonly before: Counts;
  /** In the current hour or day. */
  readonly last: Counts;
  /** One for each step; none for rows without a subject. */
  readonly points: readonly Counts[];
}

/** The spend of an account or of all accounts, in total and by subject. */
export interface Spending {
  readonly span: PeriodSpan;
  readonly starts: readonly number[];
  readonly total: SpendRow;
  readonly times: Times;
  /** The subjects with the highest amounts, all others together, and the calls without a subject. */
  readonly rows: readonly SpendRow[];
  readonly othersCount: number;
  /** The number of subjects with calls in the period. */
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
  { period, nowMs, ...query }: SpendQuery & { readonly nowMs: number },
): Promise<Spending> {
  const span = spanOf(period, nowMs);
  const whole = wholeOf(accountId);
  const [table, { times }, points, before] = await Promise.all([
    readTable(store, { ...query, accountId }, { span, nowMs }),
    usageTotals(store, whole, span),
    pointsOf(store, whole, span),
    usageTotals(store, whole, { fromMs: span.beforeMs, toMs: span.fromMs }),
  ]);
  const { called, without } = table;
  const used = byAmount(called, query.measure);
  const top = await Promise.all(used.slice(0, rowsShown).map((row) => rowOf(store, row, span)));
  const total = totalRow(points.map(({ counts }) => counts), before.counts);
  const missing = { ...sumsOf(without), points: [], isWithout: true } as const;
  const others = restOf(total, [...top, missing]);
  const rest = [...used.length > top.length ? [others] : [], missing];
  return {
    span,
    starts: points.map(({ atMs }) => atMs),
    total,
    times,
    rows: [...top, ...rest.filter(({ counts }) => counts.requests > 0)],
    othersCount: used.length - top.length,
    calledCount: used.length,
  };
}

function wholeOf(accountId: string | undefined): RollupSubject {
  return accountId === undefined ? subjects.all() : subjects.account(accountId);
}

/** The subjects by amount, then by calls, the highest first; a loss counts as much as a gain. */
function byAmount(called: readonly PartUsage[], measure: SpendMeasure): PartUsage[] {
  const amount = ({ parts: [, past, last] }: PartUsage, of: SpendMeasure) =>
    Math.abs(measureOf[of](past) + measureOf[of](last));
  return called.toSorted((a, b) =>
    amount(b, measure) - amount(a, measure) || amount(b, "requests") - amount(a, "requests")
  );
}

/**
 * Reads the spend of every subject with calls, the highest first, and of the calls without a
 * subject; `points` are left out.
 */
export async function readWholeSpending(
  store: Store,
  accountId: string | undefined,
  { period, nowMs, ...query }: SpendQuery & { readonly nowMs: number },
): Promise<{ readonly span: PeriodSpan; readonly rows: readonly WholeSpendRow[] }> {
  const span = spanOf(period, nowMs);
  const { called, without } = await readTable(store, { ...query, accountId }, { span, nowMs });
  const named = byAmount(called, query.measure)
    .map(({ subject, parts }) => ({ subject, ...sumsOf(parts) }));
  const missing = sumsOf(without);
  return { span, rows: missing.counts.requests > 0 ? [...named, missing] : named };
}

export type WholeSpendRow = Pick<SpendRow, "subject" | "counts" | "before">;

function sumsOf([before, past, last]: readonly Counts[]) {
  return { before, last, counts: addCounts(past, last) };
}

/** The number of users with calls in a period. */
export async function countUsers(
  store: Store,
  at: { readonly span: PeriodSpan; readonly nowMs: number },
): Promise<number> {
  const { called } = await readTable(store, { dimension: "user", accountId: undefined }, at);
  return called.length;
}

interface TableOptions extends Pick<SpendQuery, "dimension" | "tagKey"> {
  readonly accountId: string | undefined;
}

/** Usage before a period, in its past steps, and in its last one. */
interface SpendTable {
  /** The subjects with calls in the period. */
  readonly called: readonly PartUsage[];
  /** The calls without a subject. */
  readonly without: readonly Counts[];
}

/** From this number of subjects on, a table is kept in memory: it takes long to read. */
const keptFrom = 100;
const tables = new Map<string, KeptRead<Store, SpendTable>>();

function readTable(
  store: Store,
  { dimension, tagKey, accountId }: TableOptions,
  { span, nowMs }: { readonly span: PeriodSpan; readonly nowMs: number },
): Promise<SpendTable> {
  const { step, beforeMs, fromMs, lastMs, toMs } = span;
  const scope = dimension === "tag" ? tagKey : dimension === "key" ? accountId : accountId ?? "";
  const by = { dimension: rollupOf[dimension], ...(scope !== undefined && { scope }) };
  const parts = { step, startsMs: [beforeMs, fromMs, lastMs], toMs } as const;
  const read = async () => tableOf(...await readUsage(store, { by, parts, accountId }));
  if (accountId !== undefined) return read();
  const name = `${dimension} ${scope} ${step} ${toMs - fromMs}`; // each of a few
  const table = tables.get(name) ??
    new KeptRead<Store, SpendTable>(({ called }) => called.length >= keptFrom);
  tables.set(name, table);
  return table.get(store, { version: String(lastMs), nowMs, read });
}

/** The usage of each subject, and of all calls. */
async function readUsage(store: Store, { by, parts, accountId }: {
  readonly by: Parameters<typeof usageTable>[1];
  readonly parts: RollupParts;
  readonly accountId: string | undefined;
}) {
  const rows = await usageTable(store, by, parts); // compacts
  return [rows, await readPartCounts(store, wholeOf(accountId), parts)] as const;
}

function tableOf(rows: readonly PartUsage[], whole: readonly Counts[]): SpendTable {
  return {
    called: rows.filter(({ parts: [, past, last] }) => past.requests + last.requests > 0),
    without: whole.map((all, part) =>
      rows.reduce((left, { parts }) => positiveCounts(subtractCounts(left, parts[part])), all)
    ),
  };
}

async function rowOf(
  store: Store,
  { subject, parts }: PartUsage,
  span: PeriodSpan,
): Promise<SpendRow> {
  const points = await pointsOf(store, subject, span);
  return { subject, ...sumsOf(parts), points: points.map(({ counts }) => counts) };
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
    points: [],
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
