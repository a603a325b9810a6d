import type { Catalog } from "../i18n/mod.ts";
import type { Formats } from "../page/format.ts";

/** An hour or a day on the horizontal axis. */
export interface ChartStep {
  /** Such as `Thu, Nov 19`. */
  readonly name: string;
  /** The label below the axis; empty for most steps of a long period. */
  readonly mark: string;
  /** The page about this step, such as the log. */
  readonly href?: string;
}

/** The colors of the data: of subjects, of all others together, and for calls that failed. */
export type ChartColor = 1 | 2 | 3 | 4 | 5 | 6 | 7 | "rest" | "bad" | "warn";

/** The amounts of one subject, one for each step. */
export interface ChartSeries {
  readonly name: string;
  readonly color: ChartColor;
  /** Undefined if there is none, such as the duration of an hour without calls. */
  readonly amounts: readonly (number | undefined)[];
  readonly dashed?: boolean;
}

/** Writes the amounts of a chart. */
export interface ChartScale {
  /** In the read-out. */
  readonly write: (amount: number) => string;
  /** At the axis; round amounts only. */
  readonly tick: (amount: number) => string;
  readonly stepMin?: number;
}

/** A bar's part, or the whole of an unstacked bar, in pixels. */
interface Bar {
  readonly step: number;
  readonly color: ChartColor;
  readonly y: number;
  readonly height: number;
}

/** Pixels above the highest tick, for its label. */
const headroomPx = 8;
const gapPx = 1;
const failureMinPx = 2.5;

/** The vertical position of an amount. */
export function yOf(amount: number, { bottom, top }: Axis, heightPx: number): number {
  const share = (amount - bottom) / (top - bottom);
  return rounded(heightPx - share * (heightPx - headroomPx));
}

/** Stacked bars, the first series at the bottom. */
export function barsOf(
  series: readonly ChartSeries[],
  axis: Axis,
  heightPx: number,
): readonly Bar[] {
  const steps = series[0]?.amounts.length ?? 0;
  return Array.from({ length: steps }, (_, step) => stackOf(series, { step, axis, heightPx }))
    .flat();
}

function stackOf(
  series: readonly ChartSeries[],
  { step, axis, heightPx }: {
    readonly step: number;
    readonly axis: Axis;
    readonly heightPx: number;
  },
): Bar[] {
  const bars: Bar[] = [];
  let base = heightPx;
  for (const { color, amounts } of series) {
    const amount = amounts[step] ?? 0;
    if (amount <= 0) continue;
    const height = Math.max(heightPx - yOf(amount, axis, heightPx), leastPx(color));
    const gap = height > 2 * gapPx ? gapPx : 0;
    bars.push({ step, color, y: rounded(base - height), height: rounded(height - gap) });
    base -= height;
  }
  return bars;
}

/** Failures are never too low to be seen. */
function leastPx(color: ChartColor): number {
  return color === "bad" || color === "warn" ? failureMinPx : 0.5;
}

/** The path of a line in a box of 100 by the height, with gaps where there is no amount. */
export function pathOf(
  { amounts }: ChartSeries,
  axis: Axis,
  heightPx: number,
): string {
  return amounts.map((amount, step) => {
    if (amount === undefined) return "";
    const point = `${rounded((step + 0.5) * 100 / amounts.length)},${yOf(amount, axis, heightPx)}`;
    return step > 0 && amounts[step - 1] !== undefined ? `L${point}` : `M${point}h0`;
  }).join("");
}

/** The sum of a step over all series. */
export function sumAt(series: readonly ChartSeries[], step: number): number {
  return series.reduce((sum, { amounts }) => sum + (amounts[step] ?? 0), 0);
}

/** The largest sum of any step. */
export function highestSum(series: readonly ChartSeries[]): number {
  return Math.max(0, ...(series[0]?.amounts ?? []).map((_, step) => sumAt(series, step)));
}

