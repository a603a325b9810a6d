import type { AccountView } from "../../lib/console/page/view.ts";
import type { User } from "../../lib/store/users/mod.ts";
import { Panel } from "../Panel.tsx";

/** The mails that the reader wants. */
export function MailPanel({ view, user }: { view: AccountView; user: User }) {
  const { choice: texts } = view.catalog.mail;
  const isAdministrator = user.role === "administrator";
  const box = (name: "alerts" | "report", label: string) => (
    <label class="check">
      <input type="checkbox" name={name} value="on" checked={user.mail?.[name] !== false} />
      <span>{label}</span>
    </label>
  );
  return (
    <Panel id="mail" title={texts.title}>
      <form class="body fields" method="post" action="/console/account/mail">
        {box("alerts", isAdministrator ? texts.alertsAdministrator : texts.alerts)}
        {isAdministrator
          ? box("report", texts.report)
          : user.mail?.report !== false && <input type="hidden" name="report" value="on" />}
        <p class="hint">{texts.language}</p>
        <div class="actions start">
          <button class="button" type="submit">{texts.save}</button>
        </div>
      </form>
    </Panel>
  );
}
