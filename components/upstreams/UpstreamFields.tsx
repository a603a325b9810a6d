import {
  type AccountView,
  formatNames,
  presetNamed,
  presetNames,
} from "../../lib/console/page/view.ts";
import type {
  UpstreamFaults,
  UpstreamField,
  UpstreamValues,
} from "../../lib/console/upstreams/upstream_form.ts";
import {
  cachingOff,
  timeoutFields,
  wireFields,
} from "../../lib/console/upstreams/upstream_wire_form.ts";
import { FormAlert } from "../FormAlert.tsx";
import { Icon } from "../Icon.tsx";
import { bindFields, SelectField, TextArea, TextField } from "../controls.tsx";

interface UpstreamFieldsProps {
  readonly view: AccountView;
  readonly values: UpstreamValues;
  readonly faults: UpstreamFaults;
  /** Set for a new upstream. Name, preset and keys of an existing one cannot change here. */
  readonly isNew: boolean;
  /** The note about keys that were entered before. */
  readonly keysKept?: string;
}

const furtherFields: readonly UpstreamField[] = [
  ...formatNames,
  "models",
  "groups",
  "priority",
  "weight",
  ...wireFields,
];

/** The fields of an upstream. */
export function UpstreamFields(props: UpstreamFieldsProps) {
  const { view: { catalog: { upstreams: texts } }, faults, isNew } = props;
  return (
    <>
      {Object.keys(faults).length > 0 && <FormAlert>{texts.problem}</FormAlert>}
      {isNew ? <New {...props} /> : <Further {...props} />}
    </>
  );
}

function New(props: UpstreamFieldsProps) {
  const { view: { catalog: { upstreams: texts } }, values, faults, keysKept } = props;
  return (
    <>
      <div class="pair">
        <SelectField
          {...bindFields(values, faults)("preset")}
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
      <details class="more" open={furtherFields.some((field) => faults[field])}>
        <summary>
          <Icon name="chevron-right" small />
          {texts.more}
        </summary>
        <Further {...props} />
      </details>
    </>
  );
}

function Further(props: UpstreamFieldsProps) {
  const { upstreams: texts, units } = props.view.catalog;
  return (
    <div class="fields">
      <fieldset class="fields">
        <legend class="legend">{texts.endpoints}</legend>
        <p class="hint">{texts.endpointsHint}</p>
        <div class="pair">
          {formatNames.map((name) => (
            <Line key={name} {...props} name={name} label={units.formats[name]} />
          ))}
        </div>
      </fieldset>
      <div class="pair">
        <Lines {...props} name="models" label={texts.modelsField} hint={texts.modelsHint} />
        <Lines {...props} name="groups" label={texts.groupsField} hint={texts.groupsHint} />
      </div>
      <div class="pair">
        <Line {...props} name="priority" label={texts.priority} hint={texts.priorityHint} />
        <Line {...props} name="weight" label={texts.weight} hint={texts.weightHint} />
      </div>
      <Wire {...props} />
    </div>
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

function Line({ values, faults, name, label, hint }: UpstreamFieldsProps & OneField) {
  return (
    <TextField
      {...bindFields(values, faults)(name)}
      {...{ label, hint }}
      spellcheck={false}
    />
  );
}

function Lines({ values, faults, name, label, hint }: UpstreamFieldsProps & OneField) {
  const field = { ...bindFields(values, faults)(name), label, hint };
  return <TextArea {...field} rows={3} autocomplete="off" spellcheck={false} />;
}
