import type { WebhookSettings } from "../config.ts";
import type { Origin } from "../store/mod.ts";
import type { WebhookEndpoint, WebhookFormat } from "../store/webhooks/mod.ts";
import { isAlertType } from "./event_types.ts";

/** The id under which the webhook of the configuration keeps its deliveries. */
export const configuredId = "configuration";

/** A receiver: an endpoint of the console, or the webhook of the configuration. */
export interface Receiver {
  readonly id: string;
  readonly url: string;
  /** An address from the configuration is called as written, one from the console is checked. */
  readonly origin: Origin;
  /** All secrets that sign; the first one is the current one. */
  readonly secrets: readonly string[];
  readonly format: WebhookFormat;
}

/** Returns the receiver of an endpoint, with the secrets that sign at that time. */
export function receiverOf(
  { id, url, secret, previous, format = "event" }: WebhookEndpoint,
  nowMs: number,
): Receiver {
  const former = previous && previous.expiresAtMs > nowMs ? [previous.secret] : [];
  return { id, url, origin: "console", secrets: [secret, ...former], format };
}

/** Returns the receiver of the configuration's webhook. */
export function configuredReceiver({ url, secret, format = "event" }: WebhookSettings): Receiver {
  const secrets = secret === undefined ? [] : [secret];
  return { id: configuredId, url, origin: "config", secrets, format };
}

/** True if an endpoint that is enabled receives events of a type. */
export function wantsEvent({ enabled, types }: WebhookEndpoint, type: string): boolean {
  return enabled && (types.includes("*") || types.includes(type));
}

/** The ids of all receivers of an event. */
export function receiversOf(
  type: string,
  endpoints: readonly WebhookEndpoint[],
  configured: WebhookSettings | undefined,
): string[] {
  const ids = endpoints.filter((endpoint) => wantsEvent(endpoint, type)).map(({ id }) => id);
  return configured && isAlertType(type) ? [configuredId, ...ids] : ids;
}
