import { described, Field } from "../Field.tsx";

/** The field for the account's e-mail address. */
export function EmailField({ label, hint, fault, value }: {
  label: string;
  hint?: string;
  fault?: string;
  value?: string;
}) {
  const about = { id: "email", hint, fault };
  return (
    <Field {...about} label={label}>
      <input
        {...described(about)}
        class="input"
        type="email"
        name="email"
        autocomplete="username"
        required
        value={value}
      />
    </Field>
  );
}
