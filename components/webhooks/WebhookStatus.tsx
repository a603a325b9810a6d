import type { AccountView } from "../../lib/console/page/view.ts";
import { deliveryState, webhookState } from "../../lib/console/webhooks/webhook_page.ts";
import type { WebhookDelivery, WebhookEndpoint } from "../../lib/store/webhooks/mod.ts";
import { Status, type StatusTone } from "../States.tsx";

const endpointTones = {
  enabled: "ok",
  disabled: "off",
  failing: "warn",
  stopped: "bad",
  gone: "bad",
} as const satisfies Record<ReturnType<typeof webhookState>, StatusTone>;

/** The state of an endpoint; the webhook of the configuration is always enabled. */
export function WebhookStatus({ view, of }: { view: AccountView; of?: WebhookEndpoint }) {
  const state = of ? webhookState(of) : "enabled";
  return <Status tone={endpointTones[state]}>{view.catalog.webhooks.states[state]}</Status>;
}

const deliveryTones = {
  waiting: "off",
  retrying: "warn",
  delivered: "ok",
  abandoned: "bad",
} as const satisfies Record<ReturnType<typeof deliveryState>, StatusTone>;

/** The state of a delivery. */
export function DeliveryStatus(
  { view, delivery }: { view: AccountView; delivery: WebhookDelivery },
) {
  const state = deliveryState(delivery);
  const { states } = view.catalog.webhooks.deliveries;
  return <Status tone={deliveryTones[state]}>{states[state]}</Status>;
}
