import type {
  UpstreamFaults,
  UpstreamField,
  UpstreamValues,
} from "../../lib/admin/upstreams/upstream_form.ts";
import { cloudFields } from "../../lib/admin/upstreams/upstream_cloud_form.ts";
import {
  cachingOff,
  compactionValue,
  retryOff,
  timeoutFields,
  websocketOn,
  wireFields,
} from "../../lib/admin/upstreams/upstream_wire_form.ts";
import { formatNames } from "../../lib/canonical/mod.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import { presetNamed, presetNames } from "../../lib/upstreams/presets/mod.ts";
import { A } from "../A.tsx";
import { More } from "../Panel.tsx";
import { bindFields, FormAlert, SelectField, TextArea, TextField } from "../controls.tsx";

interface UpstreamFieldsProps {
  readonly view: AccountView;
  readonly values: UpstreamValues;
  readonly faults: UpstreamFaults;
  /** The note about keys that were entered before. */
  readonly keysKept?: string;
}

export const routingFields: readonly UpstreamField[] = [
  "models",
  "groups",
  "priority",
  "weight",
  "costs",
];
export const connectionFields: readonly UpstreamField[] = [
  ...formatNames,
  ...cloudFields,
  ...wireFields,
];

/** Reports that some fields have a fault. */
export function UpstreamFormAlert(
  { view: { catalog: { upstreams } }, faults }: Pick<UpstreamFieldsProps, "view" | "faults">,
) {
  if (Object.keys(faults).length === 0) return null;
  return <FormAlert>{upstreams.problem}</FormAlert>;
}

/** The fields of a new upstream. */
export function NewUpstreamFields(props: UpstreamFieldsProps) {
  const { view: { catalog: { upstreams: texts } }, faults, keysKept } = props;
  const hasFault = [...routingFields, ...connectionFields].some((field) => faults[field]);
  return (
    <>
      <UpstreamFormAlert {...props} />
      <div class="pair">
        <SelectField
          {...bind(props)("preset")}
          options={[
            ...presetNames.map((name) => [name, presetNamed(name).name] as const),
            ["", texts.ownPreset],
          ]}
        />
        <Line {...props} name="id" />
      </div>
      <Line {...props} name="baseUrl" />
      <Lines {...props} name="credentials" hint={keysKept} />
      <More title={texts.more} open={hasFault}>
        <div class="fields">
          <Addresses {...props} />
          <CloudSettings {...props} />
          <RoutingFields {...props} />
          <Wire {...props} />
        </div>
      </More>
    </>
  );
}

/** The buttons of a form that adds an upstream. */
export function NewUpstreamActions(
  { view: { catalog: { upstreams, upstreamAdmin } } }: Pick<UpstreamFieldsProps, "view">,
) {
  return (
    <div class="actions">
      <A class="button" href="/console/admin/upstreams">{upstreams.cancel}</A>
      <button class="button primary" type="submit" name="intent" value="test">
        {upstreamAdmin.testAndSave}
      </button>
      <button class="button" type="submit" name="intent" value="draft">
        {upstreamAdmin.saveDisabled}
      </button>
    </div>
  );
}

/** Addresses, header and timeouts. */
export function ConnectionFields(props: UpstreamFieldsProps) {
  return (
    <>
      <Addresses {...props} />
      <CloudSettings {...props} />
      <Wire {...props} />
    </>
  );
}

/** The cloud that serves an upstream; its surface stays. */
function CloudSettings(props: UpstreamFieldsProps) {
  const { surface } = props.values;
  if (surface === "") return null;
  return (
    <>
      <input type="hidden" name="surface" value={surface} />
      <div class="pair">
        {cloudFields.filter((name) => name !== "surface")
          .map((name) => <Line key={name} {...props} name={name} />)}
      </div>
    </>
  );
}

function Addresses(props: UpstreamFieldsProps) {
  const { upstreams: texts } = props.view.catalog;
  return (
    <fieldset class="fields">
      <legend class="legend">{texts.endpoints}</legend>
      <p class="hint">{texts.endpointsHint}</p>
      <div class="pair">
        {formatNames.map((name) => <Line key={name} {...props} name={name} />)}
      </div>
    </fieldset>
  );
}

/** Models, groups, order and costs. */
export function RoutingFields(props: UpstreamFieldsProps) {
  return (
    <>
      <div class="pair">
        <Lines {...props} name="models" />
        <Lines {...props} name="groups" />
      </div>
      <div class="pair">
        <Line {...props} name="priority" />
        <Line {...props} name="weight" />
      </div>
      <Lines {...props} name="costs" />
    </>
  );
}

/** Header, timeouts, version, caching, WebSocket and compaction, which rarely need a change. */
function Wire(props: UpstreamFieldsProps) {
  const { view: { catalog: { upstreamAdmin: texts } }, faults } = props;
  return (
    <More title={texts.authTitle} open={wireFields.some((field) => faults[field])}>
      <div class="fields">
        <div class="pair">
          <Line {...props} name="authHeader" />
          <Line {...props} name="authPrefix" />
        </div>
        <div class="quarters">
          {timeoutFields.map((name) => <Line key={name} {...props} name={name} />)}
          <Line {...props} name="messagesVersion" />
          <SelectField
            {...bind(props)("automaticCaching")}
            hint={texts.cachingHint}
            options={[["", texts.cachingChoices.on], [cachingOff, texts.cachingChoices.off]]}
          />
          <SelectField
            {...bind(props)("websocket")}
            options={[["", texts.websocketChoices.off], [websocketOn, texts.websocketChoices.on]]}
          />
          <SelectField
            {...bind(props)("retry")}
            options={[["", texts.retryChoices.on], [retryOff, texts.retryChoices.off]]}
          />
          <SelectField
            {...bind(props)("ownCompaction")}
            options={([undefined, true, false] as const).map((own) =>
              [compactionValue(own), texts.compactionChoices[`${own}`]] as const
            )}
          />
        </div>
      </div>
    </More>
  );
}

function Line(props: UpstreamFieldsProps & { readonly name: UpstreamField }) {
  return <TextField {...bind(props)(props.name)} spellcheck={false} />;
}

function Lines(
  { name, hint, ...props }: UpstreamFieldsProps & { name: UpstreamField; hint?: string },
) {
  const field = bind(props)(name);
  const more = { rows: 3, autocomplete: "off", spellcheck: false } as const;
  return <TextArea {...field} hint={hint ?? field.hint} {...more} />;
}

function bind({ view: { catalog }, values, faults }: UpstreamFieldsProps) {
  const { upstreams, upstreamAdmin: { timeouts, ...admin }, units: { formats }, clouds } = catalog;
  const { modelsField: models, groupsField: groups } = upstreams;
  const automaticCaching = admin.caching;
  const named = { models, groups, automaticCaching };
  const texts = { ...clouds.fields, ...admin, ...upstreams, ...formats, ...timeouts, ...named };
  return bindFields({ values, faults, texts, faultTexts: catalog.faults.upstream });
}
