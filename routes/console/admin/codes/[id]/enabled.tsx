import { type QuestionData, QuestionPage } from "../../../../../components/layout/QuestionPage.tsx";
import { auditEntry } from "../../../../../lib/console/audit/audit.ts";
import { defineForm } from "../../../../../lib/console/page/define_form.ts";
import { seeOther } from "../../../../../lib/console/page/see_other.ts";
import { batchAt } from "../../../../../lib/console/wallet/code_batches.ts";
import { setBatchEnabled } from "../../../../../lib/funds/mod.ts";

/** Enables a batch, or disables one after confirmation. */
export const handler = defineForm<QuestionData>({
  async load({ params, state }) {
    const { codes: texts } = state.catalog;
    const { id, name } = await batchAt(params.id, state);
    return {
      page: texts.title,
      place: "codes",
      id: "disable",
      title: texts.disableTitle(name),
      text: texts.disableText,
      back: `/console/admin/codes/${id}`,
      cancel: texts.cancel,
      confirm: texts.disableConfirm(name),
      field: { name: "enabled", value: "false" },
    };
  },

  async submit(ctx, form) {
    const { params, state: { services: { store }, account } } = ctx;
    const { id, name } = await batchAt(params.id, ctx.state);
    const enabled = form.get("enabled") === "true";
    const action = enabled ? "enabled" : "disabled";
    const audit = auditEntry(ctx, { kind: "batch", action, targetId: id, targetName: name });
    await setBatchEnabled(store, account.user, { batchId: id, enabled, audit });
    return seeOther(`/console/admin/codes/${id}?done=${action}`);
  },
});

export default QuestionPage;
