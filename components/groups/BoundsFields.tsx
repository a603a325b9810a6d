import { described, Field } from "../Field.tsx";

const budgets = ["budgetDay", "budgetWeek", "budgetMonth", "budgetTotal"] as const;
const limits = ["requestsPerMinute", "tokensPerMinute", "concurrency"] as const;

type Name = typeof budgets[number] | typeof limits[number];

interface BoundsFieldsProps {
  readonly texts: Readonly<Record<Name | "budgets" | "limits", string>>;
  readonly values: Readonly<Record<Name, string>>;
  /** In the reader's language. */
  readonly faults: Readonly<Partial<Record<Name, string>>>;
}

/** The budgets and limits of an account or a group. */
export function BoundsFields(props: BoundsFieldsProps) {
  return (
    <>
      <fieldset class="fields">
        <legend class="legend">{props.texts.budgets}</legend>
        <div class="quarters">
          {budgets.map((name) => <Line key={name} {...props} name={name} mode="decimal" />)}
        </div>
      </fieldset>
      <fieldset class="fields">
        <legend class="legend">{props.texts.limits}</legend>
        <div class="quarters">
          {limits.map((name) => <Line key={name} {...props} name={name} mode="numeric" />)}
        </div>
      </fieldset>
    </>
  );
}

function Line(
  { texts, values, faults, name, mode }: BoundsFieldsProps & {
    name: Name;
    mode: "numeric" | "decimal";
  },
) {
  const about = { id: name, fault: faults[name] };
  return (
    <Field {...about} label={texts[name]}>
      <input
        {...described(about)}
        class="input"
        name={name}
        inputMode={mode}
        autocomplete="off"
        value={values[name]}
      />
    </Field>
  );
}
