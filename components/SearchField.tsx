/** The search field of a list. */
export function SearchField({ label, value, name = "q" }: {
  label: string;
  value: string | undefined;
  name?: string;
}) {
  return (
    <input
      class="input"
      type="search"
      name={name}
      aria-label={label}
      placeholder={label}
      autocomplete="off"
      value={value}
    />
  );
}
