import { lastWholeBar, type LogBar } from "../../lib/console/calls/log_bars.ts";
import { type LogSearch, logSearchPath, without } from "../../lib/console/calls/log_search.ts";
import type { ChartStep } from "../../lib/console/charts/chart.ts";
import { outcomeSeries } from "../../lib/console/charts/outcomes.ts";
import { countScale } from "../../lib/console/charts/scales.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import { Chart } from "../chart/Chart.tsx";

interface LogBarsProps {
  readonly view: AccountView;
  readonly search: LogSearch;
  readonly bars: readonly LogBar[];
  /** The most times below them. */
  readonly marks?: number;
}

const dayMs = 86_400_000;

/** Calls over time with failures at the bottom. Each bar links to its time range. */
export function LogBars({ view, search, bars, marks = 4 }: LogBarsProps) {
  const { catalog, formats } = view;
  if (bars.length < 2 || bars.every(({ requests }) => requests === 0)) return null;
  const every = Math.ceil(bars.length / marks);
  return (
    <div class="log-bars">
      <Chart
        view={view}
        id="log-bars"
        label={catalog.logPage.bars}
        steps={bars.map((bar, at) =>
          stepOf(bar, { search, formats, isMarked: at % every === Math.floor(every / 2) })
        )}
        series={outcomeSeries(bars, catalog)}
        scale={countScale(formats)}
        heightPx={56}
        chosen={lastWholeBar(bars, formats.nowMs)}
      />
    </div>
  );
}

function stepOf(
  { fromMs, toMs }: LogBar,
  { search, formats, isMarked }: {
    readonly search: LogSearch;
    readonly formats: AccountView["formats"];
    readonly isMarked: boolean;
  },
): ChartStep {
  const name = toMs - fromMs >= dayMs ? formats.shortUtcDay(fromMs) : formats.hour(fromMs);
  const timeless = without(search, "period");
  return {
    name,
    mark: isMarked ? name : "",
    href: logSearchPath({ ...timeless, filter: { ...timeless.filter, fromMs, toMs } }),
  };
}
