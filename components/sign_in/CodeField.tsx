import { TextField } from "../controls.tsx";

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
  return (
    <TextField
      name="code"
      class="input code-input"
      {...{ label, hint, fault }}
      inputMode={recovery ? "text" : "numeric"}
      autocomplete={recovery ? "off" : "one-time-code"}
      autocapitalize="characters"
      spellcheck={false}
      maxLength={60}
      required
    />
  );
}
