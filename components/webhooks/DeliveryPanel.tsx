import type { AccountView } from "../../lib/console/page/view.ts";
import { deliveryList } from "../../lib/console/webhooks/webhook_list.ts";
import type { WebhookDelivery } from "../../lib/store/webhooks/mod.ts";
import { Form } from "../Form.tsx";
import { Panel } from "../Panel.tsx";
import { Snippet } from "../Snippet.tsx";
import { ListTable } from "../Table.tsx";
import { A, type ColumnsOf, ListPanel, type PanelProps, Time, untranslated } from "../list.ts";
import { Fact, Facts } from "../values.tsx";
import { DeliveryStatus } from "./WebhookHead.tsx";

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
function deliveryPath({ endpointId, eventId }: WebhookDelivery): string {
  return `/console/admin/webhooks/${endpointId}/deliveries/${eventId}`;
}

function answerText({ history }: WebhookDelivery, view: AccountView): string {
  const { deliveries: texts, none } = view.catalog.webhooks;
  const last = history.at(-1);
  if (last === undefined) return none;
  return last.status === undefined ? texts.noAnswer : texts.status(String(last.status));
}

/** One delivery: the event, its attempts, and the button that sends it again. */
export function DeliveryDetail(
  { view, delivery }: { view: AccountView; delivery: WebhookDelivery },
) {
  const { copy, webhooks: { deliveries: texts, types } } = view.catalog;
  const names: Readonly<Record<string, string>> = types;
  return (
    <>
      <Panel
        id="event"
        title={names[delivery.type] ?? delivery.type}
        end={
          <Form action={deliveryPath(delivery)}>
            <button class="button" type="submit">{texts.again}</button>
          </Form>
        }
      >
        <DeliveryFacts view={view} delivery={delivery} />
        <div class="body">
          <Snippet
            text={JSON.stringify(JSON.parse(delivery.body), undefined, 2)}
            label={texts.body}
            copy={texts.copyBody}
            texts={copy}
          />
        </div>
      </Panel>
      <Panel id="attempts" title={texts.history}>
        <Attempts view={view} delivery={delivery} />
      </Panel>
    </>
  );
}

function DeliveryFacts({ view, delivery }: { view: AccountView; delivery: WebhookDelivery }) {
  const { catalog: { webhooks: { deliveries: texts } }, formats } = view;
  const { createdAtMs, type, eventId, dueAtMs } = delivery;
  return (
    <Facts class="body">
      <Fact name={texts.time}>
        <Time atMs={createdAtMs} formats={formats} as="moment" />
      </Fact>
      <Fact name={texts.type}>
        <code {...untranslated}>{type}</code>
      </Fact>
      <Fact name={texts.id}>
        <code class="breakable" {...untranslated}>{eventId}</code>
      </Fact>
      <Fact name={texts.state}>
        <DeliveryStatus view={view} delivery={delivery} />
      </Fact>
      {dueAtMs !== undefined && (
        <Fact name={texts.next}>
          <Time atMs={dueAtMs} formats={formats} as="moment" />
        </Fact>
      )}
    </Facts>
  );
}

function Attempts({ view, delivery }: { view: AccountView; delivery: WebhookDelivery }) {
  const { catalog: { webhooks: { deliveries: texts } }, formats } = view;
  if (delivery.history.length === 0) return <p class="body soft">{texts.noAttempt}</p>;
  return (
    <ListTable
      oneLine
      caption={texts.history}
      label={texts.historyLabel}
      rows={delivery.history}
      keyOf={({ atMs }) => String(atMs)}
      columns={[
        {
          head: texts.time,
          type: "name",
          cell: ({ atMs }) => <Time atMs={atMs} formats={formats} as="moment" />,
        },
        {
          head: texts.answer,
          cell: ({ status }) =>
            status === undefined ? texts.noAnswer : texts.status(String(status)),
        },
        {
          head: texts.duration,
          type: "number",
          cell: ({ durationMs }) => `${formats.count(durationMs)} ms`,
        },
      ]}
    />
  );
}
