import type { BatchField, BatchValues } from "../../lib/console/wallet/code_batches.ts";
import type { Catalog } from "../../lib/console/page/view.ts";
import { described, Field } from "../Field.tsx";

interface BatchFieldsProps {
  readonly texts: Catalog["codes"];
  readonly values: BatchValues;
  /** In the reader's language. */
  readonly faults: Readonly<Partial<Record<BatchField, string>>>;
}

/** The fields of a new batch of codes. */
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
        <Line
          {...props}
          name="perAccount"
          label={texts.perAccountField}
          hint={texts.perAccountHint}
          optional={texts.optional}
          mode="numeric"
        />
      </div>
      <div class="pair">
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
  { values, faults, name, label, hint, optional, mode }: BatchFieldsProps & {
    name: "amount" | "count" | "uses" | "perAccount";
    label: string;
    hint?: string;
    optional?: string;
    mode: "numeric" | "decimal";
  },
) {
  const about = { id: name, hint, fault: faults[name] };
  return (
    <Field {...about} label={label} optional={optional}>
      <input
        {...described(about)}
        class="input"
        name={name}
        inputMode={mode}
        required={optional === undefined}
        autocomplete="off"
        value={values[name]}
      />
    </Field>
  );
}
