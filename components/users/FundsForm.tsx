import type { AccountView } from "../../lib/console/page/view.ts";
import { type FundsFormData, fundsKinds } from "../../lib/console/users/user_page.ts";
import { FormAlert } from "../FormAlert.tsx";
import { bindFields, SelectField, TextField } from "../controls.tsx";

/** The form that changes the balance of a user. */
export function FundsForm(
  { view, userId, form }: { view: AccountView; userId: string; form: FundsFormData },
) {
  const { users: texts, faults: { user: faultTexts } } = view.catalog;
  const { intent, amount, reason, faults = {} } = form;
  const field = bindFields({ amount, reason }, faults, faultTexts);
  const path = `/console/admin/users/${userId}/funds`;
  return (
    <form class="body fields" method="post" action={path} noValidate>
      {(faults.amount || faults.reason) && <FormAlert>{texts.problem}</FormAlert>}
      <input type="hidden" name="intent" value={intent} />
      <div class="pair">
        <SelectField
          id="funds-kind"
          name="kind"
          label={texts.fundsKind}
          value={form.kind}
          options={fundsKinds.map((one) => [one, texts[one]])}
        />
        <TextField {...field("amount")} label={texts.amount} inputMode="decimal" required />
      </div>
      <TextField
        {...field("reason")}
        label={texts.reason}
        hint={texts.reasonHint}
        maxLength={500}
        required
      />
      <div class="actions start">
        <button class="button" type="submit">{texts.change}</button>
      </div>
    </form>
  );
}
