import { HttpError } from "fresh";
import { seeOtherWith } from "../../../../../lib/console/page/flash.ts";
import { defineForAccount } from "../../../../../lib/console/session/state.ts";
import { endpointAt } from "../../../../../lib/console/webhooks/webhook_page.ts";

/** Sends a test event to an endpoint and shows the result on its page. Changes nothing. */
export const handler = defineForAccount.handlers({
  async POST({ params, state }) {
    const endpoint = await endpointAt(params.id, state);
    const result = await state.services.alerts?.test(endpoint);
    if (result === undefined) throw new HttpError(404);
    const flash = { type: "webhook-tested", result } as const;
    return await seeOtherWith(flash, `/console/admin/webhooks/${endpoint.id}`, state);
  },
});
