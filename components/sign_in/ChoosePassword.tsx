import type { ComponentChildren } from "preact";
import type { View } from "../../lib/console/page/view.ts";
import type { PasswordLinkData } from "../../lib/console/sign_in/password_form.ts";
import { FormAlert } from "../controls.tsx";
import { BarePage } from "../layout/BarePage.tsx";
import { NothingHere } from "../layout/FailurePage.tsx";
import { PasswordField } from "./fields.tsx";

/** Sets the password of an account from a password link or an invitation. */
export function ChoosePassword({ view, data, texts, label, back, children }: {
  view: View;
  data: PasswordLinkData;
  texts: {
    readonly title: string;
    readonly intro: (email: string) => string;
    readonly submit: string;
    readonly goneTitle: string;
    readonly goneText: string;
  };
  /** The label of the field. */
  label: string;
  /** The address to return to after a change of theme or language. */
  back: string;
  children?: ComponentChildren;
}) {
  const { setup, form } = view.catalog;
  if (data.type === "gone") {
    return <NothingHere view={view} title={texts.goneTitle} text={texts.goneText} back={back} />;
  }
  const { email, fault } = data;
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
