import type { AccountView } from "../../lib/console/page/view.ts";
import type { WebhookDelivery } from "../../lib/store/webhooks/mod.ts";
import { Panel } from "../Panel.tsx";
import { Snippet } from "../Snippet.tsx";
import { Cell, Column, NameCell, Row, Table } from "../Table.tsx";
import { untranslated } from "../untranslated.ts";
import { Fact, Facts, Time } from "../values.tsx";
import { deliveryPath } from "./DeliveryPanel.tsx";
import { DeliveryStatus } from "./WebhookStatus.tsx";

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
          <form method="post" action={deliveryPath(delivery)}>
            <button class="button" type="submit">{texts.again}</button>
          </form>
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
    <Table
      oneLine
      caption={texts.history}
      label={texts.historyLabel}
      head={
        <>
          <Column>{texts.time}</Column>
          <Column>{texts.answer}</Column>
          <Column number>{texts.duration}</Column>
        </>
      }
    >
      {delivery.history.map(({ atMs, status, durationMs }) => (
        <Row key={atMs}>
          <NameCell>
            <Time atMs={atMs} formats={formats} as="moment" />
          </NameCell>
          <Cell label={texts.answer}>
            {status === undefined ? texts.noAnswer : texts.status(String(status))}
          </Cell>
          <Cell label={texts.duration} class="number">{`${formats.count(durationMs)} ms`}</Cell>
        </Row>
      ))}
    </Table>
  );
}
