import { faultIn } from "../../lib/admin/fault_text.ts";
import { stepsPath } from "../../lib/console/overview/first_steps.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import type { FirstProvider } from "../../lib/console/upstreams/first_provider.ts";
import { presetNamed, presetNames } from "../../lib/upstreams/presets/mod.ts";
import { More } from "../Panel.tsx";
import { described, Fault, FormAlert, TextField } from "../controls.tsx";
import { untranslated } from "../untranslated.ts";
import { ConnectionResult } from "./ConnectionResult.tsx";

interface FirstProviderFormProps {
  readonly view: AccountView;
  readonly data: FirstProvider;
}

/** The form for the first provider and its API key, or the built-in model. */
export function FirstProviderStep({ view, data }: FirstProviderFormProps) {
  const { welcome } = view.catalog;
  return (
    <>
      {data.report && <ConnectionResult view={view} report={data.report} />}
      <FirstProviderForm view={view} data={data} />
      <form class="fields instead" method="post" action={stepsPath()}>
        <p class="soft">{welcome.noneText}</p>
        <div>
          <button class="button" type="submit" name="intent" value="built-in">
            {welcome.builtIn}
          </button>
        </div>
      </form>
    </>
  );
}

function FirstProviderForm({ view, data }: FirstProviderFormProps) {
  const { welcome, upstreamAdmin, faults: { upstream: faultTexts } } = view.catalog;
  const { baseUrl, faults, report, kept } = data;
  const problem = report
    ? welcome.notReady
    : Object.keys(faults).length > 0
    ? welcome.refused
    : undefined;
  return (
    <form class="fields" method="post" action={stepsPath()} noValidate>
      {problem && <FormAlert>{problem}</FormAlert>}
      <Providers view={view} data={data} />
      <input type="hidden" name="kept" value={kept.sealed} />
      <TextField
        type="password"
        name="key"
        label={welcome.providerKey}
        hint={kept.count > 0 ? upstreamAdmin.keysKept(kept.count) : welcome.providerKeyHint}
        fault={faultIn(faults, "key", faultTexts)}
        spellcheck={false}
      />
      <More title={welcome.otherAddress} open={baseUrl !== "" || faults.baseUrl !== undefined}>
        <TextField
          type="url"
          name="baseUrl"
          label={welcome.baseUrl}
          hint={welcome.baseUrlHint}
          fault={faultIn(faults, "baseUrl", faultTexts)}
          value={baseUrl}
        />
      </More>
      <div>
        <button class="button primary" type="submit">{welcome.submit}</button>
      </div>
    </form>
  );
}

function Providers(
  { view: { catalog }, data: { preset, faults } }: FirstProviderFormProps,
) {
  const { welcome } = catalog;
  const fault = faultIn(faults, "preset", catalog.faults.upstream);
  return (
    <fieldset class="providers" {...described({ id: "preset", fault })}>
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
      {fault && <Fault id="preset">{fault}</Fault>}
    </fieldset>
  );
}
