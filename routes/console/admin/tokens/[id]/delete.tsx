import { type QuestionData, QuestionPage } from "../../../../../components/layout/QuestionPage.tsx";
import { revokeToken } from "../../../../../lib/admin/tokens.ts";
import { seeOther } from "../../../../../lib/console/page/address.ts";
import { defineForm } from "../../../../../lib/console/page/form.ts";
import { recordAt } from "../../../../../lib/console/page/reading.ts";
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

/** The token in the address. */
const tokenAt = recordAt(getAdminToken);

export default QuestionPage;
