import { sessionId } from "../../lib/admin/users.ts";
import type { AccountPageData } from "../../lib/console/account/account_page.ts";
import { browserNames } from "../../lib/console/account/browser_words.ts";
import type { Catalog } from "../../lib/console/i18n/mod.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import type { Session } from "../../lib/store/users/mod.ts";
import { Panel } from "../Panel.tsx";
import { Cell, Column, NameCell, Row, Table } from "../Table.tsx";
import { untranslated } from "../untranslated.ts";
import { Time } from "../values.tsx";

const path = "/console/account/sessions";

/** The account's sessions, with a sign-out button for each. */
export function SessionPanel({ view, data }: { view: AccountView; data: AccountPageData }) {
  const { sessions: texts } = view.catalog.security;
  const { sessions, hereDigest } = data;
  return (
    <Panel
      id="sessions"
      title={texts.title}
      end={sessions.length > 1 && (
        <form method="post" action={path}>
          <button class="button small" type="submit" name="others" value="true">
            {texts.endOthers}
          </button>
        </form>
      )}
    >
      <Table
        caption={texts.caption}
        label={texts.label}
        oneLine
        head={
          <>
            <Column>{texts.browser}</Column>
            <Column>{texts.address}</Column>
            <Column>{texts.seen}</Column>
            <Column>{texts.begun}</Column>
            <Column>
              <span class="unseen">{texts.action}</span>
            </Column>
          </>
        }
      >
        {sessions.map((session) => (
          <SessionRow
            key={session.digest}
            view={view}
            session={session}
            isHere={session.digest === hereDigest}
          />
        ))}
      </Table>
      <p class="hint below">{texts.text}</p>
    </Panel>
  );
}

function SessionRow(
  { view, session, isHere }: { view: AccountView; session: Session; isHere: boolean },
) {
  const { catalog, formats } = view;
  const { sessions: texts } = catalog.security;
  const name = sessionInWords(session, catalog);
  return (
    <Row>
      <NameCell>
        <span title={session.userAgent}>
          {name}
          {isHere && <span class="tag">{texts.here}</span>}
        </span>
      </NameCell>
      <Cell label={texts.address}>
        {session.ip ? <code {...untranslated}>{session.ip}</code> : texts.none}
      </Cell>
      <Cell label={texts.seen} class="quiet">
        <Time atMs={session.lastSeenAtMs} formats={formats} />
      </Cell>
      <Cell label={texts.begun} class="quiet">
        <Time atMs={session.createdAtMs} formats={formats} as="moment" />
      </Cell>
      <Cell class="number">
        {!isHere && (
          <form method="post" action={path}>
            <button
              class="button small"
              type="submit"
              name="session"
              value={sessionId(session)}
              aria-label={texts.endFor(name)}
            >
              {texts.end}
            </button>
          </form>
        )}
      </Cell>
    </Row>
  );
}

/** The browser and the system of a session. */
export function sessionInWords(
  { userAgent }: Session,
  { security: { sessions: texts } }: Catalog,
): string {
  const { browser, system } = browserNames(userAgent);
  if (browser && system) return texts.on(browser, system);
  return browser ?? system ?? texts.unknown;
}
