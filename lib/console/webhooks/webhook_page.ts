import { HttpError } from "fresh";
import { shownUrl } from "../../admin/webhooks.ts";
import {
  getDelivery,
  getEndpoint,
  type WebhookDelivery,
  type WebhookEndpoint,
} from "../../store/webhooks/mod.ts";
import { configuredId } from "../../webhooks/mod.ts";
import type { Catalog } from "../i18n/mod.ts";
import type { Flash } from "../page/flash.ts";
import type { AccountState } from "../session/state.ts";
import { addressOf, type WebhookRow } from "./webhook_list.ts";

const idPattern = /^whe_[0-9A-Za-z]{22}$/;

/** Returns the endpoint of an address; throws 404 if there is none. */
export async function endpointAt(
  id: string,
  { services: { store } }: AccountState,
): Promise<WebhookEndpoint> {
  const endpoint = idPattern.test(id) ? await getEndpoint(store, id) : undefined;
  if (endpoint === undefined) throw new HttpError(404);
  return endpoint;
}

/** Returns the receiver of an address, which may be the configuration's; throws 404 if there is none. */
export async function receiverAt(id: string, state: AccountState): Promise<WebhookRow> {
  const webhook = state.services.config.alerts?.webhook;
  if (id === configuredId && webhook) return { id, ...addressOf(webhook, state) };
  const endpoint = await endpointAt(id, state);
  return { id, url: shownUrl(endpoint.url, state), format: endpoint.format, endpoint };
}

/** Returns a delivery by its receiver and its event; throws 404 if there is none. */
export async function deliveryAt(
  { id, event }: Readonly<Record<string, string>>,
  state: AccountState,
): Promise<WebhookDelivery> {
  const receiver = await receiverAt(id, state);
  const isId = /^[a-z]+_[0-9A-Za-z]{1,40}$/.test(event);
  const delivery = isId ? await getDelivery(state.services.store, receiver.id, event) : undefined;
  if (delivery === undefined) throw new HttpError(404);
  return delivery;
}

/** The state of an endpoint as the console names it. */
export function webhookState(
  { enabled, disabledBecause, failingSinceMs }: WebhookEndpoint,
): keyof Catalog["webhooks"]["states"] {
  if (disabledBecause) return disabledBecause === "gone" ? "gone" : "stopped";
  if (!enabled) return "disabled";
  return failingSinceMs === undefined ? "enabled" : "failing";
}

/** The state of a delivery as the console names it. */
export function deliveryState(
  { state, attempts }: WebhookDelivery,
): keyof Catalog["webhooks"]["deliveries"]["states"] {
  return state === "waiting" && attempts > 0 ? "retrying" : state;
}

/** The error of a test; undefined if it succeeded, or if the message is about something else. */
export function testFault(
  flash: Flash | undefined,
  { settings: { testFault: faults } }: Catalog,
): string | undefined {
  if (flash?.type !== "webhook-tested" || flash.result === "delivered") return undefined;
  const status = /^answered-(\d{3})$/.exec(flash.result)?.[1];
  if (status !== undefined) return faults.answered(status);
  return flash.result === "timeout" ? faults.timeout : faults.unreachable;
}
