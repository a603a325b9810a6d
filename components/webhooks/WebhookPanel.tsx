import type { AccountView } from "../../lib/console/page/view.ts";
import { webhookList, type WebhookRow } from "../../lib/console/webhooks/webhook_list.ts";
import { shownAddress } from "../../lib/webhooks/mod.ts";
import { A, type ColumnsOf, ListPanel, type PanelProps, Time, untranslated } from "../list.ts";
import { DeliveryStatus, WebhookStatus } from "./WebhookHead.tsx";

/** All receivers of events. */
export function WebhookPanel(props: PanelProps<typeof webhookList>) {
  const { webhooks: texts } = props.view.catalog;
  return (
    <ListPanel
      {...props}
      id="webhooks"
      list={webhookList}
      texts={texts}
      icon="megaphone"
      columns={columns(props.view)}
      keyOf={({ id }) => id}
      isOff={({ endpoint }) => endpoint?.enabled === false}
      filters={[{ name: "q", label: texts.url }]}
    />
  );
}

function columns(view: AccountView): ColumnsOf<typeof webhookList> {
  const { catalog: { webhooks: texts }, formats } = view;
  return [
    {
      head: texts.url,
      at: "name",
      type: "name",
      cell: ({ id, url, format, endpoint }) => (
        <span>
          <A href={`/console/admin/webhooks/${id}`} {...untranslated}>
            {shownAddress({ url, format })}
          </A>
          {endpoint === undefined && <span class="tag">{texts.configured}</span>}
        </span>
      ),
    },
    {
      head: texts.description,
      class: "wrap quiet",
      cell: ({ endpoint }) => endpoint?.description ?? "",
    },
    { head: texts.eventTypes, class: "quiet", cell: (row) => typesText(row, view) },
    {
      head: texts.status,
      at: "below",
      cell: ({ endpoint }) => <WebhookStatus view={view} of={endpoint} />,
    },
    {
      head: texts.lastDelivery,
      at: "second",
      cell: ({ last }) =>
        last
          ? (
            <span>
              <DeliveryStatus view={view} delivery={last} />{" "}
              <Time atMs={last.createdAtMs} formats={formats} />
            </span>
          )
          : texts.none,
    },
  ];
}

function typesText(
  { endpoint }: WebhookRow,
  { catalog: { webhooks: texts, settings } }: AccountView,
): string {
  if (endpoint === undefined) return settings.alerts;
  return endpoint.types.includes("*") ? texts.all : texts.typesOf(endpoint.types.length);
}
