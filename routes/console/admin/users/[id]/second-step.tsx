import { type QuestionData, QuestionPage } from "../../../../../components/layout/QuestionPage.tsx";
import { resetSecondSteps } from "../../../../../lib/admin/users.ts";
import { seeOther } from "../../../../../lib/console/page/address.ts";
import { defineForm } from "../../../../../lib/console/page/form.ts";
import { userAt } from "../../../../../lib/console/users/user_page.ts";

/** Resets a user's two-step sign-in after confirmation. */
export const handler = defineForm<QuestionData>({
  async load({ params, state }) {
    const { cancel, admin: texts } = state.catalog.security;
    const { id, email } = await userAt(params.id, state);
    return {
      page: email,
      place: "users",
      id: "reset",
      title: texts.resetTitle(email),
      text: texts.resetText,
      back: `/console/admin/users/${id}`,
      cancel,
      confirm: texts.resetConfirm(email),
      isWide: true,
    };
  },

  async submit(ctx) {
    const user = await userAt(ctx.params.id, ctx.state);
    await resetSecondSteps(ctx, user, ctx.state.account.session.digest);
    return seeOther(`/console/admin/users/${user.id}?done=second-step`);
  },
});

export default QuestionPage;
