import type { ComponentChildren } from "preact";
import { countScale, moneyScale, outcomeSeries } from "../../lib/console/charts/chart.ts";
import { fullestBudget, shareOf } from "../../lib/console/bounds/bound_words.ts";
import { callsHref, logHref, periodSteps } from "../../lib/console/charts/steps.ts";
import { periodText } from "../../lib/console/keys/budget_words.ts";
import { costRanks, costSeries, type SteppedUsage } from "../../lib/console/keys/subject_usage.ts";
import { periodWords, zoneText } from "../../lib/console/page/period_words.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import type { EffectiveBounds } from "../../lib/ledger/mod.ts";
import { A } from "../A.tsx";
import { Panel } from "../Panel.tsx";
import { PeriodMenu } from "../PeriodMenu.tsx";
import { Failed } from "../States.tsx";
import { Chart, NoData, NothingInPeriod } from "../chart/Chart.tsx";
import { Dollars, Figure } from "../values.tsx";
import { CacheFigure } from "./CacheUse.tsx";

interface SubjectFiguresProps {
  readonly view: AccountView;
  /** Undefined if it could not be read. */
  readonly usage: SteppedUsage | undefined;
  readonly bounds: EffectiveBounds | undefined;
  /** The filters of the log for the calls; absent if the reader may not see them. */
  readonly log?: Readonly<Record<string, string>>;
  /** Further figures. */
  readonly children: ComponentChildren;
}

/** The spend, limit, calls and cache saving of a key, a user, a group or a project in a period. */
export function SubjectFigures({ view, usage, bounds, log, children }: SubjectFiguresProps) {
  const { catalog: { spend, usage: texts }, formats } = view;
  if (usage === undefined) return <p class="soft across">{spend.failed}</p>;
  const { total: { costNanoUsd, requests }, span } = usage;
  return (
    <section class="strip of-five across" aria-label={spend.summary}>
      <Figure
        name={spend.spent(periodWords(span, view))}
        value={<Dollars nanoUsd={costNanoUsd} formats={formats} />}
      >
        <Today view={view} usage={usage} />
      </Figure>
      <LimitFigure view={view} bounds={bounds} />
      <Figure name={texts.calls} value={formats.count(requests)}>
        <Outcome view={view} usage={usage} log={log} />
      </Figure>
      <CacheFigure view={view} counts={usage.total} />
      {children}
    </section>
  );
}

/** The spend of the current day, which hours do not show. */
function Today(
  { view: { catalog: { keyPage }, formats }, usage: { span, calls } }: {
    view: AccountView;
    usage: SteppedUsage;
  },
) {
  const today = calls.at(-1)?.costNanoUsd ?? 0n;
  return span.step === "day" && span.isRunning ? <>{keyPage.today(formats.money(today))}</> : null;
}

function Outcome(
  { view: { catalog: { spend, usage: texts }, formats }, usage: { total, span }, log }:
    & { usage: SteppedUsage }
    & Pick<SubjectFiguresProps, "view" | "log">,
) {
  const { requests, failures } = total;
  if (failures === 0) return <>{texts.noFailures}</>;
  const href = log && callsHref(span, undefined, { ...log, status: "failed" });
  const failed = texts.failures(formats.count(failures));
  return (
    <>
      {`${spend.good(formats.percent((requests - failures) / requests))}, `}
      {href ? <A href={href}>{failed}</A> : failed}
    </>
  );
}

/** The used share of the fullest budget; without one, the balance. */
function LimitFigure({ view, bounds }: Pick<SubjectFiguresProps, "view" | "bounds">) {
  const { catalog, formats } = view;
  const { bounds: texts, keyPage, keyList } = catalog;
  const fullest = bounds && fullestBudget(bounds, view);
  if (fullest === undefined) {
    const balance = bounds?.limits.find(({ owner }) => owner === "wallet")?.left;
    return balance === undefined
      ? <Figure name={keyPage.limit} value={keyList.noLimit} />
      : <Figure name={texts.what.balance} value={formats.money(balance)}>{texts.prepaid}</Figure>;
  }
  const { owner, id, period, left = 0n } = fullest;
  return (
    <Figure
      name={periodText(keyPage.limitOf, period, catalog)}
      value={keyPage.usedShare(`${Math.floor(shareOf(fullest) * 100)}%`)}
    >
      {formats.list([texts.owner[owner](id), keyPage.left(formats.money(left))])}
    </Figure>
  );
}

interface SubjectCostProps extends Pick<SubjectFiguresProps, "view" | "usage" | "log"> {
  readonly title: string;
  /** The name of a part; absent for a whole without parts. */
  readonly nameOf?: (value: string) => string;
  /** The name of all further parts, or of the whole. */
  readonly others: string;
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
      end={usage && <PeriodMenu view={view} span={usage.span} />}
    >
      {usage === undefined
        ? <Failed view={view} title={spend.failed} />
        : usage.total.requests === 0
        ? <NothingInPeriod view={view} period={usage.span} lastCallMs={lastCallMs} />
        : usage.total.costNanoUsd === 0n
        ? <NoData text={spend.nothing.cost(periodWords(usage.span, view))} />
        : <Drawn {...props} usage={usage} />}
    </Panel>
  );
}

function Drawn({ view, title, usage, nameOf, others, log }: SubjectCostProps & {
  usage: SteppedUsage;
}) {
  const series = costSeries(usage, { nameOf, others });
  return (
    <>
      <Chart
        view={view}
        id="cost-chart"
        label={title}
        steps={subjectSteps(view, usage, log)}
        series={series}
        ranks={series.length > 1 ? costRanks(series) : undefined}
        scale={moneyScale(view.formats)}
        heightPx={170}
      />
      <p class="hint below">{zoneText(usage.span, view)}</p>
    </>
  );
}

/** The hours or days of a chart, each with a link to its calls. */
function subjectSteps(
  { formats, locale }: AccountView,
  { span }: SteppedUsage,
  log: SubjectCostProps["log"],
) {
  return periodSteps(span, { formats, locale, href: log && logHref(log) });
}

/** The calls of a group or a project by outcome, each step with a link. Nothing without calls. */
export function SubjectCalls(
  { view, usage, log }: Pick<SubjectFiguresProps, "view" | "usage" | "log">,
) {
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
