import Notice from "../../islands/Notice.tsx";
import type { AccountView } from "../../lib/console/page/view.ts";
import type { Payment } from "../../lib/store/money/mod.ts";
import type { BalanceData } from "../../lib/console/wallet/balance.ts";
import { ConsolePage } from "../layout/ConsolePage.tsx";
import { AddFunds, type AddFundsForm } from "./AddFunds.tsx";
import { BalancePanel } from "./BalancePanel.tsx";
import { HistoryPanel } from "./HistoryPanel.tsx";
import { PaymentReturn } from "./PaymentReturn.tsx";
import { PaymentsUnderWay } from "./PaymentsUnderWay.tsx";
import { RedeemCode } from "./RedeemCode.tsx";

/** The data of the page, and the result of the last form or payment. */
export interface BalancePageData extends BalanceData {
  /** The value of the code just redeemed, in nano-dollars. */
  readonly redeemedNanoUsd?: bigint;
  readonly returned?: Payment | "canceled";
  readonly redeemForm?: { readonly entered: string; readonly fault: string };
  readonly payForm?: AddFundsForm;
}

/** The wallet: balance, ways to add funds, and history. */
export function BalancePage(
  { view, data, unlimited }: { view: AccountView; data: BalancePageData; unlimited: boolean },
) {
  const { redeemedNanoUsd, returned, redeemForm, payForm, underWay, bounds } = data;
  const { balance: texts, menu } = view.catalog;
  return (
    <ConsolePage view={view} title={menu.places.balance} place="balance">
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
