import { totalInputTokens, totalOutputTokens } from "../../canonical/mod.ts";
import { type PartUsage, usageTotals } from "../../ledger/mod.ts";
import type { Store } from "../../store/mod.ts";
import {
  addCounts,
  type Counts,
  marginOf,
  noCounts,
  positiveCounts,
  type RollupSubject,
  subtractCounts,
  type Times,
} from "../../store/usage/mod.ts";
import {
  colorPlaces,
  colorsFor,
  type SubjectColors,
  subjectColors,
} from "../charts/subject_colors.ts";
import { type PeriodSpan, stepEndMs } from "../page/period.ts";
import type { SpendMeasure, SpendQuery } from "./spend_query.ts";
import { readTable, type SpendTable, subjectsIn, wholeOf } from "./spend_table.ts";

/** A row of the breakdown. */
export interface SpendRow {
  /** Absent for several subjects together, and for calls without one. */
  readonly subject?: RollupSubject;
  /** True for the calls without a subject, such as those without a project. */
  readonly isWithout?: true;
  readonly counts: Counts;
  /** In the period that this one is compared with; of a step, the step before it. */
  readonly before: Counts;
  /** One for each step of the period. */
  readonly points: readonly Counts[];
}

/** The spend of an account, of a project or of all accounts, in total and by subject. */
export interface Spending {
  readonly span: PeriodSpan;
  readonly total: SpendRow;
  readonly times: Times;
  /** The subjects with the highest amounts of the period, as the chart has them. */
  readonly top: readonly SpendRow[];
  /**
   * Of the period, or of the chosen step: the subjects with the highest amounts, all others
   * together, and the calls without a subject.
   */
  readonly rows: readonly SpendRow[];
  /** The total of the rows. */
  readonly whole: SpendRow;
  readonly othersCount: number;
  /** The subjects with the highest amounts of each step. */
  readonly ranks: readonly StepRanks[];
  readonly colors: SubjectColors;
  /** The number of subjects with calls in the period. */
  readonly calledCount: number;
}

/** The subjects of one step with the highest amounts, all others together, and calls without one. */
interface StepRanks {
  readonly top: readonly { readonly subject: RollupSubject; readonly counts: Counts }[];
  readonly others: Counts;
  readonly without: Counts;
}

/** The rows of the table, and the subjects of the chart: one for each color. */
const rowsShown = subjectColors.length;

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

type ReadQuery = SpendQuery & { readonly nowMs: number };

/** Reads the spend of an account or of a project; without either, of all accounts together. */
export async function readSpending(
  store: Store,
  accountId: string | undefined,
  { span, step, measure, nowMs, ...query }: ReadQuery,
): Promise<Spending> {
  const options = { ...query, accountId };
  const [table, { times }, places] = await Promise.all([
    readTable(store, options, { span, nowMs }),
    usageTotals(store, wholeOf(options), span),
    colorPlaces(store, subjectsIn(options), nowMs),
  ]);
  const amount = measureOf[measure];
  const { top } = shownOf(table, amount);
  return {
    ...{ span, times, top },
    total: rowOf(table.whole),
    ...shownOf(table, amount, step),
    top,
    ranks: span.starts.map((_, at) => ranksAt(table, amount, at)),
    colors: colorsFor(top.flatMap(({ subject }) => subject ? [subject] : []), places),
    calledCount: table.called.length,
  };
}

type Amount = (counts: Counts) => number;
type SubjectRow = SpendRow & Required<Pick<SpendRow, "subject">>;

type Shown = Pick<Spending, "top" | "rows" | "whole" | "othersCount"> & {
  readonly top: readonly SubjectRow[];
};

/** The rows of the period, or of one of its steps. */
function shownOf(table: SpendTable, amount: Amount, step?: number): Shown {
  const called = rowsBy(table, amount, step);
  const top = called.slice(0, rowsShown);
  const whole = rowOf(table.whole, step);
  const without = { ...rowOf(table.without, step), isWithout: true } as const;
  const others = restOf(whole, [...top, without]);
  const rest = [...called.length > top.length ? [others] : [], without];
  return {
    top,
    whole,
    rows: [...top, ...rest.filter(({ counts }) => counts.requests > 0)],
    othersCount: called.length - top.length,
  };
}

/**
 * The subjects with calls: the highest amount first, then the most calls. A loss counts as much as a
 * gain.
 */
function rowsBy({ called }: SpendTable, amount: Amount, step?: number): SubjectRow[] {
  const size = ({ counts }: SpendRow) => Math.abs(amount(counts));
  return called.map(({ subject, parts }: PartUsage) => ({ subject, ...rowOf(parts, step) }))
    .filter(({ counts }) => counts.requests > 0)
    .sort((a, b) => size(b) - size(a) || b.counts.requests - a.counts.requests);
}

/** The parts of a table before the first step. */
const partsBefore = 2;

/** A row from the parts of a table: the time before, the time between, and each step. */
function rowOf([before, _between, ...points]: readonly Counts[], step?: number) {
  return step === undefined
    ? { before, points, counts: points.reduce(addCounts, noCounts) }
    : { before: points[step - 1] ?? noCounts, points, counts: points[step] };
}

function ranksAt({ whole, called, without }: SpendTable, amount: Amount, step: number): StepRanks {
  const at = step + partsBefore;
  const used = called.map(({ subject, parts }) => ({ subject, counts: parts[at] }))
    .map((rank) => ({ ...rank, size: amount(rank.counts) }))
    .filter(({ size }) => size > 0)
    .sort((a, b) => b.size - a.size);
  const top = used.slice(0, rowsShown);
  const shown = [...top.map(({ counts }) => counts), without[at]];
  return { top, others: leftOf(whole[at], shown), without: without[at] };
}

/** A row of an export. */
export interface WholeSpendRow extends Pick<SpendRow, "subject" | "counts" | "before"> {
  /** The period, or its chosen step. */
  readonly span: Pick<PeriodSpan, "fromMs" | "toMs">;
}

/** Reads the spend of every subject with calls, the highest first, and of calls without a subject. */
export async function readWholeSpending(
  store: Store,
  accountId: string | undefined,
  { span: period, step, measure, nowMs, ...query }: ReadQuery,
): Promise<readonly WholeSpendRow[]> {
  const table = await readTable(store, { ...query, accountId }, { span: period, nowMs });
  const named = rowsBy(table, measureOf[measure], step);
  const missing = rowOf(table.without, step);
  const span = step === undefined
    ? period
    : { fromMs: period.starts[step], toMs: stepEndMs(period, step) };
  return [...named, ...missing.counts.requests > 0 ? [missing] : []]
    .map((row) => ({ ...row, span }));
}

/** The number of users with calls in a period. */
export async function countUsers(
  store: Store,
  at: { readonly span: PeriodSpan; readonly nowMs: number },
): Promise<number> {
  const { called } = await readTable(store, { dimension: "user", accountId: undefined }, at);
  return called.length;
}

/** The total without the rows shown. */
function restOf(total: SpendRow, rows: readonly SpendRow[]): SpendRow {
  const rest = (of: (row: SpendRow) => Counts) => leftOf(of(total), rows.map(of));
  return {
    counts: rest(({ counts }) => counts),
    before: rest(({ before }) => before),
    points: total.points.map((_, at) => rest(({ points }) => points[at])),
  };
}

/**
 * The whole without some parts. A call that is counted between two reads can make a difference
 * negative: it counts as 0.
 */
function leftOf(whole: Counts, parts: readonly Counts[]): Counts {
  return parts.reduce((left, counts) => positiveCounts(subtractCounts(left, counts)), whole);
}
