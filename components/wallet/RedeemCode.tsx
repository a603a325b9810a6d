import type { AccountView } from "../../lib/console/page/view.ts";
import { Panel } from "../Panel.tsx";
import { TextField } from "../controls.tsx";

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
  return (
    <Panel id="redeem" title={texts.redeemTitle}>
      <form class="body fields" method="post" action="/console/topup/redeem" noValidate>
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
      </form>
    </Panel>
  );
}
