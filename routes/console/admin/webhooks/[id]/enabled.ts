import { setWebhookEnabled } from "../../../../../lib/admin/webhooks.ts";
import { seeOther } from "../../../../../lib/console/page/address.ts";
import { readForm } from "../../../../../lib/console/page/form.ts";
import { defineForAccount } from "../../../../../lib/console/session/state.ts";
import { endpointAt } from "../../../../../lib/console/webhooks/webhook_page.ts";

/** Enables or disables an endpoint. */
export const handler = defineForAccount.handlers({
  async POST(ctx) {
    const endpoint = await endpointAt(ctx.params.id, ctx.state);
    const enabled = (await readForm(ctx.req)).get("enabled") === "true";
    await setWebhookEnabled(ctx, endpoint, { enabled });
    const done = enabled ? "enabled" : "disabled";
    return seeOther(`/console/admin/webhooks/${endpoint.id}?done=${done}`);
  },
});
