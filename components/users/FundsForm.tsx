import { type AccountView, usdText } from "../../lib/console/page/view.ts";
import { type FundsFormData, fundsKinds } from "../../lib/console/users/user_page.ts";
import { described, Field, FormAlert } from "../Field.tsx";
import { Panel } from "../Panel.tsx";

/** The balance of a user, and the form that changes it. */
export function FundsForm(
  { view, userId, form }: { view: AccountView; userId: string; form: FundsFormData },
) {
  const { catalog: { users: texts }, formats } = view;
  const { balanceNanoUsd, intent, kind, faults = {} } = form;
  const amount = { id: "amount", fault: faults.amount };
  const reason = { id: "reason", hint: texts.reasonHint, fault: faults.reason };
  const path = `/console/admin/users/${userId}/funds`;
  return (
    <Panel
      id="funds"
      title={texts.funds}
      end={
        <span>
          {texts.balance} <b title={usdText(balanceNanoUsd)}>{formats.money(balanceNanoUsd)}</b>
        </span>
      }
    >
      <form class="body fields" method="post" action={path} noValidate>
        {(amount.fault || reason.fault) && <FormAlert>{texts.problem}</FormAlert>}
        <input type="hidden" name="intent" value={intent} />
        <div class="pair">
          <Field id="funds-kind" label={texts.fundsKind}>
            <select id="funds-kind" class="input" name="kind">
              {fundsKinds.map((one) => (
                <option key={one} value={one} selected={one === kind}>{texts[one]}</option>
              ))}
            </select>
          </Field>
          <Field {...amount} label={texts.amount}>
            <input
              {...described(amount)}
              class="input"
              name="amount"
              inputMode="decimal"
              autocomplete="off"
              required
              value={form.amount}
            />
          </Field>
        </div>
        <Field {...reason} label={texts.reason}>
          <input
            {...described(reason)}
            class="input"
            name="reason"
            maxLength={500}
            autocomplete="off"
            required
            value={form.reason}
          />
        </Field>
        <div class="actions start">
          <button class="button" type="submit">{texts.change}</button>
        </div>
      </form>
    </Panel>
  );
}
