import type { ChartDay, SpendChart } from "../../components/chart_parts.ts";
import type { Spending, SpendMeasure } from "./spending.ts";
import type { AccountView } from "./view.ts";

const marksMax = 14;
const ticksWanted = 4n;

/** The chart of an account's spending, in the reader's words. */
export function spendChart(
  { starts, series }: Spending,
  measure: SpendMeasure,
  { catalog: { spend }, formats }: AccountView,
): SpendChart {
  const write = (amount: bigint) =>
    measure === "cost" ? formats.money(cents(amount)) : formats.count(Number(amount));
  const totals = starts.map((_, day) => series.reduce((sum, one) => sum + one.amounts[day], 0n));
  const step = tickStep(totals.reduce((most, one) => one > most ? one : most, 0n));
  const top = step * ticksWanted;
  const every = Math.ceil(starts.length / marksMax);
  const sum = series.reduce((all, one) => all + one.sum, 0n);
  return {
    days: starts.map((atMs, day) => ({
      name: formats.utcDay(atMs),
      mark: (starts.length - 1 - day) % every === 0 ? String(new Date(atMs).getUTCDate()) : "",
      parts: stacked(series.map(({ amounts }) => amounts[day]), top),
      texts: series.map(({ amounts }) => write(amounts[day])),
      total: write(totals[day]),
      href: dayHref(atMs),
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
      day: spend.day,
      whole: spend.days(starts.length),
      total: spend.total,
      model: spend.model,
      label: spend.chartOf[measure](starts.length, write(sum)),
      calls: spend.callsOfDay,
    },
  };
}

/** The least of 1, 2 and 5 times a power of ten of which `ticksWanted` reach as high as the highest bar. */
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

const [dayMs, nanoPerCent, nanoPerUsd] = [86_400_000, 10_000_000n, 1_000_000_000n];

/** To the cent from a dollar on: a chart is read at a glance, and the log says the rest. */
function cents(nanoUsd: bigint): bigint {
  if (nanoUsd < nanoPerUsd) return nanoUsd;
  return (nanoUsd + nanoPerCent / 2n) / nanoPerCent * nanoPerCent;
}

function dayHref(atMs: number): string {
  const [from, to] = [atMs, atMs + dayMs].map((ms) => new Date(ms).toISOString());
  return `/console/log?${new URLSearchParams({ from, to })}`;
}
