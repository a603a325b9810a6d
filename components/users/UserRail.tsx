import { browserNames } from "../../lib/console/account/browser_words.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import type { UserPageData } from "../../lib/console/users/user_page.ts";
import { A } from "../A.tsx";
import { Panel } from "../Panel.tsx";
import { Time } from "../Time.tsx";
import { BudgetMeters } from "../keys/KeyDetail.tsx";
import { untranslated } from "../untranslated.ts";

interface RailProps {
  readonly view: AccountView;
  readonly data: UserPageData;
}

/** The limits of a user and their use. */
export function UserLimits({ view, data: { row: { user }, budgets = [] } }: RailProps) {
  const { catalog: { users: texts }, formats } = view;
  const limits = Object.entries(user.limits ?? {});
  const words: Readonly<Record<string, string>> = {
    requestsPerMinute: texts.requestsPerMinute,
    tokensPerMinute: texts.tokensPerMinute,
    concurrency: texts.concurrency,
  };
  return (
    <Panel
      id="limits"
      title={texts.limitsTitle}
      end={<A class="link" href="#settings">{texts.edit}</A>}
    >
      <BudgetMeters view={view} budgets={budgets} />
      {limits.length > 0 && (
        <ul class="body latest">
          {limits.map(([name, value]) => (
            <li key={name}>
              <span>{words[name]}</span>
              <b>{formats.count(value)}</b>
            </li>
          ))}
        </ul>
      )}
      {budgets.length === 0 && limits.length === 0 && <p class="body soft">{texts.noLimits}</p>}
    </Panel>
  );
}

/** The browsers in which a user is signed in. */
export function UserSessions({ view, data: { row: { user }, sessions = [] } }: RailProps) {
  const { catalog: { users: texts, security }, formats } = view;
  const path = `/console/admin/users/${user.id}/sessions`;
  return (
    <Panel
      id="sessions"
      title={texts.sessions}
      end={sessions.length > 0 && (
        <form method="post" action={path}>
          <button class="button small" type="submit">{texts.signOut}</button>
        </form>
      )}
    >
      {sessions.length === 0 && <p class="body soft">{texts.noSessions}</p>}
      <ul class="body seen">
        {sessions.map(({ digest, userAgent, ip, lastSeenAtMs }) => {
          const { browser, system } = browserNames(userAgent);
          return (
            <li key={digest}>
              <span>
                {browser && system
                  ? security.sessions.on(browser, system)
                  : browser ?? system ?? security.sessions.unknown}
              </span>
              <span class="soft" {...untranslated}>{ip}</span>
              <Time atMs={lastSeenAtMs} formats={formats} />
            </li>
          );
        })}
      </ul>
    </Panel>
  );
}
