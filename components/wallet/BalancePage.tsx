import type { ComponentChildren } from "preact";
import Notice from "../../islands/Notice.tsx";
import type { AccountView } from "../../lib/console/page/view.ts";
import type { BalanceData } from "../../lib/console/wallet/balance.ts";
import type { Payment } from "../../lib/store/money/mod.ts";
import { A } from "../A.tsx";
import { Form } from "../Form.tsx";
import { Icon } from "../Icon.tsx";
import { Panel } from "../Panel.tsx";
import { TextField } from "../controls.tsx";
import type { IconName } from "../icon_names.ts";
import { ConsolePage } from "../layout/ConsolePage.tsx";
import { AddFunds, type AddFundsForm, PaymentsUnderWay, payPath } from "./AddFunds.tsx";
import { BalancePanel } from "./BalancePanel.tsx";
import { HistoryPanel } from "./HistoryPanel.tsx";

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

/** Redeems a code. */
function RedeemCode(
  { view, entered, fault, primary }: {
    view: AccountView;
    entered?: string;
    fault?: string;
    /** Set if codes are the only way to add funds. */
    primary: boolean;
  },
) {
  const { balance: texts } = view.catalog;
  return (
    <Panel id="redeem" title={texts.redeemTitle}>
      <Form class="body fields" action="/console/topup/redeem" noValidate>
        <TextField
          name="code"
          class="input code"
          label={texts.code}
          hint={texts.codeHint}
          fault={fault}
          required
          maxLength={200}
          autocapitalize="characters"
          spellcheck={false}
          placeholder="XXXXX-XXXXX-XXXXX-XXXXX-XXXXX"
          autofocus={fault !== undefined}
          value={entered}
        />
        <button class={primary ? "button primary" : "button"} type="submit">{texts.redeem}</button>
      </Form>
    </Panel>
  );
}

/** The state of a payment after the return from Stripe. It trusts Stripe's API, not the address. */
function PaymentReturn(
  { view, payment }: { view: AccountView; payment: Payment | "canceled" },
) {
  const { catalog: { payment: texts }, formats } = view;
  if (payment === "canceled") return <Plain icon="circle-slash" text={texts.canceled} />;
  const amount = formats.price(payment.amountNanoUsd);
  switch (payment.status) {
    case "paid":
      return <Notice text={texts.paid(amount)} />;
    case "processing":
      return <Plain icon="circle" text={texts.processingText(amount)} />;
    case "open":
      return (
        <Plain icon="circle" text={texts.openText(amount)}>
          <A class="link" href={payPath(payment.id)}>{texts.continue}</A>
        </Plain>
      );
    case "failed":
    case "expired":
    case "unclaimed":
      return <Plain icon="triangle-alert" text={texts[payment.status](amount)} />;
    default:
      return payment.status satisfies never;
  }
}

function Plain(
  { icon, text, children }: { icon: IconName; text: string; children?: ComponentChildren },
) {
  return (
    <div class="notice plain">
      <Icon name={icon} />
      <p>{text}</p>
      {children}
    </div>
  );
}
