import {
  type Axis,
  type ChartColor,
  type ChartScale,
  type ChartSeries,
  type ChartStep,
  sumAt,
  yOf,
} from "./chart.ts";

/** A subject's amount in one step. */
export interface ChartRank extends Pick<ChartSeries, "name" | "color"> {
  readonly amount: number;
}

/** The texts and points of one chart at each step. Plain data, because the browser receives it. */
export interface CursorChart {
  /** By step: the amounts of the series or of its subjects, then their sum if the chart has one. */
  readonly texts: readonly (readonly string[])[];
  /** For a chart that ranks each step by itself. */
  readonly ranked?: {
    readonly subjects: readonly Pick<ChartSeries, "name" | "color">[];
    /** By step: the places of its subjects, the highest amount first. */
    readonly places: readonly (readonly number[])[];
  };
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
  /** By step, the highest first; absent for the order of the series. */
  readonly ranks?: readonly (readonly ChartRank[])[];
  /** For a chart of lines. */
  readonly lines?: { readonly axis: Axis; readonly heightPx: number };
}

/** Written for a missing amount. */
const missing = "–";

export function cursorOf(options: CursorOptions): CursorChart {
  const { steps, series, lines, ranks } = options;
  const texts = steps.map((_, step) => textsAt(step, options));
  return {
    texts,
    spoken: steps.map(({ name }, step) => `${name}: ${spokenOf(texts[step], step, options)}`),
    ...(ranks && { ranked: rankedOf(ranks) }),
    ...(lines && {
      dots: series.map(({ amounts }) =>
        amounts.map((amount) =>
          amount === undefined ? undefined : yOf(amount, lines.axis, lines.heightPx)
        )
      ),
    }),
  };
}

function rankedOf(ranks: readonly (readonly ChartRank[])[]): CursorChart["ranked"] {
  const subjects = new Map<string, { readonly name: string; readonly color: ChartColor }>();
  const places = ranks.map((rank) =>
    rank.map(({ name, color }) => {
      subjects.getOrInsert(`${color} ${name}`, { name, color });
      return [...subjects.keys()].indexOf(`${color} ${name}`);
    })
  );
  return { subjects: [...subjects.values()], places };
}

function textsAt(step: number, { series, scale, hasSum, ranks }: CursorOptions): string[] {
  const ranked = ranks?.[step].map(({ amount }) => scale.write(amount));
  const amounts = ranked ??
    series.map(({ amounts }) => amounts[step] === undefined ? missing : scale.write(amounts[step]));
  return hasSum ? [...amounts, scale.write(sumAt(series, step))] : amounts;
}

/** The sum of stacked bars; otherwise each amount with its name. */
function spokenOf(
  texts: readonly string[],
  step: number,
  { series, scale, hasSum, ranks }: CursorOptions,
): string {
  if (ranks) return scale.write(sumAt(series, step));
  if (hasSum || series.length === 1) return texts[texts.length - 1];
  return series.map(({ name }, at) => `${name} ${texts[at]}`).join(", ");
}
