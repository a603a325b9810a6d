import type { ComponentChildren } from "preact";
import { totalInputTokens, totalOutputTokens } from "../../lib/canonical/mod.ts";
import { lastWholeBar, type LogBar } from "../../lib/console/calls/log_bars.ts";
import { type LogSearch, logSearchPath, without } from "../../lib/console/calls/log_search.ts";
import type { UsageSummary } from "../../lib/console/calls/usage_summary.ts";
import { type ChartStep, countScale, outcomeSeries } from "../../lib/console/charts/chart.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import { marginOf } from "../../lib/store/usage/mod.ts";
import { A } from "../A.tsx";
import { Chart } from "../chart/Chart.tsx";
import { Dollars } from "../values.tsx";

interface LogTotalsProps {
  readonly view: AccountView;
  readonly summary: UsageSummary;
  /** Links to the failed calls. */
  readonly failedHref: string;
}

/** The totals of all calls of a filter, in one line. */
export function LogTotals(props: LogTotalsProps) {
  const { view: { catalog: { usage, log, logPage, spend }, formats, may }, summary } = props;
  const { counts, total } = summary;
  const uncovered = counts.uncoveredNanoUsd > 0n;
  return (
    <dl class="totals" aria-label={usage.summary}>
      <Total name={usage.calls}>{countText(total, props)}</Total>
      <Failures {...props} />
      <Total
        name={usage.cost}
        more={uncovered && usage.uncovered(formats.money(counts.uncoveredNanoUsd))}
      >
        <Dollars nanoUsd={counts.costNanoUsd} formats={formats} />
      </Total>
      {may("calls:read") && (
        <Total name={spend.measures.margin}>{formats.money(marginOf(counts).marginNanoUsd)}</Total>
      )}
      <Total name={usage.tokens}>
        {formats.short(totalInputTokens(counts))} <span>{logPage.tokensIn}</span>{" "}
        {formats.short(totalOutputTokens(counts))} <span>{logPage.tokensOut}</span>
      </Total>
      <Span
        {...props}
        name={logPage.firstByte}
        ms={summary.firstByteP50Ms}
        p95={summary.firstByteP95Ms}
      />
      <Span {...props} name={log.duration} ms={summary.p50Ms} p95={summary.p95Ms} />
    </dl>
  );
}

function Failures(props: LogTotalsProps) {
  const { view: { catalog: { logPage }, formats }, summary: { failed, total }, failedHref } = props;
  if (!failed) return null;
  const text = countText(failed, props);
  const isShare = total.count > 0 && !total.more && !failed.more;
  return (
    <Total name={logPage.failed} more={isShare && formats.percent(failed.count / total.count)}>
      {failed.count > 0 ? <A href={failedHref}>{text}</A> : text}
    </Total>
  );
}

/** A median and the 95th percentile, where the list has room. */
function Span(
  { view: { catalog: { usage }, formats }, name, ms, p95 }: LogTotalsProps & {
    readonly name: string;
    readonly ms: number | undefined;
    readonly p95: number | undefined;
  },
) {
  if (ms === undefined) return null;
  return (
    <Total name={name} wide more={p95 !== undefined && usage.p95(formats.span(p95))}>
      {formats.span(ms)}
    </Total>
  );
}

function Total(
  { name, more, wide, children }: {
    name: string;
    /** After the number, in quiet words. */
    more?: string | false;
    wide?: boolean;
    children: ComponentChildren;
  },
) {
  return (
    <div class={wide ? "wide" : undefined}>
      <dt>{name}</dt>
      <dd>
        {children}
        {more && (
          <>
            {" "}
            <span>{more}</span>
          </>
        )}
      </dd>
    </div>
  );
}

function countText(
  { count, more }: UsageSummary["total"],
  { view: { formats } }: LogTotalsProps,
): string {
  return `${formats.count(count)}${more ? "+" : ""}`;
}

interface LogBarsProps {
  readonly view: AccountView;
  readonly search: LogSearch;
  readonly bars: readonly LogBar[];
  /** The most times below them. */
  readonly marks?: number;
}

/** Shorter than any day, also one of 23 hours. */
const nearlyDayMs = 80_000_000;

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
  const name = toMs - fromMs >= nearlyDayMs ? formats.shortDay(fromMs) : formats.hour(fromMs);
  const timeless = without(search, "period");
  return {
    name,
    mark: isMarked ? name : "",
    href: logSearchPath({ ...timeless, filter: { ...timeless.filter, fromMs, toMs } }),
  };
}
