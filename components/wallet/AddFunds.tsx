import type { AccountView } from "../../lib/console/page/view.ts";
import { type AmountBounds, amountChoices } from "../../lib/console/wallet/balance.ts";
import type { Payment } from "../../lib/store/money/mod.ts";
import { A } from "../A.tsx";
import { Form } from "../Form.tsx";
import { Panel } from "../Panel.tsx";
import { FormAlert, TextField } from "../controls.tsx";
import { Contact } from "../layout/BarePage.tsx";
import { Time } from "../values.tsx";

/** The values of a rejected form, with its errors. */
export interface AddFundsForm {
  /** One of the choices, or `other`. */
  readonly amount?: string;
  readonly other?: string;
  /** The error of the custom amount. */
  readonly fault?: string;
  /** The reason why no payment could start, whatever the amount. */
  readonly problem?: string;
}

/** Selects an amount and starts its payment. Without payments, explains the alternatives. */
export function AddFunds(
  { view, bounds, form = {} }: {
    view: AccountView;
    bounds: AmountBounds | undefined;
    form?: AddFundsForm;
  },
) {
  const { balance: texts } = view.catalog;
  return (
    <Panel id="add-funds" title={texts.addFunds}>
      {bounds === undefined
        ? (
          <div class="body fields">
            <p class="soft">{texts.notSetUp}</p>
            <Contact view={view} />
          </div>
        )
        : (
          <Form class="body fields" action="/console/topup/pay" noValidate>
            {form.problem && <FormAlert>{form.problem}</FormAlert>}
            <Amount view={view} bounds={bounds} form={form} />
            <button class="button primary" type="submit">{texts.pay}</button>
            <p class="hint">{texts.paySafe}</p>
          </Form>
        )}
    </Panel>
  );
}

function Amount(
  { view, bounds, form: { amount, other: entered, fault } }: {
    view: AccountView;
    bounds: AmountBounds;
    form: AddFundsForm;
  },
) {
  const { catalog: { balance: texts }, formats } = view;
  const choices = amountChoices(bounds).map((nanoUsd) => ({
    value: String(nanoUsd / 1_000_000_000n),
    label: formats.price(nanoUsd),
  }));
  const chosen = fault ? "other" : amount ?? choices[0]?.value ?? "other";
  return (
    <fieldset class="amounts fields">
      <div class="field">
        <legend class="legend">{texts.amount}</legend>
        <div class="choices">
          {choices.map(({ value, label }) => (
            <label>
              <input type="radio" name="amount" value={value} checked={value === chosen} />
              {label}
            </label>
          ))}
          <label>
            <input type="radio" name="amount" value="other" checked={chosen === "other"} />
            {texts.otherAmount}
          </label>
        </div>
      </div>
      <div class="other">
        <TextField
          id="other-amount"
          name="other"
          label={texts.otherLabel}
          hint={texts.otherHint(formats.price(bounds.min), formats.price(bounds.max))}
          fault={fault}
          inputMode="decimal"
          maxLength={20}
          autofocus={fault !== undefined}
          value={entered}
        />
      </div>
    </fieldset>
  );
}

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
