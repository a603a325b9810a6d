import { moneyScale } from "../../lib/console/charts/scales.ts";
import { daySteps, hourSteps, logHref } from "../../lib/console/charts/steps.ts";
import { costSeries, type SteppedUsage } from "../../lib/console/keys/subject_usage.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import { Panel } from "../Panel.tsx";
import { PeriodLinks } from "../PeriodLinks.tsx";
import { Failed } from "../States.tsx";
import { Chart } from "../chart/Chart.tsx";
import { NoData, NothingInPeriod } from "../chart/NoData.tsx";

interface SubjectCostProps {
  readonly view: AccountView;
  readonly title: string;
  /** Undefined if it could not be read. */
  readonly usage: SteppedUsage | undefined;
  /** The name of a part; absent for a whole without parts. */
  readonly nameOf?: (value: string) => string;
  /** The name of all further parts, or of the whole. */
  readonly others: string;
  /** The filters of the linked calls; absent if the reader may not see them. */
  readonly log?: Readonly<Record<string, string>>;
  /** Absent if there is none, or if it is unknown. */
  readonly lastCallMs?: number;
}

/** The cost of a key, a user, a group or a project by its parts, in a period of choice. */
export function SubjectCost(props: SubjectCostProps) {
  const { view, title, usage, lastCallMs } = props;
  const { spend } = view.catalog;
  return (
    <Panel
      id="cost"
      title={title}
      end={usage && <PeriodLinks view={view} period={usage.period} />}
    >
      {usage === undefined
        ? <Failed view={view} title={spend.failed} />
        : usage.total.requests === 0
        ? <NothingInPeriod view={view} period={usage.period} lastCallMs={lastCallMs} />
        : usage.total.costNanoUsd === 0n
        ? <NoData text={spend.nothing.cost(spend.periods[usage.period])} />
        : <Drawn {...props} usage={usage} />}
    </Panel>
  );
}

function Drawn({ view, title, usage, nameOf, others, log }: SubjectCostProps & {
  usage: SteppedUsage;
}) {
  return (
    <Chart
      view={view}
      id="cost-chart"
      label={title}
      steps={subjectSteps(view, usage, log)}
      series={costSeries(usage, { nameOf, others })}
      scale={moneyScale(view.formats)}
      heightPx={170}
    />
  );
}

/** The hours or days of a chart, each with a link to its calls. */
export function subjectSteps(
  { formats, locale }: AccountView,
  { span, starts }: SteppedUsage,
  log: SubjectCostProps["log"],
) {
  const stepsOf = span.step === "hour" ? hourSteps : daySteps;
  return stepsOf(starts, { formats, locale, href: log && logHref(log) });
}
