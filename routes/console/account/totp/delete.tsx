import { HttpError } from "fresh";
import {
  accountQuestion,
  type QuestionData,
  QuestionPage,
} from "../../../../components/layout/QuestionPage.tsx";
import { accountDone } from "../../../../lib/console/account/account_page.ts";
import { defineForm } from "../../../../lib/console/page/form.ts";
import { ownEntry } from "../../../../lib/console/sign_in/own_entry.ts";
import { deleteTotp, getTotp } from "../../../../lib/store/users/mod.ts";

/** Turns two-step sign-in off after confirmation. */
export const handler = defineForm<QuestionData>({
  async load({ state: { services: { store }, account: { user }, catalog } }) {
    if (!await getTotp(store, user.id)) throw new HttpError(404);
    const { offTitle: title, offText: text, offConfirm: confirm } = catalog.security.secondStep;
    return accountQuestion(catalog, { title, text, confirm });
  },

  async submit(ctx) {
    const { services: { store }, account: { user } } = ctx.state;
    const changes = [{ field: "secondStep", before: "on", after: "off" }];
    const audit = ownEntry(ctx, user, { action: "changed", changes });
    await deleteTotp(store, user.id, { audit });
    return accountDone("second-step-off");
  },
});

export default QuestionPage;
