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
import {
  type AccountView,
  formatNames,
  presetNamed,
  presetNames,
} from "../../lib/console/page/view.ts";
import { described, Field, FormAlert } from "../Field.tsx";
import { Icon } from "../Icon.tsx";

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
  const { view: { catalog: { upstreams: texts } }, faults, isNew, keysKept } = props;
  if (!isNew) {
    return (
      <>
        {Object.keys(faults).length > 0 && <FormAlert>{texts.problem}</FormAlert>}
        <Further {...props} />
      </>
    );
  }
  const hint = keysKept ?? texts.credentialsHint;
  return (
    <>
      {Object.keys(faults).length > 0 && <FormAlert>{texts.problem}</FormAlert>}
      <Beginning {...props} />
      <Lines {...props} name="credentials" label={texts.credentialsNew} hint={hint} />
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

function Beginning(props: UpstreamFieldsProps) {
  const { view: { catalog: { upstreams: texts } }, values, faults } = props;
  const preset = { id: "preset", fault: faults.preset };
  return (
    <>
      <div class="pair">
        <Field {...preset} label={texts.preset}>
          <select {...described(preset)} class="input" name="preset">
            {presetNames.map((name) => (
              <option key={name} value={name} selected={name === values.preset}>
                {presetNamed(name).name}
              </option>
            ))}
            <option value="" selected={values.preset === ""}>{texts.ownPreset}</option>
          </select>
        </Field>
        <Line {...props} name="id" label={texts.id} hint={texts.idHint} />
      </div>
      <Line {...props} name="baseUrl" label={texts.baseUrl} hint={texts.baseUrlHint} />
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
  const { view: { catalog: { upstreamAdmin: texts } }, faults } = props;
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
          <Caching {...props} />
        </div>
      </div>
    </details>
  );
}

function Caching({ view: { catalog: { upstreamAdmin: texts } }, values }: UpstreamFieldsProps) {
  const about = { id: "automaticCaching", hint: texts.cachingHint };
  const choices = [["", texts.cachingChoices.on], [cachingOff, texts.cachingChoices.off]];
  return (
    <Field {...about} label={texts.caching}>
      <select {...described(about)} class="input" name="automaticCaching">
        {choices.map(([value, label]) => (
          <option key={value} value={value} selected={value === values.automaticCaching}>
            {label}
          </option>
        ))}
      </select>
    </Field>
  );
}

interface OneField {
  readonly name: UpstreamField;
  readonly label: string;
  readonly hint?: string;
}

function Line({ values, faults, name, label, hint }: UpstreamFieldsProps & OneField) {
  const about = { id: name, hint, fault: faults[name] };
  return (
    <Field {...about} label={label}>
      <input
        {...described(about)}
        class="input"
        name={name}
        autocomplete="off"
        spellcheck={false}
        value={values[name]}
      />
    </Field>
  );
}

function Lines({ values, faults, name, label, hint }: UpstreamFieldsProps & OneField) {
  const about = { id: name, hint, fault: faults[name] };
  return (
    <Field {...about} label={label}>
      <textarea
        {...described(about)}
        class="input"
        name={name}
        rows={3}
        autocomplete="off"
        spellcheck={false}
      >
        {values[name]}
      </textarea>
    </Field>
  );
}
