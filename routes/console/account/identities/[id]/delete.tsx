import {
  accountQuestion,
  type QuestionData,
  QuestionPage,
} from "../../../../../components/layout/QuestionPage.tsx";
import { accountDone, isOnlyWayIn } from "../../../../../lib/console/account/account_page.ts";
import { defineForm } from "../../../../../lib/console/page/form.ts";
import { ownIdentity } from "../../../../../lib/console/sign_in/linked_identities.ts";
import { ownEntry } from "../../../../../lib/console/sign_in/own_entry.ts";
import { deleteIdentity } from "../../../../../lib/store/users/mod.ts";

/** Removes a linked identity after confirmation, unless it is the user's only way to sign in. */
export const handler = defineForm<QuestionData>({
  async load({ params, state }) {
    const { sso: texts } = state.catalog.security;
    const { name } = await ownIdentity(params.id, state);
    const [title, confirm] = [texts.removeTitle(name), texts.removeConfirm(name)];
    return accountQuestion(state.catalog, { title, text: texts.removeText, confirm });
  },

  async submit(ctx) {
    const { params, state, state: { services: { store }, account: { user } } } = ctx;
    const { id, name, email } = await ownIdentity(params.id, state);
    if (await isOnlyWayIn(ctx)) return accountDone("identity-only");
    const before = email === undefined ? name : `${name}: ${email}`;
    const changes = [{ field: "identity", before }];
    const audit = ownEntry(ctx, user, { action: "changed", changes });
    await deleteIdentity(store, { id, userId: user.id }, { audit });
    return accountDone("identity-removed");
  },
});

export default QuestionPage;