/** The largest amount of any series. */
export function highestAmount(series: readonly ChartSeries[]): number {
  return Math.max(0, ...series.flatMap(({ amounts }) => amounts.map((amount) => amount ?? 0)));
}

function rounded(px: number): number {
  return Math.round(px * 10) / 10;
}

/** A vertical axis: its ends, and round amounts from the bottom upward. */
export interface Axis {
  readonly bottom: number;
  readonly top: number;
  readonly ticks: readonly number[];
}

interface AxisOptions {
  readonly heightPx: number;
  /** The least distance between two ticks, such as 1 for counts. */
  readonly stepMin?: number;
}

const intervalsMax = 4;
/** Lower plots have room for two ticks only. */
const lowPlotPx = 90;

/** An axis from zero. Its top is at most one step above the largest amount. */
export function axisTo(most: number, { heightPx, stepMin = 0 }: AxisOptions): Axis {
  const step = roundStep(Math.max(most / intervalsMax, stepMin));
  return { bottom: 0, ...ticksOver(0, most, { step, heightPx }) };
}

/**
 * An axis that ends at `top`, for amounts near it such as shares of successful calls. Its bottom is
 * at most one step below the smallest amount.
 */
export function axisBelow(
  top: number,
  least: number,
  { heightPx, stepMin = 0 }: AxisOptions,
): Axis {
  const step = roundStep(Math.max((top - least) / intervalsMax, stepMin));
  const bottom = exact(top - intervalsOver(top - least, step) * step);
  return { bottom, ...ticksOver(bottom, top, { step, heightPx }) };
}

function ticksOver(
  bottom: number,
  most: number,
  { step, heightPx }: { readonly step: number; readonly heightPx: number },
): Pick<Axis, "top" | "ticks"> {
  const intervals = intervalsOver(most - bottom, step);
  const ticks = Array.from({ length: intervals + 1 }, (_, at) => exact(bottom + at * step));
  const top = ticks[intervals];
  return { top, ticks: heightPx < lowPlotPx ? [bottom, top] : ticks };
}

function intervalsOver(range: number, step: number): number {
  return Math.max(2, Math.ceil(exact(range / step)));
}

/** The smallest of 1, 2 and 5 times a power of ten that is not below the amount. */
function roundStep(least: number): number {
  if (least <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(least));
  return exact(
    [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= least) ?? least,
  );
}

/** Removes the errors of binary fractions, such as of 3 × 0.1. */
function exact(amount: number): number {
  return Number(amount.toPrecision(12));
}

/** Nano-dollars. */
export function moneyScale(formats: Formats): ChartScale {
  return {
    write: (amount) => formats.money(BigInt(Math.round(amount))),
    tick: (amount) => amount === 0 ? "0" : formats.price(BigInt(Math.round(amount))),
  };
}

/** Whole numbers, such as of calls and tokens. */
export function countScale(formats: Formats): ChartScale {
  return { write: formats.count, tick: formats.short, stepMin: 1 };
}

/** Milliseconds. */
export function durationScale(formats: Formats): ChartScale {
  return {
    write: formats.span,
    tick: (ms) => ms === 0 ? "0" : ms < 1_000 ? `${ms} ms` : `${formats.count(ms / 1_000)} s`,
    stepMin: 1,
  };
}

/** Shares from 0 to 100. */
export function percentScale(formats: Formats): ChartScale {
  const write = (share: number) => `${formats.count(Math.floor(share * 10) / 10)}%`;
  return { write, tick: write, stepMin: 0.5 };
}

/** Counted calls of one step. */
interface Outcomes {
  readonly requests: number;
  readonly failures: number;
}

/** Calls by outcome, failures at the bottom. */
export function outcomeSeries(
  steps: readonly Outcomes[],
  { logPage: { failed, succeeded } }: Catalog,
): readonly ChartSeries[] {
  return [
    { name: failed, color: "bad", amounts: steps.map(({ failures }) => failures) },
    {
      name: succeeded,
      color: 1,
      amounts: steps.map(({ requests, failures }) => requests - failures),
    },
  ];
}
