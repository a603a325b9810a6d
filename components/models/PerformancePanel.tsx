import { daySteps, logHref } from "../../lib/console/charts/steps.ts";
import { modelCharts } from "../../lib/console/models/model_charts.ts";
import type { ModelPerformance } from "../../lib/console/models/model_performance.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import { Panel } from "../Panel.tsx";
import { Failed } from "../States.tsx";
import { NoData } from "../chart/NoData.tsx";
import { SmallCharts } from "../chart/SmallCharts.tsx";

/** Spend, first byte, success and speed by day. A day links to its calls. */
export function PerformancePanel(
  { view, model, performance, isOwnSpend }: {
    view: AccountView;
    model: string;
    /** Undefined if reading failed. */
    performance: ModelPerformance | undefined;
    isOwnSpend: boolean;
  },
) {
  const { modelPage: texts } = view.catalog;
  return (
    <Panel id="performance" title={texts.performance} end={<span class="faint">{texts.days}</span>}>
      {performance === undefined
        ? <Failed view={view} title={texts.failed} />
        : performance.counts.requests === 0
        ? <NoData text={texts.noCalls} />
        : (
          <SmallCharts
            id="measured"
            steps={daySteps(performance.steps.map(({ atMs }) => atMs), {
              locale: view.locale,
              formats: view.formats,
              href: logHref({ model }),
              marksMax: 5,
            })}
            charts={modelCharts(performance, { view, isOwnSpend })}
            chosen={lastUsed(performance)}
          />
        )}
    </Panel>
  );
}

/** The last whole day with calls: a day without says nothing. */
function lastUsed({ steps }: ModelPerformance): number | undefined {
  const at = steps.slice(0, -1).findLastIndex(({ counts }) => counts.requests > 0);
  return at < 0 ? undefined : at;
}
