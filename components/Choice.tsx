export type ChoiceOptions = readonly (readonly [value: string, text: string])[];

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
      {optionsOf(options, value)}
    </select>
  );
}

/** The options of a select. */
export function optionsOf(options: ChoiceOptions, value: string | undefined) {
  return options.map(([one, text]) => (
    <option key={one} value={one} selected={one === value}>{text}</option>
  ));
}
