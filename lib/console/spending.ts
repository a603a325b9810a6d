import { topUsage, type UsagePeriod, usageSeries, usageTotals } from "../ledger/mod.ts";
import { type Counts, type RollupSubject, type Store, subjects, type Times } from "../store/mod.ts";
import { tokensIn, tokensOut } from "./usage_summary.ts";

/** What can be added up over days. */
export const spendMeasures = ["cost", "tokens", "requests"] as const;
export type SpendMeasure = typeof spendMeasures[number];

/** How many days of UTC the overview may show, today being the last. */
export const spendDays = [7, 14, 30] as const;

/** What the address of the overview asks for. */
export interface SpendQuery {
  readonly days: typeof spendDays[number];
  readonly measure: SpendMeasure;
}

/** Amounts of one model, or of all others, day by day. */
export interface SpendSeries {
  /** Absent for all others together. */
  readonly model?: string;
  readonly amounts: readonly bigint[];
  readonly sum: bigint;
}

/** How an account spends: in all, before, by day and model, and by key. */
export interface Spending {
  readonly counts: Counts;
  readonly times: Times;
  /** What was spent in as many days before. */
  readonly beforeNanoUsd: bigint;
  /** When the days begin. */
  readonly starts: readonly number[];
  /** In order of their sums; others last. */
  readonly series: readonly SpendSeries[];
  readonly keys: readonly { readonly id: string; readonly counts: Counts }[];
}

const dayMs = 86_400_000;
const modelsShown = 4;
const keysShown = 6;

const measured = {
  cost: ({ costNanoUsd }) => costNanoUsd,
  tokens: (counts) => BigInt(tokensIn(counts) + tokensOut(counts)),
  requests: ({ requests }) => BigInt(requests),
} as const satisfies Record<SpendMeasure, (counts: Counts) => bigint>;

/** Models are ranked by one count: tokens by those that go in, which are most of them. */
const rankedBy = {
  cost: "costNanoUsd",
  tokens: "inputTokens",
  requests: "requests",
} as const satisfies Record<SpendMeasure, keyof Counts>;

/** Reads `?days=&by=`; what it does not know is as if it were not there. */
export function readSpendQuery(fields: URLSearchParams): SpendQuery {
  return {
    days: spendDays.find((days) => String(days) === fields.get("days")) ?? 14,
    measure: spendMeasures.find((measure) => measure === fields.get("by")) ?? "cost",
  };
}

export async function readSpending(
  store: Store,
  accountId: string,
  { days, measure, nowMs }: SpendQuery & { readonly nowMs: number },
): Promise<Spending> {
  const period = daysUntil(nowMs, days);
  const before = { fromMs: period.fromMs - days * dayMs, toMs: period.fromMs };
  const account = subjects.account(accountId);
  const [totals, past, models, keys] = await Promise.all([
    usageTotals(store, account, period),
    usageTotals(store, account, before),
    topUsage(store, period, {
      dimension: "model",
      accountId,
      by: rankedBy[measure],
      limit: modelsShown,
    }),
    topUsage(store, period, { dimension: "key", accountId, by: "costNanoUsd", limit: keysShown }),
  ]);
  const top = models.top.map(({ subject }) => subject);
  return {
    ...totals,
    beforeNanoUsd: past.counts.costNanoUsd,
    starts: Array.from({ length: days }, (_, at) => period.fromMs + at * dayMs),
    series: await seriesOf(store, { account, top, period, measure }),
    keys: keys.top.map(({ subject, counts }) => ({ id: subject.value, counts })),
  };
}

/** Whole days of UTC, as sums are kept by them. */
function daysUntil(nowMs: number, days: number): UsagePeriod {
  const toMs = (Math.floor(nowMs / dayMs) + 1) * dayMs;
  return { fromMs: toMs - days * dayMs, toMs };
}

interface SeriesQuery {
  readonly account: RollupSubject;
  readonly top: readonly RollupSubject[];
  readonly period: UsagePeriod;
  readonly measure: SpendMeasure;
}

/** What is left of the account's when the first models' is taken away is everybody else's. */
async function seriesOf(
  store: Store,
  { account, top, period, measure }: SeriesQuery,
): Promise<SpendSeries[]> {
  const amountsOf = async (subject: RollupSubject) => {
    const points = await usageSeries(store, subject, { ...period, step: "day" });
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

/** A call that was counted between two reads makes others less than nothing for a moment. */
function positive(amount: bigint): bigint {
  return amount < 0n ? 0n : amount;
}
