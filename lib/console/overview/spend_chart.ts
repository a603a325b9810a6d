import { stepMs } from "../../store/log/mod.ts";
import type { AccountView } from "../page/view.ts";
import { type Spending, type SpendMeasure, spendPeriods } from "./spending.ts";

/** One day of the chart: its texts, and the bars with their start and share in percent of the plot. */
interface ChartDay {
  readonly name: string;
  /** The label below the axis; empty for most days of a long period. */
  readonly mark: string;
  readonly parts: readonly { readonly from: number; readonly share: number }[];
  readonly texts: readonly string[];
  readonly total: string;
  readonly href: string;
}

/** Everything that the chart draws. Plain data, since it is serialized for the browser. */
export interface SpendChartData {
  readonly days: readonly ChartDay[];
  readonly names: readonly string[];
  readonly sums: readonly string[];
  readonly sum: string;
  /** From the bottom upward. */
  readonly ticks: readonly { readonly text: string; readonly at: number }[];
  readonly texts: Readonly<Record<"day" | "whole" | "total" | "model" | "label" | "calls", string>>;
}

const marksMax = 14;
const ticksWanted = 4n;

/** The chart of an account's spending, in the reader's words. */
export function spendChart(
  { period, starts, series }: Spending,
  measure: SpendMeasure,
  { catalog: { spend }, formats }: AccountView,
): SpendChartData {
  const { step: timeStep } = spendPeriods[period];
  const byHour = timeStep === "hour";
  const write = (amount: bigint) =>
    measure === "cost" ? formats.money(cents(amount)) : formats.count(Number(amount));
  const totals = starts.map((_, day) => series.reduce((sum, one) => sum + one.amounts[day], 0n));
  const most = totals.reduce((most, one) => one > most ? one : most, 0n);
  const step = tickStep(most > 0n ? most : leastTop[measure]);
  const top = step * ticksWanted;
  const every = Math.ceil(starts.length / marksMax);
  const sum = series.reduce((all, one) => all + one.sum, 0n);
  return {
    days: starts.map((atMs, day) => ({
      name: byHour ? formats.hour(atMs) : formats.utcDay(atMs),
      mark: (starts.length - 1 - day) % every !== 0
        ? ""
        : byHour
        ? formats.hourOfDay(atMs)
        : String(new Date(atMs).getUTCDate()),
      parts: stacked(series.map(({ amounts }) => amounts[day]), top),
      texts: series.map(({ amounts }) => write(amounts[day])),
      total: write(totals[day]),
      href: stepHref(atMs, stepMs[timeStep]),
    })),
    names: series.map(({ model }) => model ?? spend.others),
    sums: series.map((one) => write(one.sum)),
    sum: write(sum),
    ticks: Array.from({ length: Number(ticksWanted) + 1 }, (_, at) => ({
      text: measure === "cost"
        ? formats.price(step * BigInt(at))
        : formats.short(Number(step) * at),
      at: 100 * at / Number(ticksWanted),
    })),
    texts: {
      day: byHour ? spend.hour : spend.day,
      whole: spend.periods[period],
      total: spend.total,
      model: spend.model,
      label: spend.chartOf[measure](spend.periods[period], write(sum)),
      calls: byHour ? spend.callsOfHour : spend.callsOfDay,
    },
  };
}

/**
 * The smallest step of 1, 2 or 5 times a power of ten with which `ticksWanted` ticks reach the
 * highest bar.
 */
export function tickStep(most: bigint): bigint {
  for (let power = 1n;; power *= 10n) {
    for (const factor of [1n, 2n, 5n]) {
      if (factor * power * ticksWanted >= most) return factor * power;
    }
  }
}

function stacked(amounts: readonly bigint[], top: bigint): ChartDay["parts"] {
  let from = 0;
  return amounts.map((amount) => {
    const share = Number(amount * 100_000n / top) / 1_000;
    const part = { from, share };
    from += share;
    return part;
  });
}

const [nanoPerCent, nanoPerUsd] = [10_000_000n, 1_000_000_000n];

/** The height of the axis without data: four cents, tokens or requests. */
const leastTop = {
  cost: ticksWanted * nanoPerCent,
  tokens: ticksWanted,
  requests: ticksWanted,
} as const satisfies Record<SpendMeasure, bigint>;

/** Rounds amounts from a dollar on to the cent; the log has the exact amounts. */
function cents(nanoUsd: bigint): bigint {
  if (nanoUsd < nanoPerUsd) return nanoUsd;
  return (nanoUsd + nanoPerCent / 2n) / nanoPerCent * nanoPerCent;
}

function stepHref(atMs: number, lengthMs: number): string {
  const [from, to] = [atMs, atMs + lengthMs].map((ms) => new Date(ms).toISOString());
  return `/console/log?${new URLSearchParams({ from, to })}`;
}
