import { totalInputTokens, totalOutputTokens } from "../../lib/canonical/mod.ts";
import { callsHref } from "../../lib/console/charts/steps.ts";
import { meanTokensPerSecond } from "../../lib/console/models/model_measures.ts";
import { changeInPercent, type Forecast, successOf } from "../../lib/console/overview/figures.ts";
import { logScope } from "../../lib/console/overview/spend_chart.ts";
import type { SpendQuery } from "../../lib/console/overview/spend_query.ts";
import type { Spending } from "../../lib/console/overview/spending.ts";
import { periodWords } from "../../lib/console/page/period_words.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import type { Balance } from "../../lib/store/money/mod.ts";
import { percentile } from "../../lib/store/usage/mod.ts";
import { A } from "../A.tsx";
import { Sparkline } from "../chart/TinyCharts.tsx";
import { Figure } from "../values.tsx";
import { balanceFigure, balanceOutlook } from "../wallet/BalancePanel.tsx";

interface StripProps {
  readonly view: AccountView;
  readonly query: SpendQuery;
  readonly spending: Spending;
}

/** The figures of everyone's calls: spend, forecast, calls, latency, and who takes part. */
export function EveryoneStrip(
  props: StripProps & {
    /** Absent if reading failed, as are its parts. */
    facts: {
      readonly forecast: Forecast | undefined;
      /** The organization's monthly limit. */
      readonly limitNanoUsd: bigint | undefined;
      readonly users: { readonly used: number; readonly all: number } | undefined;
    } | undefined;
  },
) {
  const { view, facts: { forecast, limitNanoUsd, users } = {} } = props;
  const { catalog: { spend, log }, formats } = view;
  return (
    <section class="strip of-five" aria-label={spend.summary}>
      <SpendFigure {...props} />
      {forecast && <ForecastFigure view={view} forecast={forecast} limitNanoUsd={limitNanoUsd} />}
      <CallsFigure {...props} />
      <LatencyFigure {...props} />
      <Figure name={spend.inUse} value={users ? formats.count(users.used) : log.none}>
        {users && <A href="/console/admin/users">{spend.ofUsers(formats.count(users.all))}</A>}
      </Figure>
    </section>
  );
}

/** The figures of one account's calls, and its balance if it is prepaid. */
export function OwnStrip(
  props: StripProps & {
    /** Absent if reading failed, or if the account is not prepaid. */
    funds: { readonly balance: Balance; readonly weekNanoUsd: bigint } | undefined;
  },
) {
  const { view, spending: { total: { counts } }, funds } = props;
  const { catalog: { spend, balance: texts }, formats } = view;
  const read = counts.cacheReadTokens;
  const [into, out] = [totalInputTokens(counts), totalOutputTokens(counts)];
  return (
    <section class={funds ? "strip of-five" : "strip"} aria-label={spend.summary}>
      {funds && (
        <Figure name={texts.title} value={balanceFigure(view, funds.balance, false)}>
          {balanceOutlook(view, { ...funds, unlimited: false })}{" "}
          <A href="/console/topup">{texts.addFunds}</A>
        </Figure>
      )}
      <SpendFigure {...props} />
      <CallsFigure {...props} />
      <Figure name={spend.measures.tokens} value={formats.short(into + out)}>
        {spend.inAndOut(
          formats.short(into),
          formats.percent(into > 0 ? read / into : 0),
          formats.short(out),
        )}
      </Figure>
      <LatencyFigure {...props} />
    </section>
  );
}

function SpendFigure({ view, query: { span }, spending: { total } }: StripProps) {
  const { catalog: { spend, periods }, formats } = view;
  const { counts, before, points } = total;
  const former = periods.before[span.name];
  const change = changeInPercent(Number(counts.costNanoUsd), Number(before.costNanoUsd));
  return (
    <Figure name={spend.spent(periodWords(span, view))} value={formats.money(counts.costNanoUsd)}>
      {change === undefined ? spend.nothingBefore(former) : spend.change(change, former)}
      <Sparkline
        amounts={points.map(({ costNanoUsd }) =>
          Number(costNanoUsd)
        )}
        color={1}
      />
    </Figure>
  );
}

function ForecastFigure(
  { view, forecast, limitNanoUsd }: {
    view: AccountView;
    forecast: Forecast;
    limitNanoUsd: bigint | undefined;
  },
) {
  const { catalog: { spend }, formats, locale } = view;
  const { monthMs, soFarNanoUsd, expectedNanoUsd } = forecast;
  const month = new Intl.DateTimeFormat(locale, { month: "long", timeZone: "UTC" });
  const soFar = formats.money(soFarNanoUsd);
  return (
    <Figure name={spend.forecast(month.format(monthMs))} value={formats.money(expectedNanoUsd)}>
      {limitNanoUsd === undefined
        ? spend.soFar(soFar)
        : spend.soFarOf(soFar, formats.price(limitNanoUsd))}
    </Figure>
  );
}

function CallsFigure({ view, query, spending: { total, span } }: StripProps) {
  const { catalog: { spend, usage }, formats } = view;
  const { counts, points } = total;
  const success = successOf(counts, formats);
  const failed = callsHref(span, undefined, { ...logScope(query.who), status: "failed" });
  return (
    <Figure name={usage.calls} value={formats.count(counts.requests)}>
      {success !== undefined && spend.good(success)}
      {counts.failures > 0 && (
        <>
          {", "}
          <A href={failed}>{spend.failures(formats.count(counts.failures))}</A>
        </>
      )}
      <Sparkline amounts={points.map(({ requests }) => requests)} color={2} />
    </Figure>
  );
}

function LatencyFigure({ view, query, spending: { times, total } }: StripProps) {
  const { catalog: { spend, usage, log }, formats } = view;
  const [p50, p95] = [0.5, 0.95].map((share) => percentile(times.firstByte, share));
  const speed = query.who === "mine" ? meanTokensPerSecond(total.counts, times) : undefined;
  return (
    <Figure name={spend.firstByte} value={p50 === undefined ? log.none : formats.span(p50)}>
      {[
        p95 !== undefined && usage.p95(formats.span(p95)),
        speed !== undefined && spend.speed(formats.count(Math.round(speed))),
      ].filter((part) => part).join(", ")}
    </Figure>
  );
}
