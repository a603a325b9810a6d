import type { AccountView } from "../../lib/console/page/view.ts";
import { deliveryList } from "../../lib/console/webhooks/webhook_list.ts";
import type { WebhookDelivery } from "../../lib/store/webhooks/mod.ts";
import { A, type ColumnsOf, ListPanel, type PanelProps, Time, untranslated } from "../list.ts";
import { DeliveryStatus } from "./WebhookStatus.tsx";

/** The deliveries of one receiver, newest first. */
export function DeliveryPanel(props: PanelProps<typeof deliveryList>) {
  const { webhooks: { deliveries: texts } } = props.view.catalog;
  return (
    <ListPanel
      {...props}
      id="deliveries"
      list={deliveryList}
      texts={texts}
      icon="megaphone"
      columns={columns(props.view)}
      keyOf={({ eventId }) => eventId}
    />
  );
}

function columns(view: AccountView): ColumnsOf<typeof deliveryList> {
  const { catalog: { webhooks: { deliveries: texts, types, none } }, formats } = view;
  const names: Readonly<Record<string, string>> = types;
  return [
    {
      head: texts.time,
      at: "first",
      type: "name",
      cell: (delivery) => (
        <span>
          <A href={deliveryPath(delivery)}>
            <Time atMs={delivery.createdAtMs} formats={formats} as="moment" />
          </A>
        </span>
      ),
    },
    {
      head: texts.type,
      at: "name",
      cell: ({ type }) => (
        <span>
          {names[type] ?? ""} <code class="soft" {...untranslated}>{type}</code>
        </span>
      ),
    },
    {
      head: texts.state,
      at: "below",
      cell: (delivery) => <DeliveryStatus view={view} delivery={delivery} />,
    },
    { head: texts.attempts, type: "number", cell: ({ history }) => formats.count(history.length) },
    { head: texts.answer, class: "quiet", cell: (delivery) => answerText(delivery, view) },
    {
      head: texts.next,
      class: "quiet",
      cell: ({ dueAtMs, attempts }) =>
        dueAtMs === undefined || attempts === 0
          ? none
          : <Time atMs={dueAtMs} formats={formats} as="moment" />,
    },
  ];
}

/** The page of a delivery. */
export function deliveryPath({ endpointId, eventId }: WebhookDelivery): string {
  return `/console/admin/webhooks/${endpointId}/deliveries/${eventId}`;
}

function answerText({ history }: WebhookDelivery, view: AccountView): string {
  const { deliveries: texts, none } = view.catalog.webhooks;
  const last = history.at(-1);
  if (last === undefined) return none;
  return last.status === undefined ? texts.noAnswer : texts.status(String(last.status));
}
