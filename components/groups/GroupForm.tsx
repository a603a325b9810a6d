import {
  type GroupFaults,
  type GroupValues,
  isDefaultGroup,
  unpricedChoices,
  unpricedRule,
} from "../../lib/console/groups/group_form.ts";
import { type AccountView, formatNames } from "../../lib/console/page/view.ts";
import { BoundsFields } from "./BoundsFields.tsx";
import { A } from "../A.tsx";
import { UnpricedWarning } from "../models/UnpricedWarning.tsx";
import { described, Fault, Field, FormAlert } from "../Field.tsx";

interface GroupFormProps {
  readonly view: AccountView;
  readonly values: GroupValues;
  readonly faults: GroupFaults;
  /** Set for a new group. The name of an existing one cannot change. */
  readonly isNew: boolean;
}

/** The form of a group's settings. */
export function GroupForm(props: GroupFormProps) {
  const { view: { catalog: { groups: texts } }, values, faults, isNew } = props;
  const models = { id: "models", hint: texts.modelsHint, fault: faults.models };
  const action = isNew ? "/console/admin/groups/new" : `/console/admin/groups/${values.id}`;
  return (
    <form class="body fields" method="post" action={action} noValidate>
      {Object.keys(faults).length > 0 && <FormAlert>{texts.problem}</FormAlert>}
      <div class="pair">
        {isNew && <Line {...props} name="id" label={texts.id} hint={texts.idHint} />}
        <Line {...props} name="ratio" label={texts.ratio} hint={texts.ratioHint} />
      </div>
      <Field {...models} label={texts.models}>
        <textarea {...described(models)} class="input" name="models" rows={4} spellcheck={false}>
          {values.models}
        </textarea>
      </Field>
      <Formats {...props} />
      <Unpriced {...props} />
      {isDefaultGroup(values) && <UnpricedWarning view={props.view} />}
      <label class="check">
        <input type="checkbox" name="forMembers" value="true" checked={values.forMembers} />
        <span>{texts.forMembers}</span>
      </label>
      <BoundsFields texts={texts} values={values} faults={faults} />
      <div class="actions start">
        <button class="button primary" type="submit">{isNew ? texts.add : texts.save}</button>
        <A class="button" href="/console/admin/groups">{texts.cancel}</A>
      </div>
    </form>
  );
}

function Unpriced({ view: { catalog: { groups: texts } }, values, isNew }: GroupFormProps) {
  const rule = isNew ? "refused" : unpricedRule({ id: values.id });
  const about = { id: "unpriced", hint: texts.unpricedHint };
  return (
    <Field {...about} label={texts.unpriced}>
      <select {...described(about)} class="input" name="unpriced">
        {unpricedChoices.map((choice) => (
          <option key={choice} value={choice} selected={choice === values.unpriced}>
            {choice === "default"
              ? texts.unpricedDefault(texts.unpricedRule[rule])
              : texts.unpricedRule[choice]}
          </option>
        ))}
      </select>
    </Field>
  );
}

function Formats({ view: { catalog: { groups: texts, units } }, values, faults }: GroupFormProps) {
  return (
    <fieldset class="field">
      <legend class="legend">{texts.formats}</legend>
      <div class="choices">
        {formatNames.map((name) => (
          <label key={name}>
            <input
              type="checkbox"
              name="formats"
              value={name}
              checked={values.formats.includes(name)}
            />
            {units.formats[name]}
          </label>
        ))}
      </div>
      {faults.formats && <Fault id="formats">{faults.formats}</Fault>}
    </fieldset>
  );
}

function Line(
  { values, faults, name, label, hint }: GroupFormProps & {
    name: "id" | "ratio";
    label: string;
    hint: string;
  },
) {
  const about = { id: name, hint, fault: faults[name] };
  return (
    <Field {...about} label={label}>
      <input
        {...described(about)}
        class="input"
        name={name}
        required
        autocomplete="off"
        spellcheck={false}
        value={values[name]}
      />
    </Field>
  );
}
