import type { AccountView } from "../../lib/console/page/view.ts";
import type { ProjectFaults, ProjectValues } from "../../lib/console/projects/project_form.ts";
import { A } from "../A.tsx";
import { Form } from "../Form.tsx";
import { bindFields, FormAlert, TextArea, TextField } from "../controls.tsx";
import { BoundsFields } from "../groups/BoundsFields.tsx";

interface ProjectFormProps {
  readonly view: AccountView;
  readonly values: ProjectValues;
  readonly faults: ProjectFaults;
  /** Set for a new project. The name of an existing one cannot change. */
  readonly isNew: boolean;
}

/** The form of a project's settings. */
export function ProjectForm({ view, values, faults, isNew }: ProjectFormProps) {
  const { projects: texts, faults: { project: faultTexts } } = view.catalog;
  const field = bindFields({ values, faults, texts, faultTexts });
  const action = `/console/admin/projects/${isNew ? "new" : values.id}`;
  return (
    <Form class="body fields" action={action} noValidate isRecord>
      {Object.keys(faults).length > 0 && <FormAlert>{texts.problem}</FormAlert>}
      {isNew && <TextField {...field("id")} required spellcheck={false} />}
      <TextArea {...field("models")} rows={3} spellcheck={false} />
      <TextArea {...field("administrators")} rows={2} spellcheck={false} />
      <BoundsFields {...{ texts, values, faults, faultTexts }} />
      <div class="actions start">
        <button class="button primary" type="submit">{isNew ? texts.create : texts.save}</button>
        <A class="button" href="/console/admin/projects">{texts.cancel}</A>
      </div>
    </Form>
  );
}
