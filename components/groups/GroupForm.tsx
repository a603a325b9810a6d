import { faultIn } from "../../lib/admin/fault_text.ts";
import { unpricedChoices } from "../../lib/admin/groups.ts";
import { formatNames } from "../../lib/canonical/mod.ts";
import {
  type GroupFaults,
  type GroupValues,
  isDefaultGroup,
  unpricedRule,
} from "../../lib/console/groups/group_form.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import { A } from "../A.tsx";
import { Form } from "../Form.tsx";
import { bindFields, Fault, FormAlert, SelectField, TextArea, TextField } from "../controls.tsx";
import { UnpricedWarning } from "../models/UnpricedWarning.tsx";
import { BoundsFields } from "./BoundsFields.tsx";

interface GroupFormProps {
  readonly view: AccountView;
  readonly values: GroupValues;
  readonly faults: GroupFaults;
  /** Set for a new group. The name of an existing one cannot change. */
  readonly isNew: boolean;
}

/** The form of a group's settings. */
export function GroupForm(props: GroupFormProps) {
  const { view: { catalog: { groups: texts, faults: { group: faultTexts } } } } = props;
  const { values, faults, isNew } = props;
  const field = bindFields({ values, faults, texts, faultTexts });
  const line = { required: true, spellcheck: false };
  const action = isNew ? "/console/admin/groups/new" : `/console/admin/groups/${values.id}`;
  return (
    <Form class="body fields" action={action} noValidate isRecord>
      {Object.keys(faults).length > 0 && <FormAlert>{texts.problem}</FormAlert>}
      <div class="pair">
        {isNew && <TextField {...line} {...field("id")} />}
        <TextField {...line} {...field("ratio")} />
      </div>
      <TextArea {...field("models")} rows={4} spellcheck={false} />
      <Formats {...props} />
      <Unpriced {...props} />
      {isDefaultGroup(values) && <UnpricedWarning view={props.view} />}
      <label class="check">
        <input type="checkbox" name="forMembers" value="true" checked={values.forMembers} />
        <span>{texts.forMembers}</span>
      </label>
      <BoundsFields {...{ texts, values, faults, faultTexts }} />
      <div class="actions start">
        <button class="button primary" type="submit">{isNew ? texts.add : texts.save}</button>
        <A class="button" href="/console/admin/groups">{texts.cancel}</A>
      </div>
    </Form>
  );
}

function Unpriced({ view: { catalog: { groups: texts } }, values, isNew }: GroupFormProps) {
  const rule = texts.unpricedRule[isNew ? "refused" : unpricedRule({ id: values.id })];
  return (
    <SelectField
      name="unpriced"
      label={texts.unpriced}
      hint={texts.unpricedHint}
      value={values.unpriced}
      options={unpricedChoices.map((choice) => [
        choice,
        choice === "default" ? texts.unpricedDefault(rule) : texts.unpricedRule[choice],
      ])}
    />
  );
}

function Formats({ view: { catalog }, values, faults }: GroupFormProps) {
  const { groups: texts, units } = catalog;
  const fault = faultIn(faults, "formats", catalog.faults.group);
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
      {fault && <Fault id="formats">{fault}</Fault>}
    </fieldset>
  );
}
