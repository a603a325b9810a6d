import type { ComponentChildren } from "preact";
import type { View } from "../../lib/console/page/view.ts";
import { BarePage } from "../layout/BarePage.tsx";
import { FormAlert } from "../Field.tsx";
import { PasswordField } from "./PasswordField.tsx";

/** Sets the password of an account from a password link or an invitation. */
export function ChoosePassword({ view, texts, label, email, fault, back, children }: {
  view: View;
  texts: {
    readonly title: string;
    readonly intro: (email: string) => string;
    readonly submit: string;
  };
  /** The label of the field. */
  label: string;
  email: string;
  fault?: string;
  /** The address to return to after a change of theme or language. */
  back: string;
  children?: ComponentChildren;
}) {
  const { setup, form } = view.catalog;
  return (
    <BarePage view={view} title={texts.title} back={back}>
      <h1>{texts.title}</h1>
      <p class="soft">{texts.intro(email)}</p>
      {fault && <FormAlert>{form.problem}</FormAlert>}
      <form class="fields" method="post" noValidate>
        <input type="hidden" name="username" autocomplete="username" value={email} />
        <PasswordField label={label} hint={setup.passwordHint} fault={fault} chosen />
        <button class="button primary" type="submit">{texts.submit}</button>
      </form>
      {children}
    </BarePage>
  );
}
