import type { Axis } from "./axis.ts";

/** An hour or a day on the horizontal axis. */
export interface ChartStep {
  /** Such as `Thu, Nov 19`. */
  readonly name: string;
  /** The label below the axis; empty for most steps of a long period. */
  readonly mark: string;
  /** The page about this step, such as the log. */
  readonly href?: string;
}

/** The colors of the data: by rank, and for calls that failed. */
export type ChartColor = 1 | 2 | 3 | 4 | 5 | "bad" | "warn";

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
