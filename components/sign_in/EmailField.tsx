import type { ComponentProps } from "preact";
import { TextField } from "../controls.tsx";

/** The field for an account's e-mail address. */
export function EmailField(props: Omit<ComponentProps<typeof TextField>, "name">) {
  return <TextField type="email" name="email" autocomplete="username" required {...props} />;
}
