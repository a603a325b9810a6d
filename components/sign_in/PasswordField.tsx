import { setupPasswordLengthMin } from "../../lib/console/sign_in/setup_form.ts";
import { described, Field } from "../Field.tsx";

/** A field for the current or a new password. Pasting is allowed. */
export function PasswordField(
  { label, hint, fault, id = "password", chosen = false }: {
    label: string;
    hint?: string;
    fault?: string;
    /** Also the field's name. */
    id?: string;
    /** Set for a new password. */
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
