import { HttpError } from "fresh";
import { type QuestionData, QuestionPage } from "../../../../../components/layout/QuestionPage.tsx";
import { rotateWebhook } from "../../../../../lib/admin/webhooks.ts";
import { seeOtherWith } from "../../../../../lib/console/page/flash.ts";
import { defineForm } from "../../../../../lib/console/page/form.ts";
import { endpointAt } from "../../../../../lib/console/webhooks/webhook_page.ts";

/** Rotates an endpoint's secret after confirmation; its page shows the new one once. */
export const handler = defineForm<QuestionData>({
  async load({ params, state }) {
    const { webhooks: texts } = state.catalog;
    const { id } = await endpointAt(params.id, state);
    return {
      page: texts.title,
      place: "webhooks",
      id: "rotate",
      title: texts.rotateTitle,
      text: texts.rotateText,
      back: `/console/admin/webhooks/${id}`,
      cancel: texts.cancel,
      confirm: texts.rotateConfirm,
    };
  },

  async submit(ctx) {
    const { params, state } = ctx;
    const endpoint = await endpointAt(params.id, state);
    const rotated = await rotateWebhook(ctx, endpoint);
    if (rotated === undefined) throw new HttpError(404);
    const flash = { type: "webhook-secret", signing: rotated.secret } as const;
    return await seeOtherWith(flash, `/console/admin/webhooks/${endpoint.id}`, state);
  },
});

export default QuestionPage;
