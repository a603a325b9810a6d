import { type QuestionData, QuestionPage } from "../../../../../components/layout/QuestionPage.tsx";
import { setUserEnabled } from "../../../../../lib/admin/users.ts";
import { seeOther } from "../../../../../lib/console/page/address.ts";
import { seeOtherWith } from "../../../../../lib/console/page/flash.ts";
import { defineForm } from "../../../../../lib/console/page/form.ts";
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
    const path = `/console/admin/users/${user.id}`;
    if (enabled) return seeOther(`${path}?done=enabled`);
    const flash = { type: "user-disabled", id: user.id } as const;
    return await seeOtherWith(flash, `${path}?done=disabled`, ctx.state);
  },
});

export default QuestionPage;
