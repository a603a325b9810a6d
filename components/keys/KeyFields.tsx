import { described, Fault, Field } from "../Field.tsx";
import { Icon } from "../Icon.tsx";

const budgetFields = ["budgetDay", "budgetWeek", "budgetMonth", "budgetTotal"] as const;

/** The texts of the form. Plain data, since they are serialized for the browser. */
export type KeyFormTexts = Readonly<
  Record<
    | "name"
    | "nameHint"
    | "group"
    | "groupHint"
    | "expiry"
    | "never"
    | "in7"
    | "in30"
    | "in90"
    | "onDate"
    | "date"
    | "dateHint"
    | "advanced"
    | "models"
    | "modelsHint"
    | "addresses"
    | "addressesHint"
    | "requestsPerMinute"
    | "tokensPerMinute"
    | "concurrency"
    | "budgets"
    | "budgetsHint"
    | typeof budgetFields[number]
    | "budgetZone"
    | "budgetZoneHint"
    | "alerts"
    | "alertsHint"
    | "optional",
    string
  >
>;

export type KeyFieldValues = Readonly<Record<string, string | undefined>>;

interface KeyFieldsProps {
  readonly texts: KeyFormTexts;
  readonly groups: readonly string[];
  readonly values?: KeyFieldValues;
  /** The error of each field, in the reader's language. */
  readonly faults?: KeyFieldValues;
  /** Shows the limits from the start. */
  readonly open?: boolean;
}

/** The fields of a new key, on its own page and in the dialog. */
export function KeyFields(
  { texts, groups, values = {}, faults = {}, open = false }: KeyFieldsProps,
) {
  const name = { id: "key-name", hint: texts.nameHint, fault: faults.name };
  const group = { id: "key-group", hint: texts.groupHint, fault: faults.group };
  return (
    <div class="fields">
      <Field {...name} label={texts.name}>
        <input
          {...described(name)}
          class="input"
          name="name"
          required
          maxLength={60}
          autocomplete="off"
          value={values.name}
        />
      </Field>
      <Field {...group} label={texts.group}>
        <select {...described(group)} class="input" name="group">
          {groups.map((id) => (
            <option key={id} value={id} selected={id === values.group}>{id}</option>
          ))}
        </select>
      </Field>
      <Expiry texts={texts} values={values} faults={faults} />
      <Advanced texts={texts} values={values} faults={faults} open={open} />
    </div>
  );
}

type PartProps = Required<Omit<KeyFieldsProps, "groups" | "open">>;

function Expiry({ texts, values, faults }: PartProps) {
  const choices = [
    ["never", texts.never],
    ["7", texts.in7],
    ["30", texts.in30],
    ["90", texts.in90],
    ["date", texts.onDate],
  ] as const;
  const date = { id: "key-date", hint: texts.dateHint, fault: faults.date };
  const chosen = values.expiry ?? "never";
  return (
    <fieldset class="expiry fields">
      <div class="field">
        <legend class="legend">{texts.expiry}</legend>
        <div class="choices">
          {choices.map(([value, label]) => (
            <label>
              <input type="radio" name="expiry" value={value} checked={value === chosen} />
              {label}
            </label>
          ))}
        </div>
        {faults.expiry && <Fault id="key-expiry">{faults.expiry}</Fault>}
      </div>
      <div class="date">
        <Field {...date} label={texts.date}>
          <input {...described(date)} class="input" type="date" name="date" value={values.date} />
        </Field>
      </div>
    </fieldset>
  );
}

const advanced = [
  "models",
  "addresses",
  "requestsPerMinute",
  "tokensPerMinute",
  "concurrency",
  ...budgetFields,
  "budgetZone",
  "alerts",
] as const;

function Advanced(props: PartProps & { readonly open: boolean }) {
  const { texts, faults } = props;
  const open = props.open || advanced.some((field) => faults[field]);
  return (
    <details class="more" open={open}>
      <summary>
        <Icon name="chevron-right" small />
        {texts.advanced}
      </summary>
      <div class="fields">
        <Lines {...props} field="models" hint={texts.modelsHint} />
        <Lines {...props} field="addresses" hint={texts.addressesHint} />
        <div class="pair">
          <Line {...props} field="requestsPerMinute" mode="numeric" />
          <Line {...props} field="tokensPerMinute" mode="numeric" />
        </div>
        <div class="pair">
          <Line {...props} field="concurrency" mode="numeric" />
        </div>
        <fieldset class="fields">
          <legend class="legend">{texts.budgets}</legend>
          <p class="hint">{texts.budgetsHint}</p>
          <div class="quarters">
            {budgetFields.map((field) => (
              <Line key={field} {...props} field={field} mode="decimal" bare />
            ))}
          </div>
        </fieldset>
        <Line {...props} field="budgetZone" mode="text" hint={texts.budgetZoneHint} />
        <Line {...props} field="alerts" mode="text" hint={texts.alertsHint} />
      </div>
    </details>
  );
}

function Lines(
  { texts, values, faults, field, hint }: PartProps & {
    field: "models" | "addresses";
    hint: string;
  },
) {
  const about = { id: `key-${field}`, hint, fault: faults[field] };
  return (
    <Field {...about} label={texts[field]} optional={texts.optional}>
      <textarea
        {...described(about)}
        class="input"
        name={field}
        rows={2}
        spellcheck={false}
        value={values[field]}
      />
    </Field>
  );
}

function Line(
  { texts, values, faults, field, mode, hint, bare = false }: PartProps & {
    field: Exclude<typeof advanced[number], "models" | "addresses">;
    mode: "numeric" | "decimal" | "text";
    hint?: string;
    /** Leaves out the hint that the field is optional. */
    bare?: boolean;
  },
) {
  const about = { id: `key-${field}`, hint, fault: faults[field] };
  return (
    <Field {...about} label={texts[field]} optional={bare ? undefined : texts.optional}>
      <input
        {...described(about)}
        class="input"
        name={field}
        inputMode={mode}
        autocomplete="off"
        value={values[field]}
      />
    </Field>
  );
}
