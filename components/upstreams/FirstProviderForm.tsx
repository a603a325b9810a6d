import type { FirstProvider } from "../../lib/console/upstreams/first_provider.ts";
import { type AccountView, presetNamed, presetNames } from "../../lib/console/page/view.ts";
import { A } from "../A.tsx";
import { described, Fault, Field, FormAlert } from "../Field.tsx";
import { Icon } from "../Icon.tsx";
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
  const hint = kept.count > 0 ? upstreamAdmin.keysKept(kept.count) : welcome.providerKeyHint;
  const key = { id: "key", hint, fault: faults.key };
  const address = { id: "baseUrl", hint: welcome.baseUrlHint, fault: faults.baseUrl };
  return (
    <form class="body fields" method="post" action="/console/welcome" noValidate>
      {problem && <FormAlert>{problem}</FormAlert>}
      <p class="soft">{welcome.providerText}</p>
      <Providers view={view} data={data} />
      <input type="hidden" name="kept" value={kept.sealed} />
      <Field {...key} label={welcome.providerKey}>
        <input
          {...described(key)}
          class="input"
          type="password"
          name="key"
          autocomplete="off"
          spellcheck={false}
        />
      </Field>
      <details class="more" open={baseUrl !== "" || faults.baseUrl !== undefined}>
        <summary>
          <Icon name="chevron-right" small />
          {welcome.otherAddress}
        </summary>
        <Field {...address} label={welcome.baseUrl}>
          <input
            {...described(address)}
            class="input"
            type="url"
            name="baseUrl"
            autocomplete="off"
            value={baseUrl}
          />
        </Field>
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
