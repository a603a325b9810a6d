import ChartCursor from "../../islands/ChartCursor.tsx";
import {
  type Axis,
  axisTo,
  type ChartColor,
  type ChartScale,
  type ChartSeries,
  type ChartStep,
  highestAmount,
  highestSum,
} from "../../lib/console/charts/chart.ts";
import { type ChartRank, type CursorChart, cursorOf } from "../../lib/console/charts/cursor.ts";
import { longestPeriod, type PeriodChoice, periodHref } from "../../lib/console/page/period.ts";
import { periodWords } from "../../lib/console/page/period_words.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import { A } from "../A.tsx";
import { untranslated } from "../untranslated.ts";
import { Plot } from "./Plot.tsx";

interface ChartProps {
  readonly view: Pick<AccountView, "catalog">;
  /** Unique on the page. */
  readonly id: string;
  /** Names the chart, and its slider: such as `Spend by day`. */
  readonly label: string;
  /** `bars` if absent. */
  readonly kind?: "bars" | "lines";
  readonly steps: readonly ChartStep[];
  /** The first at the bottom: failures, then the largest. */
  readonly series: readonly ChartSeries[];
  /** The rows of the read-out at each step; absent for the series in their order. */
  readonly ranks?: readonly (readonly ChartRank[])[];
  readonly scale: ChartScale;
  readonly heightPx?: number;
  /** The step that the read-out shows without a pointer: the last whole one. */
  readonly chosen?: number;
}

/** Lines or bars over time, stacked if there are several series. Readable without a script. */
export function Chart(props: ChartProps) {
  const { view: { catalog: { charts } }, id, label, steps, series, scale, heightPx = 190 } = props;
  const { ranks, kind = "bars", chosen = lastWhole(steps) } = props;
  const hasSum = kind === "bars" && series.length > 1;
  const most = hasSum ? highestSum(series) : highestAmount(series);
  const axis = axisTo(most, { heightPx, stepMin: scale.stepMin });
  const lines = kind === "lines" ? { axis, heightPx } : undefined;
  const cursor = cursorOf({ steps, series, scale, hasSum, lines, ranks });
  return (
    <div class="chart" id={id}>
      <figure>
        <Readout
          at={steps[chosen].name}
          series={ranks?.[chosen] ?? series}
          texts={cursor.texts[chosen]}
          sum={hasSum ? charts.sum : undefined}
          slots={Math.max(0, ...(ranks ?? []).map(({ length }) => length))}
        />
        <Plot {...{ kind, label, steps, series, scale, axis, heightPx, chosen, cursor }} />
      </figure>
      <ChartCursor
        id={id}
        chosen={chosen}
        steps={steps.map(({ name }) => name)}
        hrefs={steps.map(({ href = "" }) => href)}
        charts={[cursor]}
      />
    </div>
  );
}

/** The step before the current one, which is not over. */
function lastWhole(steps: readonly ChartStep[]): number {
  return Math.max(0, steps.length - 2);
}

/** One of several charts side by side. */
interface SmallChart {
  readonly title: string;
  /** Beside the title, such as `from 96%` for an axis that does not start at zero. */
  readonly hint?: string;
  readonly kind: "bars" | "lines";
  readonly series: readonly ChartSeries[];
  readonly scale: ChartScale;
  /** If absent, the axis starts at zero. */
  readonly axis?: Axis;
}

interface SmallChartsProps {
  /** Unique on the page. */
  readonly id: string;
  readonly steps: readonly ChartStep[];
  readonly charts: readonly SmallChart[];
  readonly chosen?: number;
}

const smallChartPx = 110;

