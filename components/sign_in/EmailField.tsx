import { described, Field } from "../Field.tsx";

/** The address that an account is to be known by. */
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
