/** One choice of a filter, the first of which is none. */
export function Choice(
  { name, label, any, value, options }: {
    name: string;
    label: string;
    any: string;
    value: string | undefined;
    options: readonly (readonly [value: string, text: string])[];
  },
) {
  return (
    <select class="input" name={name} aria-label={label}>
      <option value="">{any}</option>
      {options.map(([one, text]) => (
        <option key={one} value={one} selected={one === value}>{text}</option>
      ))}
    </select>
  );
}
