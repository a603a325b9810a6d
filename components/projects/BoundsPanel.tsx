import type { ComponentChildren } from "preact";
import type { BoundsValues } from "../../lib/admin/bounds.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import type { BoundsFaults } from "../../lib/console/users/account_form.ts";
import { Panel } from "../Panel.tsx";
import { FormAlert } from "../controls.tsx";
import { BoundsFields } from "../groups/BoundsFields.tsx";

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
      <form class="body fields" method="post" noValidate>
        {Object.keys(faults).length > 0 && <FormAlert>{texts.problem}</FormAlert>}
        <p class="soft">{text}</p>
        {children}
        <BoundsFields texts={{ ...texts, ...names }} {...{ values, faults, faultTexts }} />
        <div class="actions start">
          <button class="button primary" type="submit">{submit ?? texts.save}</button>
        </div>
      </form>
    </Panel>
  );
}
