import type { AccountView } from "../../lib/console/page/view.ts";
import type { UserPageData } from "../../lib/console/users/user_page.ts";
import { A } from "../A.tsx";
import { Fact, Facts } from "../Facts.tsx";
import { Dollars } from "../Dollars.tsx";
import { Panel } from "../Panel.tsx";
import { Status } from "../States.tsx";
import { Time } from "../Time.tsx";
import { untranslated } from "../untranslated.ts";
import { secondStepInWords } from "./UserPanel.tsx";

/** The facts of a user, and the actions that restrict the user's access. */
export function UserFacts({ view, data }: { view: AccountView; data: UserPageData }) {
  const { users: texts } = view.catalog;
  const { row, identities, fixed, row: { user } } = data;
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
        <Known view={view} row={row} identities={identities} />
        {fixed && <p class="hint">{texts[fixed]}</p>}
        <Actions
          view={view}
          data={data}
          self={view.user.email === user.email}
        />
      </div>
    </Panel>
  );
}

function Known(
  { view, row, identities }:
    & { view: AccountView }
    & Pick<UserPageData, "row" | "identities">,
) {
  const { catalog: { users: texts, audit, security }, formats } = view;
  const { user, sessions, lastSeenAtMs, spentNanoUsd } = row;
  return (
    <Facts>
      <Fact name={texts.status}>
        <Status tone={user.enabled ? "ok" : "off"}>
          {user.enabled ? texts.enabled : texts.disabled}
        </Status>
      </Fact>
      <Fact name={audit.fields.project}>
        {user.projectId !== undefined && (
          <A href={`/console/admin/projects/${user.projectId}`} {...untranslated}>
            {user.projectId}
          </A>
        )}
      </Fact>
      <Fact name={texts.id}>
        <code {...untranslated}>{user.id}</code>
      </Fact>
      <Fact name={texts.created}>
        <Time atMs={user.createdAtMs} formats={formats} as="moment" />
      </Fact>
      <Fact name={texts.sessions}>
        {texts.sessionCount(sessions)}
        {lastSeenAtMs !== undefined && (
          <>
            {" · "}
            <Time atMs={lastSeenAtMs} formats={formats} />
          </>
        )}
      </Fact>
      <Fact name={security.admin.column}>{secondStepInWords(row, view)}</Fact>
      {identities.length > 0 && (
        <Fact name={security.sso.column} {...untranslated}>
          {identities.map(({ name, email }) => email ? `${name} · ${email}` : name).join(", ")}
        </Fact>
      )}
      <Fact name={texts.spent}>
        <Dollars nanoUsd={spentNanoUsd} formats={formats} />
      </Fact>
      <Fact name={texts.calls}>
        <A href={`/console/log?scope=all&user=${encodeURIComponent(user.id)}&period=30d`}>
          {formats.count(row.calls)}
        </A>
      </Fact>
      <Fact name={texts.keys}>
        {formats.count(row.keys)}
        {row.groupIds.length > 0 && (
          <>
            {" · "}
            <span {...untranslated}>{row.groupIds.join(", ")}</span>
          </>
        )}
      </Fact>
    </Facts>
  );
}

function Actions(
  { view: { catalog: { users: texts, security: { admin } } }, data, self }: {
    view: AccountView;
    data: UserPageData;
    self: boolean;
  },
) {
  const { user, sessions, hasCode, passkeys } = data.row;
  const fixed = data.fixed !== undefined;
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
      {data.isLocal && <A class="button" href={`${path}/password`}>{admin.passwordLink}</A>}
      {(hasCode || passkeys > 0) && (
        <A class="button" href={`${path}/second-step`}>
          {admin.reset}
        </A>
      )}
    </div>
  );
}
