import ChartCursor from "../../islands/ChartCursor.tsx";
import { type Axis, axisTo } from "../../lib/console/charts/axis.ts";
import {
  type ChartScale,
  type ChartSeries,
  type ChartStep,
  highestAmount,
} from "../../lib/console/charts/chart.ts";
import { type CursorChart, cursorOf } from "../../lib/console/charts/cursor.ts";
import { lastWhole } from "./Chart.tsx";
import { Plot } from "./Plot.tsx";
import { Readout } from "./Readout.tsx";

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
