import { usdText } from "../../lib/canonical/mod.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import { type BalanceData, daysLeft, roundedBalance } from "../../lib/console/wallet/balance.ts";
import type { Balance } from "../../lib/store/money/mod.ts";
import { Panel } from "../Panel.tsx";
import { Failed } from "../States.tsx";
import { Dollars, Fact, Facts } from "../values.tsx";

/** The balance, and how long it will last. */
export function BalancePanel(
  { view, data, unlimited }: { view: AccountView; data: BalanceData; unlimited: boolean },
) {
  const { balance: texts } = view.catalog;
  const { balance } = data;
  return (
    <Panel id="balance" title={texts.title}>
      {balance === undefined ? <Failed view={view} title={texts.failed} /> : (
        <div class="body">
          <p class="figure" title={usdText(balance.balanceNanoUsd)}>
            {balanceFigure(view, balance, unlimited)}
          </p>
          <p class="soft">
            {balanceOutlook(view, { balance, weekNanoUsd: data.weekNanoUsd, unlimited })}
            {!unlimited && endText(view, balance.balanceNanoUsd, data.weekNanoUsd)}
          </p>
          <Parts view={view} data={data} balance={balance} />
        </div>
      )}
    </Panel>
  );
}

function endText(
  { catalog: { balance: texts }, formats, nowMs }: AccountView,
  balanceNanoUsd: bigint,
  weekNanoUsd: bigint,
): string {
  const days = daysLeft(balanceNanoUsd, weekNanoUsd);
  if (days === undefined || days > aYear) return "";
  return ` ${texts.until(formats.day(nowMs + Math.max(1, days) * dayMs))}`;
}

/** The parts of the balance: funds by source, spending, and money reserved for running calls. */
function Parts(
  { view: { catalog: { balance: texts }, formats }, data: { sources, heldNanoUsd }, balance }: {
    view: AccountView;
    data: BalanceData;
    balance: Balance;
  },
) {
  const came = Object.entries(texts.sources).map(([type, name]) =>
    [name, sources?.[type as keyof typeof texts.sources] ?? 0n] as const // its own keys
  );
  const parts = [...came, [texts.held, heldNanoUsd ?? 0n] as const].filter(([, sum]) => sum !== 0n);
  if (parts.length === 0) return null;
  return (
    <>
      <Facts>
        {parts.map(([name, sum]) => (
          <Fact key={name} name={name}>
            <Dollars nanoUsd={sum} formats={formats} />
          </Fact>
        ))}
        <Fact name={texts.spentSoFar}>
          <Dollars nanoUsd={balance.spentNanoUsd} formats={formats} />
        </Fact>
      </Facts>
      <p class="hint">{texts.keeps}</p>
    </>
  );
}

/** The displayed balance: rounded, or "Unlimited". */
export function balanceFigure(
  { catalog: { balance: texts }, formats }: AccountView,
  { balanceNanoUsd }: Balance,
  unlimited: boolean,
): string {
  return unlimited ? texts.noLimit : formats.money(roundedBalance(balanceNanoUsd));
}

/** The forecast in words. */
export function balanceOutlook(
  view: AccountView,
  { balance, weekNanoUsd, unlimited }: {
    readonly balance: Balance;
    readonly weekNanoUsd: bigint;
    readonly unlimited: boolean;
  },
): string {
  return unlimited
    ? view.catalog.balance.noLimitText(view.formats.money(balance.spentNanoUsd))
    : outlook(view, balance.balanceNanoUsd, weekNanoUsd);
}

const [aYear, dayMs] = [365, 86_400_000];

function outlook(
  { catalog: { balance: texts } }: AccountView,
  balanceNanoUsd: bigint,
  weekNanoUsd: bigint,
): string {
  if (balanceNanoUsd < 0n) return texts.overdrawn;
  if (balanceNanoUsd === 0n) return texts.usedUp;
  const days = daysLeft(balanceNanoUsd, weekNanoUsd);
  if (days === undefined) return texts.idle;
  return days > aYear ? texts.lastsLong : texts.lasts(Math.max(1, days));
}
