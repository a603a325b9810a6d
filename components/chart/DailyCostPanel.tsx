import { moneyScale } from "../../lib/console/charts/scales.ts";
import { daySteps, logHref } from "../../lib/console/charts/steps.ts";
import { costSeries, type DailyCost } from "../../lib/console/keys/spend_series.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import { Panel } from "../Panel.tsx";
import { Failed } from "../States.tsx";
import { Chart } from "./Chart.tsx";
import { NoData } from "./NoData.tsx";

/** The cost of a key or an account by day and by its parts, each day with a link to its calls. */
export function DailyCostPanel(
  { view, title, cost, nameOf, others, log }: {
    view: AccountView;
    title: string;
    /** Undefined if it could not be read. */
    cost: DailyCost | undefined;
    /** The name of a part. */
    nameOf: (value: string) => string;
    /** The name of all further parts. */
    others: string;
    /** The filters of the linked calls. */
    log: Readonly<Record<string, string>>;
  },
) {
  const { catalog: { spend, keys }, formats, locale, path } = view;
  return (
    <Panel id="cost" title={title} beside={<span class="faint">{spend.days(30)}</span>}>
      {cost === undefined
        ? <Failed title={spend.failed} retry={keys.retry} path={path} />
        : cost.series.every(({ amounts }) => amounts.every((amount) => amount === 0))
        ? <NoData text={spend.none(spend.days(30))} />
        : (
          <Chart
            view={view}
            id="cost-chart"
            label={title}
            steps={daySteps(cost.starts, { formats, locale, href: logHref(log) })}
            series={costSeries(cost, nameOf, others)}
            scale={moneyScale(formats)}
            heightPx={170}
          />
        )}
    </Panel>
  );
}
