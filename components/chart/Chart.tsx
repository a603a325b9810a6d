import ChartCursor from "../../islands/ChartCursor.tsx";
import { axisTo } from "../../lib/console/charts/axis.ts";
import {
  type ChartScale,
  type ChartSeries,
  type ChartStep,
  highestAmount,
  highestSum,
} from "../../lib/console/charts/chart.ts";
import { cursorOf } from "../../lib/console/charts/cursor.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import { Plot } from "./Plot.tsx";
import { Readout } from "./Readout.tsx";

interface ChartProps {
  readonly view: Pick<AccountView, "catalog">;
  /** Unique on the page. */
  readonly id: string;
  /** Names the chart, and its slider: such as `Spend by day`. */
  readonly label: string;
  /** `bars` if absent. */
  readonly kind?: "bars" | "lines";
  readonly steps: readonly ChartStep[];
  /** At most five, the first at the bottom: failures, then the largest. */
  readonly series: readonly ChartSeries[];
  readonly scale: ChartScale;
  readonly heightPx?: number;
  /** The step that the read-out shows without a pointer: the last whole one. */
  readonly chosen?: number;
}

/** Lines or bars over time, stacked if there are several series. Readable without a script. */
export function Chart(props: ChartProps) {
  const { view: { catalog: { charts } }, id, label, steps, series, scale, heightPx = 190 } = props;
  const { kind = "bars", chosen = lastWhole(steps) } = props;
  const hasSum = kind === "bars" && series.length > 1;
  const most = hasSum ? highestSum(series) : highestAmount(series);
  const axis = axisTo(most, { heightPx, stepMin: scale.stepMin });
  const lines = kind === "lines" ? { axis, heightPx } : undefined;
  const cursor = cursorOf({ steps, series, scale, hasSum, lines });
  return (
    <div class="chart" id={id}>
      <figure>
        <Readout
          at={steps[chosen].name}
          series={series}
          texts={cursor.texts[chosen]}
          sum={hasSum ? charts.sum : undefined}
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
export function lastWhole(steps: readonly ChartStep[]): number {
  return Math.max(0, steps.length - 2);
}
