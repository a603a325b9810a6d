import { accountDone } from "../../../lib/console/account/account_page.ts";
import { readForm } from "../../../lib/console/page/form.ts";
import { defineForAccount } from "../../../lib/console/session/state.ts";
import { type MailChoice, updateUser } from "../../../lib/store/users/mod.ts";

/** Saves the mails that the user wants. A box that is not ticked is absent from the form. */
export const handler = defineForAccount.handlers({
  async POST({ req, state: { services: { store }, account: { user } } }) {
    const form = await readForm(req);
    await updateUser(store, user.id, (current) => ({
      ...current,
      mail: choiceOf(form, current.mail),
    }));
    return accountDone("mail-saved");
  },
});

function choiceOf(form: URLSearchParams, { locale }: MailChoice = {}): MailChoice {
  return {
    ...(!form.has("alerts") && { alerts: false as const }),
    ...(!form.has("report") && { report: false as const }),
    ...(locale !== undefined && { locale }),
  };
}
