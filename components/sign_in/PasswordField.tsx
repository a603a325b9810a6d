import { passwordLengthMin } from "../../lib/console/sign_in/setup_form.ts";
import { TextField } from "../controls.tsx";

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
  return (
    <TextField
      type="password"
      name={id}
      {...{ label, hint, fault }}
      autocomplete={chosen ? "new-password" : "current-password"}
      minLength={chosen ? passwordLengthMin : undefined}
      required
    />
  );
}
