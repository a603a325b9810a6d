import { type AccountView, presetNamed, presetNames } from "../../lib/console/page/view.ts";
import type { FirstProvider } from "../../lib/console/upstreams/first_provider.ts";
import { A } from "../A.tsx";
import { described, Fault } from "../Field.tsx";
import { FormAlert } from "../FormAlert.tsx";
import { Icon } from "../Icon.tsx";
import { TextField } from "../controls.tsx";
import { untranslated } from "../untranslated.ts";

interface FirstProviderFormProps {
  readonly view: AccountView;
  readonly data: FirstProvider;
}

/** The form for the first provider and its API key. */
export function FirstProviderForm({ view, data }: FirstProviderFormProps) {
  const { welcome, upstreamAdmin } = view.catalog;
  const { baseUrl, faults, report, kept } = data;
  const problem = report
    ? welcome.notReady
    : Object.keys(faults).length > 0
    ? welcome.refused
    : undefined;
  return (
    <form class="body fields" method="post" action="/console/welcome" noValidate>
      {problem && <FormAlert>{problem}</FormAlert>}
      <p class="soft">{welcome.providerText}</p>
      <Providers view={view} data={data} />
      <input type="hidden" name="kept" value={kept.sealed} />
      <TextField
        type="password"
        name="key"
        label={welcome.providerKey}
        hint={kept.count > 0 ? upstreamAdmin.keysKept(kept.count) : welcome.providerKeyHint}
        fault={faults.key}
        spellcheck={false}
      />
      <details class="more" open={baseUrl !== "" || faults.baseUrl !== undefined}>
        <summary>
          <Icon name="chevron-right" small />
          {welcome.otherAddress}
        </summary>
        <TextField
          type="url"
          name="baseUrl"
          label={welcome.baseUrl}
          hint={welcome.baseUrlHint}
          fault={faults.baseUrl}
          value={baseUrl}
        />
      </details>
      <div class="actions">
        <A class="button" href="/console">{welcome.skip}</A>
        <button class="button primary" type="submit">{welcome.submit}</button>
      </div>
    </form>
  );
}

function Providers(
  { view: { catalog: { welcome } }, data: { preset, faults } }: FirstProviderFormProps,
) {
  return (
    <fieldset class="providers" {...described({ id: "preset", fault: faults.preset })}>
      <legend class="unseen">{welcome.choices}</legend>
      {presetNames.map((id) => {
        const { name, keysUrl } = presetNamed(id);
        return (
          <div class="provider" key={id}>
            <label>
              <input type="radio" name="preset" value={id} checked={id === preset} required />
              <span {...untranslated}>{name}</span>
            </label>
            {keysUrl !== undefined && (
              <a class="link" href={keysUrl} target="_blank" rel="noreferrer">
                {welcome.getKey(name)}
              </a>
            )}
          </div>
        );
      })}
      {faults.preset && <Fault id="preset">{faults.preset}</Fault>}
    </fieldset>
  );
}
