import type { BoundsField } from "../../lib/admin/bound_names.ts";
import { windowsText } from "../../lib/admin/bounds.ts";
import { sessionId } from "../../lib/admin/users.ts";
import type { BudgetUse } from "../../lib/console/keys/budget_use.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import type { UserPageData } from "../../lib/console/users/user_page.ts";
import type { Group } from "../../lib/store/catalog/mod.ts";
import { A } from "../A.tsx";
import { Form } from "../Form.tsx";
import { Panel } from "../Panel.tsx";
import { sessionInWords } from "../account/SessionPanel.tsx";
import { BudgetMeters } from "../keys/KeyDetail.tsx";
import { RowButton } from "../RowButton.tsx";
import { untranslated } from "../untranslated.ts";
import { Time } from "../values.tsx";

interface RailProps {
  readonly view: AccountView;
  readonly data: UserPageData;
}

/** The limits of a user and their use. */
export function UserLimits({ view, data: { row: { user }, budgets } }: RailProps) {
  const none = view.catalog.users.noLimits;
  return <LimitsPanel view={view} limits={user.limits} budgets={budgets} none={none} />;
}

/** The budgets and limits of a user or a group, and the use of the budgets. */
export function LimitsPanel(
  { view, limits = {}, budgets = [], none, isFixed = false }: {
    view: AccountView;
    limits: Group["limits"];
    budgets: readonly BudgetUse[] | undefined;
    /** Shown without any. */
    none: string;
    /** True if the page has no form for them. */
    isFixed?: boolean;
  },
) {
  const { catalog: { users: texts }, formats } = view;
  const set = Object.entries(limits);
  return (
    <Panel
      id="limits"
      title={texts.limitsTitle}
      end={!isFixed && view.opens(view.path, "POST") && (
        <A class="link" href="#budgets">{texts.edit}</A>
      )}
    >
      <BudgetMeters view={view} budgets={budgets} />
      {set.length > 0 && (
        <ul class="body latest pairs">
          {set.map(([name, value]) => (
            <li key={name}>
              <span>{texts[name as BoundsField]}</span>
              <b>{typeof value === "number" ? formats.count(value) : windowsText(value)}</b>
            </li>
          ))}
        </ul>
      )}
      {budgets.length === 0 && set.length === 0 && <p class="body soft">{none}</p>}
    </Panel>
  );
}

/** The browsers in which a user is signed in. */
export function UserSessions(
  { view, data: { row: { user }, sessions = [], hereDigest } }: RailProps,
) {
  const { catalog: { users: texts, security }, formats } = view;
  const path = `/console/admin/users/${user.id}/sessions`;
  return (
    <Panel
      id="sessions"
      title={texts.sessions}
      end={sessions.length > 0 && (
        <Form action={path}>
          <button class="link" type="submit">{texts.signOut}</button>
        </Form>
      )}
    >
      {sessions.length === 0 && <p class="body soft">{texts.noSessions}</p>}
      <ul class="body seen">
        {sessions.map((session) => {
          const name = sessionInWords(session, view.catalog);
          return (
            <li key={session.digest}>
              <span>{name}</span>
              <span class="soft" {...untranslated}>{session.ip}</span>
              <Time atMs={session.lastSeenAtMs} formats={formats} />
              {session.digest !== hereDigest && (
                <RowButton
                  action={path}
                  name="session"
                  value={sessionId(session)}
                  text={security.sessions.end}
                  label={security.sessions.endFor(name)}
                />
              )}
            </li>
          );
        })}
      </ul>
    </Panel>
  );
}