/** Small charts over the same steps. They share one cursor. */
export function SmallCharts({ id, steps, charts, ...props }: SmallChartsProps) {
  const chosen = props.chosen ?? lastWhole(steps);
  const drawn = charts.map((chart) => drawnOf(chart, steps));
  return (
    <div class="small-charts" id={id}>
      {drawn.map((chart) => <One key={chart.title} {...{ chart, steps, chosen }} />)}
      <ChartCursor
        id={id}
        chosen={chosen}
        steps={steps.map(({ name }) => name)}
        hrefs={steps.map(({ href = "" }) => href)}
        charts={drawn.map(({ cursor }) => cursor)}
      />
    </div>
  );
}

interface DrawnChart extends SmallChart {
  readonly axis: Axis;
  readonly cursor: CursorChart;
}

function drawnOf(chart: SmallChart, steps: readonly ChartStep[]): DrawnChart {
  const { kind, series, scale } = chart;
  const heightPx = smallChartPx;
  const { axis = axisTo(highestAmount(series), { heightPx, stepMin: scale.stepMin }) } = chart;
  const lines = kind === "lines" ? { axis, heightPx } : undefined;
  return { ...chart, axis, cursor: cursorOf({ steps, series, scale, hasSum: false, lines }) };
}

function One(
  { chart, steps, chosen }: {
    chart: DrawnChart;
    steps: readonly ChartStep[];
    chosen: number;
  },
) {
  const { title, hint, series, cursor } = chart;
  return (
    <figure>
      <figcaption>
        {title} {hint && <span class="hint">{hint}</span>}
      </figcaption>
      <Readout at={steps[chosen].name} series={series} texts={cursor.texts[chosen]} />
      <Plot {...chart} {...{ steps, chosen }} label={title} heightPx={smallChartPx} />
    </figure>
  );
}

/** Legend and amounts of the chosen step in one line above the plot. */
function Readout(
  { at, series, texts, sum, slots = 0 }: {
    /** The name of the step. */
    at: string;
    series: readonly Pick<ChartSeries, "name" | "color">[];
    /** The amounts of the series, then their sum. */
    texts: readonly string[];
    /** The word for the sum; absent for no sum. */
    sum?: string;
    /** The most subjects of any step, if each is ranked by itself. */
    slots?: number;
  },
) {
  const spare = Array.from({ length: Math.max(0, slots - series.length) }, () => undefined);
  return (
    <ul class="readout">
      <li class="at">{at}</li>
      {[...series, ...spare].map((one, place) => (
        <li key={place} class={slots > 0 ? "slot" : undefined} hidden={one === undefined}>
          {(series.length > 1 || slots > 1) && (
            <>
              <Swatch color={one?.color ?? "rest"} />
              <span {...untranslated}>{one?.name}</span>
              {" "}
            </>
          )}
          <b>{one && texts[place]}</b>
        </li>
      ))}
      {sum && (
        <li class="sum">
          {sum} <b>{texts.at(-1)}</b>
        </li>
      )}
    </ul>
  );
}

/** The color of a series, beside its name in a legend or in a table. */
export function Swatch({ color }: { color: ChartColor }) {
  return (
    <svg class="swatch" width="10" height="10" aria-hidden="true">
      <rect class={`data-${color}`} width="10" height="10" rx="2" />
    </svg>
  );
}

/** A chart without amounts: a sentence in place of a scale. */
export function NoData({ text }: { text: string }) {
  return (
    <div class="no-data">
      <p>{text}</p>
    </div>
  );
}

/** A period without calls: the last call, and a button to the longest period. */
export function NothingInPeriod(
  { view, period, lastCallMs }: {
    view: AccountView;
    period: PeriodChoice;
    /** Absent if there is none, or if it is unknown. */
    lastCallMs?: number;
  },
) {
  const { catalog: { spend, periods }, formats, path } = view;
  return (
    <div class="no-data">
      <p>
        {periods.none(periodWords(period, view))}
        {lastCallMs !== undefined && ` ${spend.lastCall(formats.ago(lastCallMs))}`}
      </p>
      {period.name !== longestPeriod && (
        <A class="button small" href={periodHref(path, longestPeriod)}>{periods.widen}</A>
      )}
    </div>
  );
}
