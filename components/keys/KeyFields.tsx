import { Fault, fieldsOf, SelectField, TextArea, TextField } from "../Field.tsx";
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
  const field = fieldOf(values, faults);
  return (
    <div class="fields">
      <TextField
        {...field("name")}
        label={texts.name}
        hint={texts.nameHint}
        required
        maxLength={60}
      />
      <SelectField
        {...field("group")}
        label={texts.group}
        hint={texts.groupHint}
        options={groups.map((id) => [id, id])}
      />
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
        <TextField
          {...fieldOf(values, faults)("date")}
          type="date"
          label={texts.date}
          hint={texts.dateHint}
          autocomplete={undefined}
        />
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
  const { texts, values, faults } = props;
  const { optional } = texts;
  const field = fieldOf(values, faults);
  const line = { optional, inputMode: "text" } as const;
  const whole = { optional, inputMode: "numeric" } as const;
  const lines = { optional, rows: 2, spellcheck: false };
  const open = props.open || advanced.some((field) => faults[field]);
  return (
    <details class="more" open={open}>
      <summary>
        <Icon name="chevron-right" small />
        {texts.advanced}
      </summary>
      <div class="fields">
        <TextArea {...lines} {...field("models")} label={texts.models} hint={texts.modelsHint} />
        <TextArea
          {...lines}
          {...field("addresses")}
          label={texts.addresses}
          hint={texts.addressesHint}
        />
        <div class="pair">
          <TextField {...whole} {...field("requestsPerMinute")} label={texts.requestsPerMinute} />
          <TextField {...whole} {...field("tokensPerMinute")} label={texts.tokensPerMinute} />
        </div>
        <div class="pair">
          <TextField {...whole} {...field("concurrency")} label={texts.concurrency} />
        </div>
        <fieldset class="fields">
          <legend class="legend">{texts.budgets}</legend>
          <p class="hint">{texts.budgetsHint}</p>
          <div class="quarters">
            {budgetFields.map((name) => (
              <TextField key={name} {...field(name)} label={texts[name]} inputMode="decimal" />
            ))}
          </div>
        </fieldset>
        <TextField
          {...line}
          {...field("budgetZone")}
          label={texts.budgetZone}
          hint={texts.budgetZoneHint}
        />
        <TextField {...line} {...field("alerts")} label={texts.alerts} hint={texts.alertsHint} />
      </div>
    </details>
  );
}

/** The ids differ from those of the page behind the dialog. */
function fieldOf(values: KeyFieldValues, faults: KeyFieldValues) {
  const field = fieldsOf(values, faults);
  return (name: string) => ({ ...field(name), id: `key-${name}` });
}
