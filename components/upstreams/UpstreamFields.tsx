import type {
  UpstreamFaults,
  UpstreamField,
  UpstreamValues,
} from "../../lib/admin/upstreams/upstream_form.ts";
import {
  cachingOff,
  timeoutFields,
  wireFields,
} from "../../lib/admin/upstreams/upstream_wire_form.ts";
import { formatNames } from "../../lib/canonical/mod.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import { presetNamed, presetNames } from "../../lib/upstreams/presets/mod.ts";
import { Icon } from "../Icon.tsx";
import { bindFields, FormAlert, SelectField, TextArea, TextField } from "../controls.tsx";

interface UpstreamFieldsProps {
  readonly view: AccountView;
  readonly values: UpstreamValues;
  readonly faults: UpstreamFaults;
  /** The note about keys that were entered before. */
  readonly keysKept?: string;
}

export const routingFields: readonly UpstreamField[] = ["models", "groups", "priority", "weight"];
export const connectionFields: readonly UpstreamField[] = [...formatNames, ...wireFields];

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
          label={texts.preset}
          options={[
            ...presetNames.map((name) => [name, presetNamed(name).name] as const),
            ["", texts.ownPreset],
          ]}
        />
        <Line {...props} name="id" label={texts.id} hint={texts.idHint} />
      </div>
      <Line {...props} name="baseUrl" label={texts.baseUrl} hint={texts.baseUrlHint} />
      <Lines
        {...props}
        name="credentials"
        label={texts.credentialsNew}
        hint={keysKept ?? texts.credentialsHint}
      />
      <details class="more" open={hasFault}>
        <summary>
          <Icon name="chevron-right" small />
          {texts.more}
        </summary>
        <div class="fields">
          <Addresses {...props} />
          <RoutingFields {...props} />
          <Wire {...props} />
        </div>
      </details>
    </>
  );
}

/** Addresses, header and timeouts. */
export function ConnectionFields(props: UpstreamFieldsProps) {
  return (
    <>
      <Addresses {...props} />
      <Wire {...props} />
    </>
  );
}

function Addresses(props: UpstreamFieldsProps) {
  const { upstreams: texts, units } = props.view.catalog;
  return (
    <fieldset class="fields">
      <legend class="legend">{texts.endpoints}</legend>
      <p class="hint">{texts.endpointsHint}</p>
      <div class="pair">
        {formatNames.map((name) => (
          <Line key={name} {...props} name={name} label={units.formats[name]} />
        ))}
      </div>
    </fieldset>
  );
}

/** Models, groups and order. */
export function RoutingFields(props: UpstreamFieldsProps) {
  const { upstreams: texts } = props.view.catalog;
  return (
    <>
      <div class="pair">
        <Lines {...props} name="models" label={texts.modelsField} hint={texts.modelsHint} />
        <Lines {...props} name="groups" label={texts.groupsField} hint={texts.groupsHint} />
      </div>
      <div class="pair">
        <Line {...props} name="priority" label={texts.priority} hint={texts.priorityHint} />
        <Line {...props} name="weight" label={texts.weight} hint={texts.weightHint} />
      </div>
    </>
  );
}

/** Header, timeouts, version and caching, which rarely need a change. */
function Wire(props: UpstreamFieldsProps) {
  const { view: { catalog: { upstreamAdmin: texts } }, values, faults } = props;
  return (
    <details class="more" open={wireFields.some((field) => faults[field])}>
      <summary>
        <Icon name="chevron-right" small />
        {texts.authTitle}
      </summary>
      <div class="fields">
        <div class="pair">
          <Line {...props} name="authHeader" label={texts.authHeader} hint={texts.authHeaderHint} />
          <Line {...props} name="authPrefix" label={texts.authPrefix} hint={texts.authPrefixHint} />
        </div>
        <div class="quarters">
          {timeoutFields.map((name) => (
            <Line key={name} {...props} name={name} label={texts.timeouts[name]} />
          ))}
          <Line
            {...props}
            name="messagesVersion"
            label={texts.messagesVersion}
            hint={texts.messagesVersionHint}
          />
          <SelectField
            name="automaticCaching"
            label={texts.caching}
            hint={texts.cachingHint}
            value={values.automaticCaching}
            options={[["", texts.cachingChoices.on], [cachingOff, texts.cachingChoices.off]]}
          />
        </div>
      </div>
    </details>
  );
}

interface OneField {
  readonly name: UpstreamField;
  readonly label: string;
  readonly hint?: string;
}

function Line(props: UpstreamFieldsProps & OneField) {
  const { name, label, hint } = props;
  return (
    <TextField
      {...bind(props)(name)}
      {...{ label, hint }}
      spellcheck={false}
    />
  );
}

function Lines(props: UpstreamFieldsProps & OneField) {
  const { name, label, hint } = props;
  const field = { ...bind(props)(name), label, hint };
  return <TextArea {...field} rows={3} autocomplete="off" spellcheck={false} />;
}

function bind({ view, values, faults }: UpstreamFieldsProps) {
  return bindFields(values, faults, view.catalog.faults.upstream);
}
