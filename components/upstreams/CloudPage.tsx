import { faultIn } from "../../lib/admin/fault_text.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import {
  type CloudUpstream,
  isSecret,
  type SignIn,
  type SignInField,
  signInFields,
  surfaceForms,
} from "../../lib/console/upstreams/cloud_form.ts";
import { type Surface, surfaces } from "../../lib/store/catalog/mod.ts";
import { surfaceTable } from "../../lib/upstreams/surfaces/mod.ts";
import { A } from "../A.tsx";
import { ChoiceLinks } from "../ChoiceLinks.tsx";
import { Panel } from "../Panel.tsx";
import { bindFields, FormAlert, TextArea, TextField } from "../controls.tsx";
import { ConsolePage } from "../layout/ConsolePage.tsx";
import { untranslated } from "../untranslated.ts";
import { ConnectionResult } from "./ConnectionResult.tsx";
import { NewUpstreamActions, UpstreamFormAlert } from "./UpstreamFields.tsx";

interface CloudPageProps {
  readonly view: AccountView;
  readonly data: CloudUpstream;
}

const path = "/console/admin/upstreams/new/cloud";

/** Adds an upstream in a cloud: the surface, the way to sign in, and what both need. */
export function CloudPage({ view, data }: CloudPageProps) {
  const { upstreams, upstreamAdmin, clouds } = view.catalog;
  const { surface, signIn, faults, report, kept, values } = data;
  return (
    <ConsolePage view={view} title={upstreams.title} place="upstreams">
      {report && <ConnectionResult view={view} report={report} />}
      <Panel id="add" title={clouds.add} class="form-panel">
        <div class="body fields">
          <Surfaces view={view} surface={surface} />
          <SignIns view={view} surface={surface} signIn={signIn} />
          <form class="fields" method="post" action={path} noValidate>
            {report
              ? <FormAlert>{upstreamAdmin.notReady}</FormAlert>
              : <UpstreamFormAlert view={view} faults={faults} />}
            <input type="hidden" name="surface" value={surface} />
            <input type="hidden" name="signIn" value={signIn} />
            <input type="hidden" name="kept" value={kept.sealed} />
            <Places view={view} data={data} />
            <Identity view={view} data={data} />
            <TextArea
              name="models"
              label={upstreams.modelsField}
              hint={clouds.models[surface]}
              value={values.models}
              fault={faultIn(faults, "models", view.catalog.faults.upstream)}
              rows={3}
              autocomplete="off"
              spellcheck={false}
            />
            <NewUpstreamActions view={view} />
          </form>
        </div>
      </Panel>
    </ConsolePage>
  );
}

function addressOf(surface: Surface, signIn?: SignIn): string {
  return `${path}?${new URLSearchParams({ surface, ...(signIn && { signIn }) })}`;
}

function Surfaces({ view, surface }: Pick<CloudPageProps, "view"> & { surface: Surface }) {
  return (
    <nav class="choice-links" aria-label={view.catalog.clouds.surface}>
      {surfaces.map((one) => (
        <A key={one} href={addressOf(one)} current={one === surface} {...untranslated}>
          {surfaceTable[one].name}
        </A>
      ))}
    </nav>
  );
}

function SignIns(
  { view: { catalog: { clouds } }, surface, signIn }: Pick<CloudPageProps, "view"> & {
    surface: Surface;
    signIn: SignIn;
  },
) {
  return (
    <ChoiceLinks
      label={clouds.signIn}
      choices={surfaceForms[surface].signIns}
      chosen={signIn}
      hrefOf={(one) => addressOf(surface, one)}
      texts={clouds.signIns}
    />
  );
}

/** The name, and where the cloud serves the models. */
function Places({ view: { catalog }, data: { surface, values, faults } }: CloudPageProps) {
  const { upstreams, clouds, faults: { upstream: faultTexts } } = catalog;
  const texts = { ...upstreams, ...clouds.fields };
  const bind = bindFields({ values, faults, texts: texts as never, faultTexts });
  const example = surfaceTable[surface].baseUrlExample;
  const hostHint = example ? clouds.example(example) : clouds.ownHost;
  return (
    <div class="pair">
      <TextField {...bind("id")} spellcheck={false} />
      {surfaceForms[surface].place.map((name) => (
        <TextField
          key={name}
          {...bind(name)}
          hint={name === "baseUrl" ? hostHint : bind(name).hint}
          spellcheck={false}
        />
      ))}
    </div>
  );
}

/** The fields of the way to sign in. The fault of a credential is shown at its first field. */
function Identity({ view: { catalog }, data }: CloudPageProps) {
  const { clouds, upstreamAdmin, faults: { upstream: faultTexts } } = catalog;
  const { signIn, entered, faults, kept } = data;
  const fields: readonly SignInField[] = signInFields[signIn];
  const fault = faultIn(faults, "credentials", faultTexts);
  const hints: Readonly<Record<string, string | undefined>> = clouds.fields;
  const about = (field: SignInField, at: number) => ({
    name: field,
    label: clouds.fields[field],
    hint: isSecret(field) && kept.count > 0
      ? upstreamAdmin.keysKept(kept.count)
      : hints[`${field}Hint`],
    fault: at === 0 ? fault : undefined,
    spellcheck: false,
  });
  if (fields.length === 0) {
    return <p class={fault ? "fault" : "hint"}>{fault ?? clouds.machine}</p>;
  }
  return (
    <div class="fields">
      {signIn === "aws_web_identity" && <p class="hint">{clouds.machine}</p>}
      {fields.map((field, at) =>
        field === "json"
          ? <TextArea key={field} {...about(field, at)} rows={6} autocomplete="off" />
          : (
            <TextField
              key={field}
              {...about(field, at)}
              type={isSecret(field) ? "password" : "text"}
              value={entered[field] ?? ""}
            />
          )
      )}
    </div>
  );
}
