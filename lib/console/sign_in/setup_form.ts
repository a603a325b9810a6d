import { passwordLengthMax, passwordLengthMin, readEmail } from "../../accounts/mod.ts";
import type { Catalog } from "../i18n/mod.ts";

export { passwordLengthMin };

export interface SetupFaults {
  readonly email?: string;
  readonly password?: string;
}

/** The errors of the form in the reader's language; empty for a valid form. */
export function setupFaults(
  { email, password }: { readonly email: string; readonly password: string },
  { setup }: Catalog,
): SetupFaults {
  const missing = passwordLengthMin - [...password].length;
  return {
    ...(readEmail(email) === undefined && { email: setup.emailFault }),
    ...(missing > 0 && { password: setup.passwordShort(missing) }),
    ...(password.length > passwordLengthMax && { password: setup.passwordLong }),
  };
}
