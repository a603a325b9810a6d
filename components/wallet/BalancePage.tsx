import Notice from "../../islands/Notice.tsx";
import type { BalanceData } from "../../lib/console/wallet/balance.ts";
import type { AccountView, Payment } from "../../lib/console/page/view.ts";
import { AddFunds, type AddFundsForm } from "./AddFunds.tsx";
import { BalancePanel } from "./BalancePanel.tsx";
import { ConsolePage } from "../layout/ConsolePage.tsx";
import { HistoryPanel } from "./HistoryPanel.tsx";
import { PaymentReturn } from "./PaymentReturn.tsx";
import { PaymentsUnderWay } from "./PaymentsUnderWay.tsx";
import { RedeemCode } from "./RedeemCode.tsx";

/** What the page shows: what was read, and what became of a form or a payment. */
export interface BalancePageData extends BalanceData {
  /** What a code was worth that was just redeemed, in nano-dollars. */
  readonly redeemedNanoUsd?: bigint;
  readonly returned?: Payment | "canceled";
  readonly redeemForm?: { readonly entered: string; readonly fault: string };
  readonly payForm?: AddFundsForm;
}

/** The wallet: what is there, how to add to it, what came in and went out. */
export function BalancePage(
  { view, data, unlimited }: { view: AccountView; data: BalancePageData; unlimited: boolean },
) {
  const { redeemedNanoUsd, returned, redeemForm, payForm, underWay, bounds } = data;
  const { balance: texts } = view.catalog;
  return (
    <ConsolePage view={view} title={texts.title} place="balance">
      {redeemedNanoUsd !== undefined && (
        <Notice text={texts.codeRedeemed(view.formats.price(redeemedNanoUsd))} />
      )}
      {returned && <PaymentReturn view={view} payment={returned} />}
      <div class="funds">
        <BalancePanel view={view} data={data} unlimited={unlimited} />
        <AddFunds view={view} bounds={bounds} form={payForm} />
        <RedeemCode view={view} {...redeemForm} primary={bounds === undefined} />
      </div>
      {underWay.length > 0 && <PaymentsUnderWay view={view} payments={underWay} />}
      <HistoryPanel view={view} data={data} />
    </ConsolePage>
  );
}
