import type { AccountView } from "../../lib/console/page/view.ts";
import type { ConfigRow, DeliveryFact } from "../../lib/console/settings/settings_page.ts";
import { Fact, Facts } from "../Facts.tsx";
import { Panel } from "../Panel.tsx";
import { Status } from "../States.tsx";
import { Cell, Column, NameCell, Row, Table } from "../Table.tsx";
import { untranslated } from "../untranslated.ts";

/** The set-up of alerts, payments and mail, each with a test button. */
export function DeliveriesPanel(
  { view, facts }: { view: AccountView; facts: readonly DeliveryFact[] },
) {
  const { settings: texts } = view.catalog;
  return (
    <Panel id="deliveries" title={texts.deliveries} class="deliveries">
      <Facts class="body">
        {facts.map(({ name, text, isSet }) => (
          <Fact key={name} name={texts[name]}>
            <Status tone={isSet ? "ok" : "off"}>{text}</Status>
            {isSet && name !== "mail" && <TestButton view={view} name={name} />}
          </Fact>
        ))}
      </Facts>
    </Panel>
  );
}

function TestButton({ view, name }: { view: AccountView; name: "alerts" | "payments" }) {
  const { settings: texts } = view.catalog;
  return (
    <form method="post" action="/console/admin/settings/test">
      <button class="button small" type="submit" name="delivery" value={name}>
        {name === "alerts" ? texts.alertsTest : texts.paymentsCheck}
      </button>
    </form>
  );
}

/** Read-only settings, each with the configuration field that sets it. */
export function ConfigPanel({ view, rows }: { view: AccountView; rows: readonly ConfigRow[] }) {
  const { settings: texts } = view.catalog;
  return (
    <Panel id="fixed" title={texts.fixed}>
      <p class="hint below">{texts.fixedText}</p>
      <Table
        oneLine
        caption={texts.fixedCaption}
        label={texts.fixedLabel}
        head={
          <>
            <Column>{texts.what}</Column>
            <Column>{texts.value}</Column>
            <Column>{texts.field}</Column>
          </>
        }
      >
        {rows.map(({ what, value, field }) => (
          <Row key={field}>
            <NameCell>
              <span>{texts.rows[what]}</span>
            </NameCell>
            <Cell label={texts.value}>{value}</Cell>
            <Cell label={texts.field}>
              <code {...untranslated}>{field}</code>
            </Cell>
          </Row>
        ))}
      </Table>
    </Panel>
  );
}
