import { type QuestionData, QuestionPage } from "../../../../../components/layout/QuestionPage.tsx";
import { defineForm } from "../../../../../lib/console/page/define_form.ts";
import { seeOther } from "../../../../../lib/console/page/see_other.ts";
import { setUserEnabled } from "../../../../../lib/console/users/user_changes.ts";
import { changeableUser } from "../../../../../lib/console/users/user_page.ts";

/** Enables a user, or disables one after confirmation. */
export const handler = defineForm<QuestionData>({
  async load({ params, state }) {
    const { users: texts } = state.catalog;
    const { id, email } = await changeableUser(params.id, state);
    return {
      page: texts.title,
      place: "users",
      id: "disable",
      title: texts.disableTitle(email),
      text: texts.disableText,
      back: `/console/admin/users/${id}`,
      cancel: texts.cancel,
      confirm: texts.disableConfirm(email),
      field: { name: "enabled", value: "false" },
    };
  },

  async submit(ctx, form) {
    const user = await changeableUser(ctx.params.id, ctx.state);
    const enabled = form.get("enabled") === "true";
    await setUserEnabled(ctx, user, { enabled });
    const done = enabled ? "enabled" : "disabled";
    return seeOther(`/console/admin/users/${user.id}?done=${done}`);
  },
});

export default QuestionPage;
