import { type Context, HttpError } from "fresh";
import { type QuestionData, QuestionPage } from "../../../../../components/layout/QuestionPage.tsx";
import { revokeToken } from "../../../../../lib/admin/tokens.ts";
import { seeOther } from "../../../../../lib/console/page/address.ts";
import { defineForm } from "../../../../../lib/console/page/form.ts";
import type { AccountState } from "../../../../../lib/console/session/state.ts";
import { type AdminToken, getAdminToken } from "../../../../../lib/store/admin_tokens/mod.ts";

const back = "/console/admin/tokens";

/** Revokes a token after confirmation. */
export const handler = defineForm<QuestionData>({
  async load(ctx) {
    const { tokens: texts } = ctx.state.catalog;
    const { name } = await tokenAt(ctx);
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
    await revokeToken(ctx, await tokenAt(ctx));
    return seeOther(`${back}?done=revoked`);
  },
});

async function tokenAt({ params: { id }, state }: Context<AccountState>): Promise<AdminToken> {
  const token = id.length > 100 ? undefined : await getAdminToken(state.services.store, id);
  if (token === undefined) throw new HttpError(404);
  return token;
}

export default QuestionPage;
