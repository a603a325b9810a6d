import { type BalanceData, daysLeft, roundedBalance } from "../lib/console/balance.ts";
import { type AccountView, usdText } from "../lib/console/view.ts";
import { Empty } from "./States.tsx";

/** What is there, and how long it lasts. */
export function BalancePanel(
  { view, data, unlimited }: { view: AccountView; data: BalanceData; unlimited: boolean },
) {
  const { balance: texts } = view.catalog;
  const { balance } = data;
  return (
    <section class="panel" aria-labelledby="balance">
      <header>
        <h2 id="balance">{texts.title}</h2>
      </header>
      {balance === undefined
        ? (
          <Empty icon="triangle-alert" title={texts.failed}>
            <a class="button" href={view.path} aria-current="false">{texts.retry}</a>
          </Empty>
        )
        : (
          <div class="body">
            <p class="figure" title={usdText(balance.balanceNanoUsd)}>
              {unlimited
                ? texts.noLimit
                : view.formats.money(roundedBalance(balance.balanceNanoUsd))}
            </p>
            <p class="soft">
              {unlimited
                ? texts.noLimitText(view.formats.money(balance.spentNanoUsd))
                : outlook(view, balance.balanceNanoUsd, data.weekNanoUsd)}
            </p>
          </div>
        )}
    </section>
  );
}

const aYear = 365;

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
