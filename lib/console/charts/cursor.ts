import type { Axis } from "./axis.ts";
import { type ChartScale, type ChartSeries, type ChartStep, sumAt, yOf } from "./chart.ts";

/** The texts and points of one chart at each step. Plain data, because the browser receives it. */
export interface CursorChart {
  /** By step: the amounts of the series, then their sum if the chart has one. */
  readonly texts: readonly (readonly string[])[];
  /** By step, for screen readers: such as `Thu, Nov 19: $126.90`. */
  readonly spoken: readonly string[];
  /** By series and step: the heights of the points on the lines. */
  readonly dots?: readonly (readonly (number | undefined)[])[];
}

interface CursorOptions {
  readonly steps: readonly ChartStep[];
  readonly series: readonly ChartSeries[];
  readonly scale: ChartScale;
  readonly hasSum: boolean;
  /** For a chart of lines. */
  readonly lines?: { readonly axis: Axis; readonly heightPx: number };
}

/** Written for a missing amount. */
const missing = "–";

export function cursorOf(options: CursorOptions): CursorChart {
  const { steps, series, lines } = options;
  const texts = steps.map((_, step) => textsAt(step, options));
  return {
    texts,
    spoken: steps.map(({ name }, step) => `${name}: ${spokenOf(texts[step], options)}`),
    ...(lines && {
      dots: series.map(({ amounts }) =>
        amounts.map((amount) =>
          amount === undefined ? undefined : yOf(amount, lines.axis, lines.heightPx)
        )
      ),
    }),
  };
}

function textsAt(step: number, { series, scale, hasSum }: CursorOptions): string[] {
  const amounts = series.map(({ amounts }) =>
    amounts[step] === undefined ? missing : scale.write(amounts[step])
  );
  return hasSum ? [...amounts, scale.write(sumAt(series, step))] : amounts;
}

/** The sum of stacked bars; otherwise each amount with its name. */
function spokenOf(texts: readonly string[], { series, hasSum }: CursorOptions): string {
  if (hasSum || series.length === 1) return texts[texts.length - 1];
  return series.map(({ name }, at) => `${name} ${texts[at]}`).join(", ");
}
