import { budgetFields, rollingField, windowFields } from "../../lib/admin/bound_names.ts";
import type { Catalog } from "../../lib/console/i18n/mod.ts";
import { More } from "../Panel.tsx";
import { Fault, SelectField, TextArea, TextField } from "../controls.tsx";

/** The texts of the form. Plain data, since they are serialized for the browser. */
export type KeyFormTexts = Catalog["keyForm"];

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
  const part = { texts, values, faults };
  return (
    <div class="fields">
      <TextField {...fieldOf(part, "name")} required maxLength={60} />
      <GroupField {...part} groups={groups} />
      <Expiry {...part} />
      <Advanced {...part} open={open} />
    </div>
  );
}

type PartProps = Required<Omit<KeyFieldsProps, "groups" | "open">>;

/** The choice of a group, if there is any. */
function GroupField({ groups, ...part }: PartProps & Pick<KeyFieldsProps, "groups">) {
  const group = part.values.group || groups[0];
  if (groups.length === 1 && group === groups[0] && !part.faults.group) {
    return <input type="hidden" name="group" value={group} />;
  }
  const options = groups.map((id) => [id, id] as const);
  return <SelectField {...fieldOf(part, "group")} options={options} />;
}

function Expiry(props: PartProps) {
  const { texts, values, faults } = props;
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
        <TextField {...fieldOf(props, "date")} type="date" />
      </div>
    </fieldset>
  );
}

/** The fields before the limits. */
const first = ["name", "group", "expiry", "date"];

function Advanced(props: PartProps & { readonly open: boolean }) {
  const { texts, faults } = props;
  const open = props.open || Object.keys(faults).some((name) => !first.includes(name));
  const { optional } = texts;
  const field = (name: keyof KeyFormTexts) => fieldOf(props, name);
  const line = { optional, inputMode: "text" } as const;
  const whole = { optional, inputMode: "numeric" } as const;
  const lines = { optional, rows: 2, spellcheck: false };
  return (
    <More title={texts.advanced} open={open}>
      <div class="fields">
        <TextArea {...lines} {...field("models")} />
        <TextArea {...lines} {...field("addresses")} />
        <div class="pair">
          <TextField {...whole} {...field("requestsPerMinute")} />
          <TextField {...whole} {...field("tokensPerMinute")} />
        </div>
        <div class="pair">
          <TextField {...whole} {...field("concurrency")} />
        </div>
        {windowFields.map((name) => <TextField key={name} {...line} {...field(name)} />)}
        <fieldset class="fields">
          <legend class="legend">{texts.budgets}</legend>
          <p class="hint">{texts.budgetsHint}</p>
          <div class="quarters">
            {Object.values(budgetFields).map((name) => (
              <TextField key={name} {...field(name)} inputMode="decimal" />
            ))}
          </div>
          <TextField {...line} {...field(rollingField)} />
        </fieldset>
        <TextField {...line} {...field("budgetZone")} />
        <TextField {...line} {...field("alerts")} />
      </div>
    </More>
  );
}

/** The id differs from those of the page behind the dialog. */
function fieldOf({ texts, values, faults }: PartProps, name: keyof KeyFormTexts) {
  const words: Readonly<Record<string, string>> = texts;
  return {
    name,
    id: `key-${name}`,
    label: texts[name],
    hint: words[`${name}Hint`],
    value: values[name],
    fault: faults[name],
  };
}
