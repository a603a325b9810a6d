import { sessionId } from "../../lib/admin/users.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import type { UserPageData } from "../../lib/console/users/user_page.ts";
import { A } from "../A.tsx";
import { Form } from "../Form.tsx";
import { Panel } from "../Panel.tsx";
import { sessionInWords } from "../account/SessionPanel.tsx";
import { LimitsInForce } from "../bounds/LimitsInForce.tsx";
import { RowButton } from "../RowButton.tsx";
import { untranslated } from "../untranslated.ts";
import { Time } from "../values.tsx";

interface RailProps {
  readonly view: AccountView;
  readonly data: UserPageData;
}

/** The limits in force for a user. */
export function UserBounds({ view, data: { bounds } }: RailProps) {
  const edit = view.opens(view.path, "POST") && (
    <A class="link" href="#budgets">{view.catalog.users.edit}</A>
  );
  return <LimitsInForce view={view} bounds={bounds} end={edit} />;
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
