import { ConsolePage } from "../../../../../../components/layout/ConsolePage.tsx";
import { DeliveryDetail } from "../../../../../../components/webhooks/DeliveryPanel.tsx";
import { seeOther } from "../../../../../../lib/console/page/address.ts";
import { defineForm } from "../../../../../../lib/console/page/form.ts";
import { accountPage } from "../../../../../../lib/console/page/view.ts";
import { deliveryAt, receiverAt } from "../../../../../../lib/console/webhooks/webhook_page.ts";
import { shownAddress } from "../../../../../../lib/webhooks/mod.ts";
import { sendAgain, type WebhookDelivery } from "../../../../../../lib/store/webhooks/mod.ts";

/** One delivery. Its form makes it due again at once. */
export const handler = defineForm<{ readonly address: string; readonly delivery: WebhookDelivery }>(
  {
    async load({ params, state }) {
      const address = shownAddress(await receiverAt(params.id, state));
      return { address, delivery: await deliveryAt(params, state) };
    },

    async submit({ params, state: { nowMs, services: { store } } }, _, { load }) {
      const { delivery } = await load();
      await sendAgain(store, delivery, nowMs);
      return seeOther(`/console/admin/webhooks/${params.id}?done=again`);
    },
  },
);

export default accountPage<typeof handler>(({ data, view }) => {
  const { webhooks: texts } = view.catalog;
  const { delivery } = data;
  return (
    <ConsolePage
      view={view}
      title={texts.deliveries.title}
      place="webhooks"
      up={{
        href: `/console/admin/webhooks/${delivery.endpointId}`,
        text: data.address,
      }}
    >
      <DeliveryDetail view={view} delivery={delivery} />
    </ConsolePage>
  );
});
