import { type QuestionData, QuestionPage } from "../../../../../components/layout/QuestionPage.tsx";
import { removeWebhook } from "../../../../../lib/admin/webhooks.ts";
import { seeOther } from "../../../../../lib/console/page/address.ts";
import { defineForm } from "../../../../../lib/console/page/form.ts";
import { endpointAt } from "../../../../../lib/console/webhooks/webhook_page.ts";
import { webhookName } from "../../../../../lib/webhooks/mod.ts";

/** Deletes an endpoint after confirmation. */
export const handler = defineForm<QuestionData>({
  async load({ params, state }) {
    const { webhooks: texts } = state.catalog;
    const endpoint = await endpointAt(params.id, state);
    return {
      page: texts.title,
      place: "webhooks",
      id: "delete",
      title: texts.deleteTitle(webhookName(endpoint)),
      text: texts.deleteText,
      back: `/console/admin/webhooks/${endpoint.id}`,
      cancel: texts.cancel,
      confirm: texts.deleteConfirm,
    };
  },

  async submit(ctx) {
    const endpoint = await endpointAt(ctx.params.id, ctx.state);
    await removeWebhook(ctx, endpoint);
    return seeOther("/console/admin/webhooks?done=deleted");
  },
});

export default QuestionPage;
