import { outcomeSeries } from "../../lib/console/charts/outcomes.ts";
import { countScale } from "../../lib/console/charts/scales.ts";
import { daySteps, logHref } from "../../lib/console/charts/steps.ts";
import type { GroupUsage } from "../../lib/console/groups/group_page.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import { Chart } from "../chart/Chart.tsx";
import { Panel } from "../Panel.tsx";

/** The calls of a group by day and outcome, each day with a link to them. Nothing without calls. */
export function GroupCalls(
  { view, usage, log }: {
    view: AccountView;
    usage: GroupUsage | undefined;
    /** The filters of the linked calls. */
    log: Readonly<Record<string, string>>;
  },
) {
  const { catalog, formats, locale } = view;
  if (usage === undefined || usage.total.requests === 0) return null;
  const { groupPage, spend } = catalog;
  return (
    <Panel
      id="calls"
      title={groupPage.calls}
      beside={<span class="faint">{spend.days(30)}</span>}
    >
      <Chart
        view={view}
        id="calls-chart"
        label={groupPage.calls}
        steps={daySteps(usage.cost.starts, { formats, locale, href: logHref(log) })}
        series={outcomeSeries(usage.calls, catalog)}
        scale={countScale(formats)}
        heightPx={120}
      />
    </Panel>
  );
}
