import type { ComponentProps } from "preact";
import { passwordLengthMin } from "../../lib/accounts/mod.ts";
import { TextField } from "../controls.tsx";

/** The field for an account's e-mail address. */
export function EmailField(props: Omit<ComponentProps<typeof TextField>, "name">) {
  return <TextField type="email" name="email" autocomplete="username" required {...props} />;
}

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

/** The fields that a form passes on unseen. */
export function HiddenFields({ fields }: { fields: Readonly<Record<string, string>> }) {
  return (
    <>
      {Object.entries(fields).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
    </>
  );
}
