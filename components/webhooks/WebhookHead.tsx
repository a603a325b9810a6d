import type { AccountView } from "../../lib/console/page/view.ts";
import { deliveryState, webhookState } from "../../lib/console/webhooks/webhook_page.ts";
import type { WebhookDelivery, WebhookEndpoint } from "../../lib/store/webhooks/mod.ts";
import { A } from "../A.tsx";
import { Form } from "../Form.tsx";
import { Panel } from "../Panel.tsx";
import { Status, type StatusTone } from "../States.tsx";
import { FormAlert } from "../controls.tsx";
import { SecretPanel } from "../keys/SecretPanel.tsx";

/** The actions on an endpoint, at the end of its panel's heading. */
export function WebhookActions(
  { view, endpoint: { id, enabled } }: { view: AccountView; endpoint: WebhookEndpoint },
) {
  const { webhooks: texts } = view.catalog;
  const path = `/console/admin/webhooks/${id}`;
  return (
    <>
      <Form action={`${path}/test`}>
        <button class="button" type="submit">{texts.test}</button>
      </Form>
      <Form action={`${path}/enabled`}>
        <button class="button" type="submit" name="enabled" value={String(!enabled)}>
          {enabled ? texts.disable : texts.enable}
        </button>
      </Form>
      <A class="button" href={`${path}/rotate`}>{texts.rotate}</A>
      <A class="button" href={`${path}/delete`}>{texts.delete}</A>
    </>
  );
}

/** The trouble of an endpoint, if there is any. */
export function WebhookTrouble(
  { view, endpoint }: { view: AccountView; endpoint: WebhookEndpoint },
) {
  const { catalog: { webhooks: texts }, formats } = view;
  const { disabledBecause, failingSinceMs, secretFault } = endpoint;
  if (secretFault) return <FormAlert>{texts.secretFault}</FormAlert>;
  if (disabledBecause) return <FormAlert>{texts.stoppedText[disabledBecause]}</FormAlert>;
  if (failingSinceMs === undefined) return null;
  return <p class="body soft">{texts.failingSince(formats.moment(failingSinceMs))}</p>;
}

/** A new signing secret, shown once. */
export function WebhookSecret({ view, secret }: { view: AccountView; secret: string }) {
  const { copy, webhooks: texts } = view.catalog;
  return (
    <Panel id="secret" title={texts.secretTitle} focused>
      <div class="body">
        <SecretPanel secret={secret} texts={texts.secret} copyTexts={copy} />
      </div>
    </Panel>
  );
}

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

export const deliveryTones = {
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
