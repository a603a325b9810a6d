import { described, Field } from "../Field.tsx";

/**
 * The field for a code of the authenticator app, which phones can fill in, or for a recovery code.
 */
export function CodeField(
  { label, hint, fault, recovery = false }: {
    label: string;
    hint?: string;
    fault?: string;
    recovery?: boolean;
  },
) {
  const about = { id: "code", hint, fault };
  return (
    <Field {...about} label={label}>
      <input
        {...described(about)}
        class="input code-input"
        name="code"
        inputMode={recovery ? "text" : "numeric"}
        autocomplete={recovery ? "off" : "one-time-code"}
        autocapitalize="characters"
        spellcheck={false}
        maxLength={60}
        required
      />
    </Field>
  );
}
