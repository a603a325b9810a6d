import type { WebhookSettings } from "../../config.ts";
import { shownUrl } from "../../admin/webhooks.ts";
import {
  listDeliveries,
  listEndpoints,
  type WebhookDelivery,
  type WebhookEndpoint,
  type WebhookFormat,
} from "../../store/webhooks/mod.ts";
import { configuredId } from "../../webhooks/mod.ts";
import {
  defineList,
  type ListPage,
  listPage,
  pageRowsOf,
  type QueryOf,
} from "../page/define_list.ts";
import { search } from "../page/list_fields.ts";
import type { AccountState } from "../session/state.ts";

/** A receiver, and its last delivery. */
export interface WebhookRow {
  readonly id: string;
  readonly url: string;
  readonly format?: WebhookFormat;
  /** Absent for the webhook of the configuration. */
  readonly endpoint?: WebhookEndpoint;
  readonly last?: WebhookDelivery;
}

/** All receivers of events. */
export const webhookList = defineList<WebhookRow>()({
  path: "/console/admin/webhooks",
  fields: { q: search(({ url, endpoint }) => [url, endpoint?.description ?? ""]) },
});
type WebhookQuery = QueryOf<typeof webhookList>;

export async function readWebhookList(
  state: AccountState,
  query: WebhookQuery,
): Promise<ListPage<WebhookRow>> {
  const { services, services: { store, config: { alerts } } } = state;
  const endpoints = await listEndpoints(store);
  const rows: WebhookRow[] = endpoints.map((endpoint) => ({
    id: endpoint.id,
    url: shownUrl(endpoint.url, state),
    format: endpoint.format,
    endpoint,
  }));
  if (alerts?.webhook) rows.unshift({ id: configuredId, ...addressOf(alerts.webhook, state) });
  const details = (some: readonly WebhookRow[]) =>
    Promise.all(some.map(async (row) => {
      const { deliveries: [last] } = await listDeliveries(store, row.id, { limit: 1 });
      return { ...row, ...(last && { last }) };
    }));
  return await listPage(webhookList, rows, { query, services, details });
}

/** The address of the configuration's webhook; never its secret. */
export function addressOf(
  { url, format }: Pick<WebhookSettings, "url" | "format">,
  state: AccountState,
): Pick<WebhookRow, "url" | "format"> {
  return { url: shownUrl(url, state), format };
}

/** The deliveries of one receiver, newest first. */
export const deliveryList = defineList<WebhookDelivery>()({
  path: "",
  fields: {},
  cursor: (text) => /^[0-9A-Za-z]{1,40}$/.exec(text)?.[0],
});
export type DeliveryQuery = QueryOf<typeof deliveryList>;

export async function readDeliveries(
  { services }: AccountState,
  endpointId: string,
  { before }: DeliveryQuery,
): Promise<ListPage<WebhookDelivery>> {
  const limit = pageRowsOf(services);
  const { deliveries: rows, next } = await listDeliveries(services.store, endpointId, {
    before,
    limit,
  });
  return { rows, next };
}
