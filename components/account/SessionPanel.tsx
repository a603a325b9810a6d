import { sessionId } from "../../lib/admin/users.ts";
import type { AccountPageData } from "../../lib/console/account/account_page.ts";
import { devicesPath } from "../../lib/console/account/devices.ts";
import { browserNames } from "../../lib/console/account/browser_words.ts";
import type { Catalog } from "../../lib/console/i18n/mod.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import type { Session } from "../../lib/store/users/mod.ts";
import { A } from "../A.tsx";
import { Panel } from "../Panel.tsx";
import { RowButton } from "../RowButton.tsx";
import { ListTable, type TableColumn } from "../Table.tsx";
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
      end={
        <>
          <A class="button small" href={devicesPath}>{view.catalog.security.devices.title}</A>
          {sessions.length > 1 && (
            <form method="post" action={path}>
              <button class="button small" type="submit" name="others" value="true">
                {texts.endOthers}
              </button>
            </form>
          )}
        </>
      }
    >
      <ListTable
        oneLine
        caption={texts.caption}
        label={texts.label}
        rows={sessions}
        keyOf={({ digest }) => digest}
        columns={columns(view, hereDigest)}
      />
      <p class="hint below">{texts.text}</p>
    </Panel>
  );
}

function columns(
  { catalog, formats }: AccountView,
  hereDigest: string,
): readonly TableColumn<Session>[] {
  const { sessions: texts } = catalog.security;
  return [
    {
      head: texts.browser,
      type: "name",
      cell: (session) => (
        <span title={session.userAgent}>
          {sessionInWords(session, catalog)}
          {session.digest === hereDigest && <span class="tag">{texts.here}</span>}
        </span>
      ),
    },
    {
      head: texts.address,
      cell: ({ ip }) => ip ? <code {...untranslated}>{ip}</code> : texts.none,
    },
    {
      head: texts.seen,
      class: "quiet",
      cell: ({ lastSeenAtMs }) => <Time atMs={lastSeenAtMs} formats={formats} />,
    },
    {
      head: texts.begun,
      class: "quiet",
      cell: ({ createdAtMs }) => <Time atMs={createdAtMs} formats={formats} as="moment" />,
    },
    {
      head: texts.action,
      unseen: true,
      class: "number",
      cell: (session) =>
        session.digest !== hereDigest && (
          <RowButton
            action={path}
            name="session"
            value={sessionId(session)}
            text={texts.end}
            label={texts.endFor(sessionInWords(session, catalog))}
          />
        ),
    },
  ];
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
