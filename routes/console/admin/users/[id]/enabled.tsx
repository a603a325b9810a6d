import { type QuestionData, QuestionPage } from "../../../../../components/layout/QuestionPage.tsx";
import { auditEntry } from "../../../../../lib/console/audit/audit.ts";
import { defineForm } from "../../../../../lib/console/page/define_form.ts";
import { seeOther } from "../../../../../lib/console/page/see_other.ts";
import { changeableUser } from "../../../../../lib/console/users/user_page.ts";
import { deleteSessions, updateUser } from "../../../../../lib/store/users/mod.ts";

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
    const { params, state, state: { services: { store } } } = ctx;
    const { id, email } = await changeableUser(params.id, state);
    const enabled = form.get("enabled") === "true";
    const action = enabled ? "enabled" : "disabled";
    const audit = auditEntry(ctx, { kind: "user", action, targetId: id, targetName: email });
    await updateUser(store, id, (current) => ({ ...current, enabled }), { audit });
    if (!enabled) await deleteSessions(store, id);
    return seeOther(`/console/admin/users/${id}?done=${action}`);
  },
});

export default QuestionPage;
