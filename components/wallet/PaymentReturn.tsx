import type { ComponentChildren } from "preact";
import Notice from "../../islands/Notice.tsx";
import type { AccountView } from "../../lib/console/page/view.ts";
import type { Payment } from "../../lib/store/money/mod.ts";
import { A } from "../A.tsx";
import { Icon } from "../Icon.tsx";
import type { IconName } from "../icon_names.ts";
import { payPath } from "./PaymentsUnderWay.tsx";

/** The state of a payment after the return from Stripe. It trusts Stripe's API, not the address. */
export function PaymentReturn(
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
