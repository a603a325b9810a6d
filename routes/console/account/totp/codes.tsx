import { HttpError } from "fresh";
import {
  accountQuestion,
  type QuestionData,
  QuestionPage,
} from "../../../../components/layout/QuestionPage.tsx";
import { renewRecoveryCodes } from "../../../../lib/accounts/mod.ts";
import { showCodes } from "../../../../lib/console/account/account_page.ts";
import { defineForm } from "../../../../lib/console/page/form.ts";
import { ownEntry } from "../../../../lib/console/sign_in/own_entry.ts";
import { getTotp } from "../../../../lib/store/users/mod.ts";

/** Creates new recovery codes; the next page shows them once. */
export const handler = defineForm<QuestionData>({
  async load({ state: { services: { store }, account: { user }, catalog } }) {
    if (!await getTotp(store, user.id)) throw new HttpError(404);
    const { renewTitle: title, renewText: text, renewConfirm: confirm } =
      catalog.security.secondStep;
    return accountQuestion(catalog, { title, text, confirm });
  },

  async submit(ctx) {
    const { services: { store }, account: { user } } = ctx.state;
    const changes = [{ field: "recoveryCodes", after: "renewed" }];
    const audit = ownEntry(ctx, user, { action: "changed", changes });
    const codes = await renewRecoveryCodes(store, user.id, { audit });
    if (codes === undefined) throw new HttpError(404);
    return await showCodes(codes, ctx.state);
  },
});

export default QuestionPage;
