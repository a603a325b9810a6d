import { topUsage, type UsagePeriod, usageSeries, usageTotals } from "../../ledger/mod.ts";
import { stepMs } from "../../store/log/mod.ts";
import type { Store } from "../../store/mod.ts";
import {
  type Counts,
  type RollupStep,
  type RollupSubject,
  subjects,
  type Times,
} from "../../store/usage/mod.ts";
import { tokensIn, tokensOut } from "../calls/usage_summary.ts";

/** The figures that the chart can show. */
export const spendMeasures = ["cost", "tokens", "requests"] as const;
export type SpendMeasure = typeof spendMeasures[number];

/** The periods of the overview: whole UTC hours or days, the current one included. */
export const spendPeriods = {
  "24h": { steps: 24, step: "hour" },
  "7d": { steps: 7, step: "day" },
  "14d": { steps: 14, step: "day" },
  "30d": { steps: 30, step: "day" },
} as const satisfies Record<string, { readonly steps: number; readonly step: RollupStep }>;
export type SpendPeriod = keyof typeof spendPeriods;
export const spendPeriodNames = Object.keys(spendPeriods) as readonly SpendPeriod[]; // its own keys

/** The parameters of the overview's address. */
export interface SpendQuery {
  readonly period: SpendPeriod;
  readonly measure: SpendMeasure;
}

/** The amounts of one model, or of all other models, one for each step. */
interface SpendSeries {
  /** Absent for all others together. */
  readonly model?: string;
  readonly amounts: readonly bigint[];
  readonly sum: bigint;
}

/** The spend of an account: in total, in the previous period, by time and model, and by key. */
export interface Spending {
  readonly period: SpendPeriod;
  readonly counts: Counts;
  readonly times: Times;
  /** The spend of the previous period of equal length. */
  readonly beforeNanoUsd: bigint;
  /** The starts of the hours or days. */
  readonly starts: readonly number[];
  /** In order of their sums; others last. */
  readonly series: readonly SpendSeries[];
  readonly keys: readonly { readonly id: string; readonly counts: Counts }[];
}

const modelsShown = 4;
const keysShown = 6;

const measured = {
  cost: ({ costNanoUsd }) => costNanoUsd,
  tokens: (counts) => BigInt(tokensIn(counts) + tokensOut(counts)),
  requests: ({ requests }) => BigInt(requests),
} as const satisfies Record<SpendMeasure, (counts: Counts) => bigint>;

/** The count that ranks the models; for tokens the input, which is most of them. */
const rankedBy = {
  cost: "costNanoUsd",
  tokens: "inputTokens",
  requests: "requests",
} as const satisfies Record<SpendMeasure, keyof Counts>;

/** Reads `?period=&by=`; ignores unknown values. */
export function readSpendQuery(fields: URLSearchParams): SpendQuery {
  return {
    period: spendPeriodNames.find((period) => period === fields.get("period")) ?? "14d",
    measure: spendMeasures.find((measure) => measure === fields.get("by")) ?? "cost",
  };
}

/** Reads the spend of an account, or without one, of all accounts together. */
export async function readSpending(
  store: Store,
  accountId: string | undefined,
  { period: name, measure, nowMs }: SpendQuery & { readonly nowMs: number },
): Promise<Spending> {
  const { steps, step } = spendPeriods[name];
  const period = stepsUntil(nowMs, spendPeriods[name]);
  const before = { fromMs: 2 * period.fromMs - period.toMs, toMs: period.fromMs };
  const account = accountId === undefined ? subjects.all() : subjects.account(accountId);
  const [totals, past, models, keys] = await Promise.all([
    usageTotals(store, account, period),
    usageTotals(store, account, before),
    topUsage(store, period, {
      dimension: "model",
      accountId,
      by: rankedBy[measure],
      limit: modelsShown,
    }),
    accountId === undefined ? { top: [] } : topUsage(store, period, {
      dimension: "key",
      accountId,
      by: "costNanoUsd",
      limit: keysShown,
    }),
  ]);
  const top = models.top.map(({ subject }) => subject);
  return {
    ...totals,
    period: name,
    beforeNanoUsd: past.counts.costNanoUsd,
    starts: Array.from({ length: steps }, (_, at) => period.fromMs + at * stepMs[step]),
    series: await seriesOf(store, { account, top, period: { ...period, step }, measure }),
    keys: keys.top.map(({ subject, counts }) => ({ id: subject.value, counts })),
  };
}

/** Whole hours or days in UTC, the steps for which sums are stored. */
function stepsUntil(
  nowMs: number,
  { steps, step }: { readonly steps: number; readonly step: RollupStep },
): UsagePeriod {
  const toMs = (Math.floor(nowMs / stepMs[step]) + 1) * stepMs[step];
  return { fromMs: toMs - steps * stepMs[step], toMs };
}

interface SeriesQuery {
  readonly account: RollupSubject;
  readonly top: readonly RollupSubject[];
  readonly period: UsagePeriod & { readonly step: RollupStep };
  readonly measure: SpendMeasure;
}

/** The other models together: the account's total minus the first models. */
async function seriesOf(
  store: Store,
  { account, top, period, measure }: SeriesQuery,
): Promise<SpendSeries[]> {
  const amountsOf = async (subject: RollupSubject) => {
    const points = await usageSeries(store, subject, period);
    return points.map(({ counts }) => measured[measure](counts));
  };
  const [all, ...found] = await Promise.all([account, ...top].map(amountsOf));
  const rest = all.map((amount, day) =>
    positive(found.reduce((left, amounts) => left - amounts[day], amount))
  );
  const named = top.map(({ value }, at) => ({
    model: value,
    amounts: found[at],
    sum: total(found[at]),
  }))
    .sort((a, b) => a.sum < b.sum ? 1 : -1);
  return total(rest) > 0n ? [...named, { amounts: rest, sum: total(rest) }] : named;
}

function total(amounts: readonly bigint[]): bigint {
  return amounts.reduce((sum, amount) => sum + amount, 0n);
}

/** Replaces a negative difference, which a call counted between two reads can cause, with 0. */
function positive(amount: bigint): bigint {
  return amount < 0n ? 0n : amount;
}
