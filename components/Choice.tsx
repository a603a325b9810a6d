type ChoiceOptions = readonly (readonly [value: string, text: string])[];

/** One select of a filter form. */
export function Choice(
  { name, label, any, value, options }: {
    name: string;
    label: string;
    /** The label of the option for all; absent if a choice is required. */
    any?: string;
    value: string | undefined;
    options: ChoiceOptions;
  },
) {
  return (
    <select class="input" name={name} aria-label={label}>
      {any !== undefined && <option value="">{any}</option>}
      <Options value={value} options={options} />
    </select>
  );
}

/** The options of a select. */
export function Options({ value, options }: { value?: string; options: ChoiceOptions }) {
  return options.map(([one, text]) => (
    <option key={one} value={one} selected={one === value}>{text}</option>
  ));
}
