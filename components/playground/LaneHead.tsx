import {
  formatsOfGroup,
  groupsFor,
  type ModelChoice,
  type Offer,
  type PlaygroundFormat,
  possible,
} from "../../lib/playground/mod.ts";
import type { PlaygroundTexts } from "./texts.ts";

interface LaneHeadProps {
  readonly choice: ModelChoice;
  /** The index of the lane. The fields of the first lane belong to the form. */
  readonly at: number;
  readonly offer: Offer;
  readonly texts: PlaygroundTexts;
  readonly disabled: boolean;
  readonly onChoose: (choice: ModelChoice) => void;
}

/** Model, group and format of a lane. */
export function LaneHead({ choice, at, offer, texts, disabled, onChoose }: LaneHeadProps) {
  const groups = groupsFor(choice.model, offer);
  const formats = formatsOfGroup(choice.groupId, offer);
  const change = (changed: Partial<ModelChoice>) =>
    onChoose(possible({ ...choice, ...changed }, offer));
  const form = at === 0 ? { form: "playground" } : {};
  return (
    <>
      <Select
        {...form}
        name="model"
        label={texts.model}
        value={choice.model}
        options={offer.models.map(({ id }) => [id, id])}
        disabled={disabled}
        onChange={(model) => change({ model })}
      />
      {offer.groups.length > 1 && (
        <Select
          {...form}
          name="group"
          label={texts.group}
          value={choice.groupId}
          options={groups.map((id) => [id, id])}
          disabled={disabled}
          onChange={(groupId) => change({ groupId })}
        />
      )}
      <Select
        {...form}
        name="format"
        label={texts.format}
        value={choice.format}
        options={formats.map((name) => [name, offer.formatNames[name]])}
        disabled={disabled}
        // Sound: the options are formats.
        onChange={(format) => change({ format: format as PlaygroundFormat })}
      />
    </>
  );
}

interface SelectProps {
  readonly form?: string;
  readonly name: string;
  readonly label: string;
  readonly value: string;
  readonly options: readonly (readonly [value: string, text: string])[];
  readonly disabled: boolean;
  readonly onChange: (value: string) => void;
}

function Select({ form, name, label, value, options, disabled, onChange }: SelectProps) {
  return (
    <select
      class="input"
      form={form}
      name={name}
      aria-label={label}
      disabled={disabled}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    >
      {options.map(([id, text]) => (
        <option key={id} value={id} selected={id === value}>{text}</option>
      ))}
    </select>
  );
}
