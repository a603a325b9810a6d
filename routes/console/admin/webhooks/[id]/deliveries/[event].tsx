import { ConsolePage } from "../../../../../../components/layout/ConsolePage.tsx";
import { DeliveryDetail } from "../../../../../../components/webhooks/DeliveryDetail.tsx";
import { defineForm } from "../../../../../../lib/console/page/define_form.ts";
import { seeOther } from "../../../../../../lib/console/page/see_other.ts";
import { accountView } from "../../../../../../lib/console/page/view.ts";
import { defineForAccount } from "../../../../../../lib/console/session/state.ts";
import { deliveryAt } from "../../../../../../lib/console/webhooks/webhook_page.ts";
import { sendAgain, type WebhookDelivery } from "../../../../../../lib/store/webhooks/mod.ts";

/** One delivery. Its form makes it due again at once. */
export const handler = defineForm<{ readonly delivery: WebhookDelivery }>({
  load: async ({ params, state }) => ({ delivery: await deliveryAt(params, state) }),

  async submit({ params, state: { nowMs, services: { store } } }, _, { load }) {
    const { delivery } = await load();
    await sendAgain(store, delivery, nowMs);
    return seeOther(`/console/admin/webhooks/${params.id}?done=again`);
  },
});

export default defineForAccount.page<typeof handler>(({ data: { delivery }, state, url }) => {
  const view = accountView(state, url);
  const { webhooks: texts } = view.catalog;
  return (
    <ConsolePage
      view={view}
      title={texts.deliveries.title}
      place="webhooks"
      up={{ href: `/console/admin/webhooks/${delivery.endpointId}` }}
    >
      <DeliveryDetail view={view} delivery={delivery} />
    </ConsolePage>
  );
});
