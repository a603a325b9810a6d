import type { FaultTexts, FormFaults } from "../../lib/admin/fault_text.ts";
import { bindFields, TextField } from "../controls.tsx";

const budgets = ["budgetDay", "budgetWeek", "budgetMonth", "budgetTotal"] as const;
const limits = ["requestsPerMinute", "tokensPerMinute", "concurrency"] as const;

type Name = typeof budgets[number] | typeof limits[number];

/** The budgets and limits of an account or a group. */
export function BoundsFields({ texts, values, faults, faultTexts }: {
  texts: Readonly<Record<Name | "budgets" | "limits", string>>;
  values: Readonly<Record<Name, string>>;
  faults: FormFaults<Name, string>;
  faultTexts: FaultTexts;
}) {
  const field = bindFields(values, faults, faultTexts);
  const sets = [[texts.budgets, budgets, "decimal"], [texts.limits, limits, "numeric"]] as const;
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
