import type { AccountView } from "../../lib/console/page/view.ts";
import { described, Field } from "../Field.tsx";
import { Panel } from "../Panel.tsx";

/** Redeems a code. */
export function RedeemCode(
  { view, entered, fault, primary }: {
    view: AccountView;
    entered?: string;
    fault?: string;
    /** Set if codes are the only way to add funds. */
    primary: boolean;
  },
) {
  const { balance: texts } = view.catalog;
  const code = { id: "code", hint: texts.codeHint, fault };
  return (
    <Panel id="redeem" title={texts.redeemTitle}>
      <form class="body fields" method="post" action="/console/topup/redeem" noValidate>
        <Field {...code} label={texts.code}>
          <input
            {...described(code)}
            class="input code"
            name="code"
            required
            maxLength={200}
            autocomplete="off"
            autocapitalize="characters"
            spellcheck={false}
            placeholder="XXXXX-XXXXX-XXXXX-XXXXX-XXXXX"
            autofocus={fault !== undefined}
            value={entered}
          />
        </Field>
        <button class={primary ? "button primary" : "button"} type="submit">{texts.redeem}</button>
      </form>
    </Panel>
  );
}
