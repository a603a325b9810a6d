import { type QuestionData, QuestionPage } from "../../../../../components/layout/QuestionPage.tsx";
import { resetSecondStep } from "../../../../../lib/accounts/mod.ts";
import { auditEntry } from "../../../../../lib/console/audit/audit.ts";
import { defineForm } from "../../../../../lib/console/page/define_form.ts";
import { seeOther } from "../../../../../lib/console/page/see_other.ts";
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
    const { params, state: { services: { store }, account } } = ctx;
    const { id, email } = await userAt(params.id, ctx.state);
    const target = { targetId: id, targetName: email };
    const changes = [{ field: "secondStep", after: "reset" }];
    const audit = auditEntry(ctx, { kind: "user", action: "changed", ...target, changes });
    await resetSecondStep(store, id, { audit, exceptDigest: account.session.digest });
    return seeOther(`/console/admin/users/${id}?done=second-step`);
  },
});

export default QuestionPage;
