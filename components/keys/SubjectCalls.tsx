import { outcomeSeries } from "../../lib/console/charts/outcomes.ts";
import { countScale } from "../../lib/console/charts/scales.ts";
import type { SteppedUsage } from "../../lib/console/keys/subject_usage.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import { Panel } from "../Panel.tsx";
import { Chart } from "../chart/Chart.tsx";
import { subjectSteps } from "./SubjectCost.tsx";

interface SubjectCallsProps {
  readonly view: AccountView;
  readonly usage: SteppedUsage | undefined;
  /** The filters of the linked calls; absent if the reader may not see them. */
  readonly log?: Readonly<Record<string, string>>;
}

/** The calls of a group or a project by outcome, each step with a link. Nothing without calls. */
export function SubjectCalls({ view, usage, log }: SubjectCallsProps) {
  const { catalog, formats } = view;
  if (usage === undefined || usage.total.requests === 0) return null;
  const { groupPage } = catalog;
  return (
    <Panel id="calls" title={groupPage.calls}>
      <Chart
        view={view}
        id="calls-chart"
        label={groupPage.calls}
        steps={subjectSteps(view, usage, log)}
        series={outcomeSeries(usage.calls, catalog)}
        scale={countScale(formats)}
        heightPx={120}
      />
    </Panel>
  );
}
