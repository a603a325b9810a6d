import type { ComponentProps } from "preact";
import { Panel } from "../../../../components/Panel.tsx";
import { ConsolePage } from "../../../../components/layout/ConsolePage.tsx";
import { WebhookForm } from "../../../../components/webhooks/WebhookForm.tsx";
import { addressRuleOf, addWebhook } from "../../../../lib/admin/webhooks.ts";
import { seeOther } from "../../../../lib/console/page/address.ts";
import { seeOtherWith } from "../../../../lib/console/page/flash.ts";
import { defineForm } from "../../../../lib/console/page/form.ts";
import { accountPage } from "../../../../lib/console/page/view.ts";
import {
  readWebhookForm,
  webhookSettings,
  webhookValues,
} from "../../../../lib/console/webhooks/webhook_form.ts";

type NewWebhookData = Omit<ComponentProps<typeof WebhookForm>, "view" | "id">;

/** Adds an endpoint; its page shows the signing secret once. */
export const handler = defineForm<NewWebhookData>({
  load: () => ({ values: { ...webhookValues(), types: ["*"] }, faults: {} }),

  async submit(ctx, form, { again }) {
    const { state } = ctx;
    const values = readWebhookForm(form);
    const result = webhookSettings(values, addressRuleOf(state));
    if (result.type === "invalid") return await again({ values, faults: result.faults });
    const endpoint = await addWebhook(ctx, result.settings);
    if (endpoint === undefined) return await again({ values, isFull: true }, { status: 409 });
    const shown = `/console/admin/webhooks/${endpoint.id}?done=created`;
    if (endpoint.format !== undefined && endpoint.format !== "event") return seeOther(shown);
    const flash = { type: "webhook-secret", signing: endpoint.secret } as const;
    return await seeOtherWith(flash, shown, state);
  },
});

export default accountPage<typeof handler>(({ data, view }) => {
  const { webhooks: texts } = view.catalog;
  return (
    <ConsolePage view={view} title={texts.title} place="webhooks">
      <Panel id="webhook" title={texts.add}>
        <WebhookForm view={view} {...data} />
      </Panel>
    </ConsolePage>
  );
});
