import type { AccountView } from "../../lib/console/page/view.ts";
import {
  type TokenFaults,
  tokenScopeNames,
  type TokenValues,
} from "../../lib/console/tokens/token_form.ts";
import { A } from "../A.tsx";
import { Fault } from "../Field.tsx";
import { FormAlert } from "../FormAlert.tsx";
import { bindFields, TextArea, TextField } from "../controls.tsx";
import { untranslated } from "../untranslated.ts";

interface TokenFormProps {
  readonly view: AccountView;
  readonly values: TokenValues;
  readonly faults: TokenFaults;
}

/** The form of a new token. */
export function TokenForm({ view, values, faults }: TokenFormProps) {
  const { tokens: texts, keyFault } = view.catalog;
  const words = Object.entries(faults).map(([name, fault]) => [
    name,
    fault === "scopes" ? texts.scopesFault : keyFault[fault],
  ]);
  const sentences: Partial<Record<keyof TokenValues, string>> = Object.fromEntries(words);
  const { scopes: chosen, ...entered } = values;
  const field = bindFields(entered, sentences);
  return (
    <form class="body fields" method="post" action="/console/admin/tokens/new" noValidate>
      {words.length > 0 && <FormAlert>{texts.problem}</FormAlert>}
      <p class="soft">{texts.addText}</p>
      <TextField {...field("name")} label={texts.name} hint={texts.nameHint} required />
      <Scopes view={view} chosen={chosen} fault={sentences.scopes} />
      <TextField {...field("date")} type="date" label={texts.date} hint={texts.dateHint} />
      <TextArea
        {...field("addresses")}
        label={texts.addresses}
        hint={texts.addressesHint}
        rows={2}
        spellcheck={false}
      />
      <div class="actions">
        <A class="button" href="/console/admin/tokens">{texts.cancel}</A>
        <button class="button primary" type="submit">{texts.submit}</button>
      </div>
    </form>
  );
}

function Scopes(
  { view: { catalog: { tokens: texts } }, chosen, fault }: {
    view: AccountView;
    chosen: readonly string[];
    fault: string | undefined;
  },
) {
  return (
    <fieldset class="field">
      <legend class="legend">{texts.scopes}</legend>
      <p class="hint">{texts.scopesHint}</p>
      <div class="choices">
        {tokenScopeNames.map((scope) => (
          <label key={scope}>
            <input type="checkbox" name="scopes" value={scope} checked={chosen.includes(scope)} />
            <code {...untranslated}>{scope}</code>
          </label>
        ))}
      </div>
      {fault && <Fault id="scopes">{fault}</Fault>}
    </fieldset>
  );
}
