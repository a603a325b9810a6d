import type { AccountView } from "../../lib/console/page/view.ts";
import type { ConfigRow, DeliveryFact } from "../../lib/console/settings/settings_page.ts";
import { Fact, Facts } from "../Facts.tsx";
import { Icon } from "../Icon.tsx";
import { Status } from "../States.tsx";
import { untranslated } from "../untranslated.ts";

/** The set-up of alerts, payments or mail, with a test button. */
export function DeliveryState({ view, fact }: { view: AccountView; fact: DeliveryFact }) {
  const { settings: texts } = view.catalog;
  const { name, text, isSet } = fact;
  return (
    <div class="body delivery">
      <Status tone={isSet ? "ok" : "off"}>{texts[name]}</Status>
      <span class="soft">{text}</span>
      {isSet && name !== "mail" && (
        <form method="post" action="/console/admin/settings/test">
          <button class="button small" type="submit" name="delivery" value={name}>
            {name === "alerts" ? texts.alertsTest : texts.paymentsCheck}
          </button>
        </form>
      )}
    </div>
  );
}

/** Read-only settings, each with the configuration field that sets it. */
export function ConfigFacts({ view, rows }: { view: AccountView; rows: readonly ConfigRow[] }) {
  const { settings: texts } = view.catalog;
  if (rows.length === 0) return null;
  return (
    <details class="fold rare">
      <summary>
        <Icon name="chevron-right" small />
        {texts.fixed}
        <span class="hint">{texts.fixedText(rows.length)}</span>
      </summary>
      <Facts>
        {rows.map(({ what, value, field }) => (
          <Fact key={field} name={texts.rows[what]}>
            {value} <code {...untranslated}>{field}</code>
          </Fact>
        ))}
      </Facts>
    </details>
  );
}
