import type { UserRow } from "../../lib/console/users/user_rows.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import { A } from "../A.tsx";
import { Panel } from "../Panel.tsx";
import { Status } from "../States.tsx";
import { Time } from "../Time.tsx";
import { untranslated } from "../untranslated.ts";
import { secondStepInWords } from "./UserTable.tsx";

/** What is known of a user, and the ways to keep the user out. */
export function UserFacts(
  { view, row, fixed }: { view: AccountView; row: UserRow; fixed?: "first" | "self" },
) {
  const { catalog, formats } = view;
  const { users: texts } = catalog;
  const { user, sessions, lastSeenAtMs, spentNanoUsd } = row;
  const isSelf = view.user.email === user.email;
  return (
    <Panel
      id="facts"
      title={texts.facts}
      end={
        <A class="link" href={`/console/admin/audit?q=${encodeURIComponent(user.id)}`}>
          {texts.changesOf}
        </A>
      }
    >
      <div class="body fields">
        <dl class="facts">
          <div>
            <dt>{texts.status}</dt>
            <dd>
              <Status tone={user.enabled ? "ok" : "off"}>
                {user.enabled ? texts.enabled : texts.disabled}
              </Status>
            </dd>
          </div>
          <div>
            <dt>{texts.id}</dt>
            <dd>
              <code {...untranslated}>{user.id}</code>
            </dd>
          </div>
          <div>
            <dt>{texts.created}</dt>
            <dd>
              <Time atMs={user.createdAtMs} formats={formats} as="moment" />
            </dd>
          </div>
          <div>
            <dt>{texts.sessions}</dt>
            <dd>
              {texts.sessionCount(sessions)}
              {lastSeenAtMs !== undefined && (
                <>
                  {" · "}
                  <Time atMs={lastSeenAtMs} formats={formats} />
                </>
              )}
            </dd>
          </div>
          <div>
            <dt>{catalog.security.admin.column}</dt>
            <dd>{secondStepInWords(row, view)}</dd>
          </div>
          <div>
            <dt>{texts.spent}</dt>
            <dd>{formats.money(spentNanoUsd)}</dd>
          </div>
          <div>
            <dt>{texts.calls}</dt>
            <dd>
              <A href={`/console/log?scope=all&user=${encodeURIComponent(user.id)}&period=30d`}>
                {formats.count(row.calls)}
              </A>
            </dd>
          </div>
          <div>
            <dt>{texts.keys}</dt>
            <dd>
              {formats.count(row.keys)}
              {row.groupIds.length > 0 && (
                <>
                  {" · "}
                  <span {...untranslated}>{row.groupIds.join(", ")}</span>
                </>
              )}
            </dd>
          </div>
        </dl>
        {fixed && <p class="hint">{texts[fixed]}</p>}
        <Actions view={view} row={row} fixed={fixed !== undefined} self={isSelf} />
      </div>
    </Panel>
  );
}

function Actions(
  { view: { catalog: { users: texts, security: { admin } } }, row, fixed, self }: {
    view: AccountView;
    row: UserRow;
    fixed: boolean;
    self: boolean;
  },
) {
  const { user, sessions, hasCode, passkeys } = row;
  const path = `/console/admin/users/${user.id}`;
  return (
    <div class="actions start">
      {!fixed && user.enabled && <A class="button" href={`${path}/enabled`}>{texts.disable}</A>}
      {!fixed && !user.enabled && (
        <form method="post" action={`${path}/enabled`}>
          <button class="button" type="submit" name="enabled" value="true">{texts.enable}</button>
        </form>
      )}
      {sessions > 0 && (
        <form method="post" action={`${path}/sessions`}>
          <button class="button" type="submit">{texts.signOut}</button>
        </form>
      )}
      {!self && (
        <form method="post" action={`${path}/view`}>
          <button class="button" type="submit">{texts.view}</button>
        </form>
      )}
      {!fixed && <A class="button" href={`${path}/delete`}>{texts.delete}</A>}
      <A class="button" href={`${path}/password`}>{admin.passwordLink}</A>
      {(hasCode || passkeys > 0) && <A class="button" href={`${path}/second-step`}>{admin.reset}
      </A>}
    </div>
  );
}
