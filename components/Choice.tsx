/** One choice of a filter. */
export function Choice(
  { name, label, any, value, options }: {
    name: string;
    label: string;
    /** What means all; absent where one must be chosen. */
    any?: string;
    value: string | undefined;
    options: readonly (readonly [value: string, text: string])[];
  },
) {
  return (
    <select class="input" name={name} aria-label={label}>
      {any !== undefined && <option value="">{any}</option>}
      {options.map(([one, text]) => (
        <option key={one} value={one} selected={one === value}>{text}</option>
      ))}
    </select>
  );
}
