import type { UserRow } from "../lib/console/user_rows.ts";
import type { AccountView } from "../lib/console/view.ts";
import { Status } from "./States.tsx";
import { Time } from "./Time.tsx";
import { untranslated } from "./untranslated.ts";

/** What is known of a user, and the ways to keep the user out. */
export function UserFacts(
  { view, row, fixed }: { view: AccountView; row: UserRow; fixed?: "first" | "self" },
) {
  const { catalog: { users: texts }, formats } = view;
  const { user, sessions, lastSeenAtMs, spentNanoUsd } = row;
  return (
    <section class="panel" aria-labelledby="facts">
      <header>
        <h2 id="facts">{texts.facts}</h2>
        <span class="spacer" />
        <a
          class="link"
          href={`/console/admin/audit?q=${encodeURIComponent(user.id)}`}
          aria-current="false"
        >
          {texts.changesOf}
        </a>
      </header>
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
            <dt>{texts.spent}</dt>
            <dd>{formats.money(spentNanoUsd)}</dd>
          </div>
        </dl>
        {fixed && <p class="hint">{texts[fixed]}</p>}
        <Actions view={view} row={row} fixed={fixed !== undefined} />
      </div>
    </section>
  );
}

function Actions(
  { view: { catalog: { users: texts } }, row: { user, sessions }, fixed }: {
    view: AccountView;
    row: UserRow;
    fixed: boolean;
  },
) {
  const path = `/console/admin/users/${user.id}`;
  return (
    <div class="actions start">
      {!fixed && user.enabled && (
        <a class="button" href={`${path}/enabled`} aria-current="false">{texts.disable}</a>
      )}
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
    </div>
  );
}
