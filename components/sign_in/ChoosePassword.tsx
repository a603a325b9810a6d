import type { ComponentChildren } from "preact";
import type { View } from "../../lib/console/page/view.ts";
import { BarePage } from "../layout/BarePage.tsx";
import { FormAlert } from "../Field.tsx";
import { PasswordField } from "./PasswordField.tsx";

/** The page on which whoever has a link chooses the password of the account that it is for. */
export function ChoosePassword({ view, texts, label, email, fault, back, children }: {
  view: View;
  texts: {
    readonly title: string;
    readonly intro: (email: string) => string;
    readonly submit: string;
  };
  /** What the field is called. */
  label: string;
  email: string;
  fault?: string;
  /** Where a change of theme or language leads back to. */
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
