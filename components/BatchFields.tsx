import type { BatchField, BatchValues } from "../lib/console/code_batches.ts";
import type { Catalog } from "../lib/console/view.ts";
import { described, Field } from "./Field.tsx";

interface BatchFieldsProps {
  readonly texts: Catalog["codes"];
  readonly values: BatchValues;
  /** In the reader's words. */
  readonly faults: Readonly<Partial<Record<BatchField, string>>>;
}

/** What one may say about new codes. */
export function BatchFields(props: BatchFieldsProps) {
  const { texts, values, faults } = props;
  const name = { id: "name", hint: texts.nameHint, fault: faults.name };
  const expiry = { id: "expiry", hint: texts.expiresHint, fault: faults.expiry };
  return (
    <>
      <Field {...name} label={texts.name}>
        <input
          {...described(name)}
          class="input"
          name="name"
          maxLength={100}
          required
          autocomplete="off"
          value={values.name}
        />
      </Field>
      <div class="pair">
        <Line {...props} name="amount" label={texts.amountField} mode="decimal" />
        <Line {...props} name="count" label={texts.countField} mode="numeric" />
      </div>
      <div class="pair">
        <Line
          {...props}
          name="uses"
          label={texts.usesField}
          hint={texts.usesHint}
          mode="numeric"
        />
        <Field {...expiry} label={texts.expiresField} optional={texts.optional}>
          <input
            {...described(expiry)}
            class="input"
            type="date"
            name="expiry"
            value={values.expiry}
          />
        </Field>
      </div>
    </>
  );
}

function Line(
  { values, faults, name, label, hint, mode }: BatchFieldsProps & {
    name: "amount" | "count" | "uses";
    label: string;
    hint?: string;
    mode: "numeric" | "decimal";
  },
) {
  const about = { id: name, hint, fault: faults[name] };
  return (
    <Field {...about} label={label}>
      <input
        {...described(about)}
        class="input"
        name={name}
        inputMode={mode}
        required
        autocomplete="off"
        value={values[name]}
      />
    </Field>
  );
}
