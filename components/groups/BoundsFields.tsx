import { type BoundsField, budgetFields, limitFields } from "../../lib/admin/bound_names.ts";
import type { FaultTexts, FormFaults } from "../../lib/admin/fault_text.ts";
import { bindFields, TextField } from "../controls.tsx";

const budgets = Object.values(budgetFields);

/** The budgets and limits of an account or a group. */
export function BoundsFields({ texts, values, faults, faultTexts }: {
  texts: Readonly<Record<BoundsField | "budgets" | "limits", string>>;
  values: Readonly<Record<BoundsField, string>>;
  faults: FormFaults<BoundsField, string>;
  faultTexts: FaultTexts;
}) {
  const field = bindFields(values, faults, faultTexts);
  const sets = [[texts.budgets, budgets, "decimal"], [
    texts.limits,
    limitFields,
    "numeric",
  ]] as const;
  return sets.map(([legend, names, inputMode]) => (
    <fieldset key={legend} class="fields">
      <legend class="legend">{legend}</legend>
      <div class="quarters">
        {names.map((name) => (
          <TextField key={name} {...field(name)} label={texts[name]} inputMode={inputMode} />
        ))}
      </div>
    </fieldset>
  ));
}
