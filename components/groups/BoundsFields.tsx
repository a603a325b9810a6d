import type { ComponentChildren } from "preact";
import {
  type BoundsField,
  budgetFields,
  limitFields,
  rollingField,
  windowFields,
} from "../../lib/admin/bound_names.ts";
import type { BoundsFaults, BoundsValues } from "../../lib/admin/bounds.ts";
import type { FaultTexts, FormFaults } from "../../lib/admin/fault_text.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import { Form } from "../Form.tsx";
import { Panel } from "../Panel.tsx";
import { bindFields, FormAlert, TextField } from "../controls.tsx";

/** The budgets and limits of an account or a group. */
export function BoundsFields({ texts, values, faults, faultTexts }: {
  texts: Readonly<Record<BoundsField | "budgets" | "limits", string>>;
  values: Readonly<Record<BoundsField, string>>;
  faults: FormFaults<BoundsField, string>;
  faultTexts: FaultTexts;
}) {
  const field = bindFields({ values, faults, texts, faultTexts });
  const sets = [
    [texts.budgets, Object.values(budgetFields), "decimal"],
    [texts.limits, limitFields, "numeric"],
  ] as const;
  return sets.map(([legend, names, inputMode]) => (
    <fieldset
      key={legend}
      class="fields"
      id={legend === texts.budgets ? "budgets" : undefined}
    >
      <legend class="legend">{legend}</legend>
      <div class="quarters">
        {names.map((name) => <TextField key={name} {...field(name)} inputMode={inputMode} />)}
      </div>
      {legend === texts.budgets
        ? <TextField {...field(rollingField)} />
        : windowFields.map((name) => <TextField key={name} {...field(name)} />)}
    </fieldset>
  ));
}

/** A form of budgets and limits alone, which posts to the page's own address. */
export function BoundsPanel({ view, title, text, names, values, faults, submit, children }: {
  view: AccountView;
  title: string;
  text: string;
  /** The headings of the two groups of fields, if they are not a project's. */
  names?: { readonly budgets: string; readonly limits: string };
  values: BoundsValues;
  faults: BoundsFaults;
  /** The label of the button; default: save changes. */
  submit?: string;
  /** Fields before the budgets. */
  children?: ComponentChildren;
}) {
  const { projects: texts, faults: { project: faultTexts } } = view.catalog;
  return (
    <Panel id="bounds" title={title}>
      <Form class="body fields" action={view.path} isRecord noValidate>
        {Object.keys(faults).length > 0 && <FormAlert>{texts.problem}</FormAlert>}
        <p class="soft">{text}</p>
        {children}
        <BoundsFields texts={{ ...texts, ...names }} {...{ values, faults, faultTexts }} />
        <div class="actions start">
          <button class="button primary" type="submit">{submit ?? texts.save}</button>
        </div>
      </Form>
    </Panel>
  );
}
