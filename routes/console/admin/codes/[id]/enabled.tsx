import { type QuestionData, QuestionPage } from "../../../../../components/layout/QuestionPage.tsx";
import { enableBatch } from "../../../../../lib/admin/funds.ts";
import { seeOther } from "../../../../../lib/console/page/address.ts";
import { defineForm } from "../../../../../lib/console/page/form.ts";
import { batchAt } from "../../../../../lib/console/wallet/code_batches.ts";

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
    const batch = await batchAt(ctx.params.id, ctx.state);
    const enabled = form.get("enabled") === "true";
    await enableBatch(batch, enabled, ctx);
    return seeOther(`/console/admin/codes/${batch.id}?done=${enabled ? "enabled" : "disabled"}`);
  },
});

export default QuestionPage;
