import { HttpError } from "fresh";
import { type QuestionData, QuestionPage } from "../../../../../components/layout/QuestionPage.tsx";
import { may } from "../../../../../lib/accounts/mod.ts";
import { revokeToken } from "../../../../../lib/admin/tokens.ts";
import { seeOther } from "../../../../../lib/console/page/address.ts";
import { defineForm } from "../../../../../lib/console/page/form.ts";
import { recordAt } from "../../../../../lib/console/page/reading.ts";
import type { AccountState } from "../../../../../lib/console/session/state.ts";
import { getAdminToken } from "../../../../../lib/store/admin_tokens/mod.ts";

const back = "/console/admin/tokens";

/** Revokes a token after confirmation. */
export const handler = defineForm<QuestionData>({
  async load({ params, state }) {
    const { tokens: texts } = state.catalog;
    const { name } = await tokenAt(params.id, state);
    return {
      page: texts.title,
      place: "tokens",
      id: "revoke-token",
      title: texts.revokeTitle(name),
      text: texts.revokeText,
      back,
      cancel: texts.cancel,
      confirm: texts.revokeConfirm(name),
    };
  },

  async submit(ctx) {
    await revokeToken(ctx, await tokenAt(ctx.params.id, ctx.state));
    return seeOther(`${back}?done=revoked`);
  },
});

const anyTokenAt = recordAt(getAdminToken);

/** The token in the address: the reader's own, or for administrators any. Throws `HttpError` 404. */
async function tokenAt(id: string, state: AccountState) {
  const token = await anyTokenAt(id, state);
  const { user } = state.account;
  if (token.userId !== user.id && !may(user, "tokens:write")) throw new HttpError(404);
  return token;
}

export default QuestionPage;
