import {
  accountQuestion,
  type QuestionData,
  QuestionPage,
} from "../../../../../components/layout/QuestionPage.tsx";
import { accountDone, ownPasskey } from "../../../../../lib/console/account/account_page.ts";
import { defineForm } from "../../../../../lib/console/page/form.ts";
import { ownEntry } from "../../../../../lib/console/sign_in/own_entry.ts";
import { deletePasskey } from "../../../../../lib/store/users/mod.ts";

/** Removes a passkey after confirmation. */
export const handler = defineForm<QuestionData>({
  async load({ params, state }) {
    const { passkeys: texts } = state.catalog.security;
    const name = (await ownPasskey(params.id, state)).name || texts.unnamed;
    const [title, confirm] = [texts.removeTitle(name), texts.removeConfirm(name)];
    return accountQuestion(state.catalog, { title, text: texts.removeText, confirm });
  },

  async submit(ctx) {
    const { params, state: { services: { store }, account: { user } } } = ctx;
    const passkey = await ownPasskey(params.id, ctx.state);
    const changes = [{ field: "passkey", before: passkey.name }];
    const audit = ownEntry(ctx, user, { action: "changed", changes });
    await deletePasskey(store, passkey, { audit });
    return accountDone("passkey-removed");
  },
});

export default QuestionPage;
