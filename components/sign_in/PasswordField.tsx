import { setupPasswordLengthMin } from "../../lib/console/sign_in/setup_form.ts";
import { described, Field } from "../Field.tsx";

/** A password to be entered, or a new one to be chosen. Pasting is welcome. */
export function PasswordField(
  { label, hint, fault, id = "password", chosen = false }: {
    label: string;
    hint?: string;
    fault?: string;
    /** The field's name too. */
    id?: string;
    /** Whether it is a new one. */
    chosen?: boolean;
  },
) {
  const about = { id, hint, fault };
  return (
    <Field {...about} label={label}>
      <input
        {...described(about)}
        class="input"
        type="password"
        name={id}
        autocomplete={chosen ? "new-password" : "current-password"}
        minLength={chosen ? setupPasswordLengthMin : undefined}
        required
      />
    </Field>
  );
}
