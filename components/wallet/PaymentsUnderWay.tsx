import type { AccountView } from "../../lib/console/page/view.ts";
import type { Payment } from "../../lib/store/money/mod.ts";
import { A } from "../A.tsx";
import { Panel } from "../Panel.tsx";
import { Time } from "../values.tsx";

/** Payments that have started and not ended. Unpaid ones have a link to continue. */
export function PaymentsUnderWay(
  { view, payments }: { view: AccountView; payments: readonly Payment[] },
) {
  const { catalog: { payment: texts }, formats } = view;
  return (
    <Panel id="under-way" title={texts.title}>
      <ul class="under-way">
        {payments.map(({ id, status, amountNanoUsd, createdAtMs }) => (
          <li>
            <b>{formats.price(amountNanoUsd)}</b>
            <span>{status === "open" ? texts.open : texts.processing}</span>
            <span class="faint">
              <Time atMs={createdAtMs} formats={formats} />
            </span>
            {status === "open" && (
              <A
                class="link"
                href={payPath(id)}
                aria-label={`${texts.continue}: ${formats.price(amountNanoUsd)}`}
              >
                {texts.continue}
              </A>
            )}
          </li>
        ))}
      </ul>
    </Panel>
  );
}

/** The page that continues to Stripe's payment page. */
export function payPath(paymentId: string): string {
  return `/console/topup/pay?payment=${encodeURIComponent(paymentId)}`;
}
