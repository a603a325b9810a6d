import { Fold } from "../../../../../components/Panel.tsx";
import { FormAlert } from "../../../../../components/controls.tsx";
import { ConsolePage } from "../../../../../components/layout/ConsolePage.tsx";
import { DeliveryPanel } from "../../../../../components/webhooks/DeliveryPanel.tsx";
import { WebhookForm } from "../../../../../components/webhooks/WebhookForm.tsx";
import {
  WebhookActions,
  WebhookSecret,
  WebhookStatus,
  WebhookTrouble,
} from "../../../../../components/webhooks/WebhookHead.tsx";
import Notice from "../../../../../islands/Notice.tsx";
import { addressRuleOf, changeWebhook } from "../../../../../lib/admin/webhooks.ts";
import { seeOther } from "../../../../../lib/console/page/address.ts";
import { type ListPage, readQuery } from "../../../../../lib/console/page/define_list.ts";
import type { Flash } from "../../../../../lib/console/page/flash.ts";
import { defineForm } from "../../../../../lib/console/page/form.ts";
import { tryLoad } from "../../../../../lib/console/page/reading.ts";
import { accountPage } from "../../../../../lib/console/page/view.ts";
import {
  readWebhookForm,
  type WebhookFaults,
  webhookSettings,
  type WebhookValues,
  webhookValues,
} from "../../../../../lib/console/webhooks/webhook_form.ts";
import {
  deliveryList,
  type DeliveryQuery,
  readDeliveries,
  type WebhookRow,
} from "../../../../../lib/console/webhooks/webhook_list.ts";
import {
  endpointAt,
  receiverAt,
  testFault,
} from "../../../../../lib/console/webhooks/webhook_page.ts";
import { shownAddress } from "../../../../../lib/webhooks/mod.ts";
import type { WebhookDelivery } from "../../../../../lib/store/webhooks/mod.ts";

interface WebhookData {
  readonly receiver: WebhookRow;
  readonly values: WebhookValues;
  readonly faults: WebhookFaults;
  readonly query: DeliveryQuery;
  readonly deliveries: ListPage<WebhookDelivery> | undefined;
  /** The message of the previous page: a new secret, or the result of a test. */
  readonly flash?: Flash;
}

/** One receiver: its settings and its deliveries. */
export const handler = defineForm<WebhookData>({
  async load({ params, url, state }) {
    const receiver = await receiverAt(params.id, state);
    const path = `/console/admin/webhooks/${receiver.id}`;
    const query = readQuery(deliveryList, url.searchParams, path);
    return {
      receiver,
      values: webhookValues(receiver.endpoint),
      faults: {},
      query,
      deliveries: await tryLoad(readDeliveries(state, receiver.id, query)),
    };
  },
  showsFlash: () => true,

  async submit(ctx, form, { again }) {
    const { params, state } = ctx;
    const endpoint = await endpointAt(params.id, state);
    const values = readWebhookForm(form);
    const result = webhookSettings(values, addressRuleOf(state));
    if (result.type === "invalid") return await again({ values, faults: result.faults });
    await changeWebhook(ctx, endpoint, { settings: result.settings });
    return seeOther(`/console/admin/webhooks/${endpoint.id}?done=saved`);
  },
});

export default accountPage<typeof handler>(({ data, state, view }) => {
  const { webhooks: texts } = view.catalog;
  const { receiver, receiver: { id, endpoint }, query, deliveries, flash } = data;
  const fault = testFault(flash, state.catalog);
  return (
    <ConsolePage view={view} title={shownAddress(receiver)} place="webhooks" done={texts.done}>
      {flash?.type === "webhook-tested" && !fault && <Notice text={texts.tested} />}
      {fault && <FormAlert>{`${texts.notTested}: ${fault}`}</FormAlert>}
      {flash?.type === "webhook-secret" && <WebhookSecret view={view} secret={flash.signing} />}
      <div class="across object-head">
        <p>
          <WebhookStatus view={view} of={endpoint} />
        </p>
        {endpoint && <WebhookActions view={view} endpoint={endpoint} />}
      </div>
      {endpoint && <WebhookTrouble view={view} endpoint={endpoint} />}
      <DeliveryPanel view={view} query={query} page={deliveries} />
      {endpoint
        ? view.may("webhooks:write") && (
          <Fold
            id="webhook"
            title={texts.settings}
            value={endpoint.description}
            open={Object.keys(data.faults).length > 0}
          >
            <WebhookForm view={view} values={data.values} faults={data.faults} id={id} />
          </Fold>
        )
        : <p class="hint">{texts.configuredText}</p>}
    </ConsolePage>
  );
});
