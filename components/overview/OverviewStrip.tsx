import { meanTokensPerSecond } from "../../lib/console/models/model_measures.ts";
import type { Spending, SpendPeriod } from "../../lib/console/overview/spending.ts";
import { type AccountView, type Balance, percentile } from "../../lib/console/page/view.ts";
import { A } from "../A.tsx";
import { Dollars } from "../Dollars.tsx";
import { Figure } from "../calls/UsageStrip.tsx";
import { balanceFigure, balanceOutlook } from "../wallet/BalancePanel.tsx";

/** Balance, spending, number of calls and latency of the period. */
export function OverviewStrip(
  { view, balance, weekNanoUsd, unlimited, spending, period }: {
    view: AccountView;
    balance: Balance | undefined;
    weekNanoUsd: bigint;
    unlimited: boolean;
    spending: Spending | undefined;
    period: SpendPeriod;
  },
) {
  const { catalog: { spend, balance: balanceTexts, log }, formats } = view;
  const firstByte = spending?.times.firstByte ?? [];
  const [p50, p95] = [0.5, 0.95].map((share) => percentile(firstByte, share));
  const speed = spending && meanTokensPerSecond(spending.counts, spending.times);
  return (
    <section class="strip" aria-label={spend.summary}>
      <Figure
        name={balanceTexts.title}
        value={balance ? balanceFigure(view, balance, unlimited) : log.none}
      >
        {balance ? balanceOutlook(view, { balance, weekNanoUsd, unlimited }) : balanceTexts.failed}
        {" "}
        <A href="/console/topup">{balanceTexts.addFunds}</A>
      </Figure>
      <Figure
        name={spend.spent(spend.periods[period])}
        value={spending
          ? <Dollars nanoUsd={spending.counts.costNanoUsd} formats={formats} />
          : log.none}
      >
        {spending && changeText(view, spending)}
      </Figure>
      <Figure
        name={spend.requests}
        value={spending ? formats.count(spending.counts.requests) : log.none}
      >
        {spending && <Outcome view={view} spending={spending} />}
      </Figure>
      <Figure name={spend.firstByte} value={p50 === undefined ? log.none : formats.span(p50)}>
        {[
          p95 !== undefined && view.catalog.usage.p95(formats.span(p95)),
          speed !== undefined && spend.speed(formats.count(Math.round(speed))),
        ].filter((part) => part).join(" · ")}
      </Figure>
    </section>
  );
}

function Outcome(
  { view: { catalog: { spend } }, spending }: { view: AccountView; spending: Spending },
) {
  const { counts: { requests, failures }, starts } = spending;
  if (failures === 0) return <>{spend.noFailures}</>;
  const permille = Math.floor(1_000 * (requests - failures) / requests);
  const fields = new URLSearchParams({
    status: "failed",
    from: new Date(starts[0]).toISOString(),
  });
  return (
    <>
      {spend.good(permille / 10)}
      {" · "}
      <A href={`/console/log?${fields}`}>{spend.failures(failures)}</A>
    </>
  );
}

function changeText(
  { catalog: { spend } }: AccountView,
  { period, counts: { costNanoUsd }, beforeNanoUsd }: Spending,
): string {
  const asLong = spend.periods[period];
  if (beforeNanoUsd === 0n) return spend.nothingBefore(asLong);
  const percent = Number((costNanoUsd - beforeNanoUsd) * 100n / beforeNanoUsd);
  return spend.change(percent < 0 ? `−${-percent}` : `+${percent}`, asLong);
}
