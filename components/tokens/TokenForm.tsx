import type { ComponentChildren } from "preact";
import { faultIn } from "../../lib/admin/fault_text.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import {
  type TokenFaults,
  tokenScopesOf,
  type TokenValues,
} from "../../lib/console/tokens/token_form.ts";
import { A } from "../A.tsx";
import { bindFields, Fault, FormAlert, TextArea, TextField } from "../controls.tsx";
import { untranslated } from "../untranslated.ts";

interface TokenFormProps {
  readonly view: AccountView;
  readonly values: TokenValues;
  readonly faults: TokenFaults;
}

/** The form of a new token. */
export function TokenForm({ view, values, faults }: TokenFormProps) {
  const { tokens: texts, faults: { token: faultTexts } } = view.catalog;
  const { scopes: chosen, ...entered } = values;
  const field = bindFields({ values: entered, faults, texts, faultTexts });
  return (
    <form class="body fields" method="post" action="/console/admin/tokens/new" noValidate>
      {Object.keys(faults).length > 0 && <FormAlert>{texts.problem}</FormAlert>}
      <p class="soft">{texts.addText}</p>
      <TextField {...field("name")} required />
      <Scopes view={view} chosen={chosen} fault={faultIn(faults, "scopes", faultTexts)} />
      <TextField {...field("date")} type="date" />
      <TextArea {...field("addresses")} rows={2} spellcheck={false} />
      <div class="actions">
        <A class="button" href="/console/admin/tokens">{texts.cancel}</A>
        <button class="button primary" type="submit">{texts.submit}</button>
      </div>
    </form>
  );
}

function Scopes(
  { view: { catalog: { tokens: texts }, user: { role } }, chosen, fault }: {
    view: AccountView;
    chosen: readonly string[];
    fault: string | undefined;
  },
) {
  const offered = tokenScopesOf(role);
  return (
    <fieldset class="field">
      <legend class="legend">{texts.scopes}</legend>
      <p class="hint">{texts.scopesHint}</p>
      <div class="choices">
        {offered.includes("*") && <Scope scope="*" chosen={chosen}>{texts.everything}</Scope>}
        {offered.includes("*:read") && (
          <Scope scope="*:read" chosen={chosen}>{texts.readEverything}</Scope>
        )}
      </div>
      <div class="scopes">
        {[...scopesByResource(offered)].map(([resource, scopes]) => (
          <div class="choices" key={resource}>
            <code {...untranslated}>{resource}</code>
            {scopes.map((scope) => (
              <Scope key={scope} scope={scope} chosen={chosen}>
                <code {...untranslated}>{scope.slice(resource.length + 1)}</code>
              </Scope>
            ))}
          </div>
        ))}
      </div>
      {fault && <Fault id="scopes">{fault}</Fault>}
    </fieldset>
  );
}

/** `keys` to `keys:read` and `keys:write`. */
function scopesByResource(scopes: readonly string[]): Map<string, string[]> {
  return Map.groupBy(
    scopes.filter((scope) => !scope.startsWith("*")),
    (scope) => scope.slice(0, scope.indexOf(":")),
  );
}

function Scope(
  { scope, chosen, children }: {
    readonly scope: string;
    readonly chosen: readonly string[];
    readonly children: ComponentChildren;
  },
) {
  return (
    <label>
      <input
        type="checkbox"
        name="scopes"
        value={scope}
        checked={chosen.includes(scope)}
        aria-label={scope.startsWith("*") ? undefined : scope}
      />
      {children}
    </label>
  );
}
