import type { AccountView } from "../../lib/console/page/view.ts";
import type { UserPageData } from "../../lib/console/users/user_page.ts";
import { A } from "../A.tsx";
import { Fold } from "../Panel.tsx";
import { untranslated } from "../untranslated.ts";
import { Fact, Facts, Time } from "../values.tsx";
import { secondStepInWords } from "./UserPanel.tsx";

/** The facts of a user, and the actions that restrict the user's access. */
export function UserFacts({ view, data }: { view: AccountView; data: UserPageData }) {
  const { users: texts } = view.catalog;
  const { row, identities, fixed, row: { user } } = data;
  return (
    <Fold id="facts" title={texts.facts} value={texts.factsHint}>
      <div class="body fields">
        <Known view={view} row={row} identities={identities} />
        <p>
          <A class="link" href={`/console/admin/audit?q=${encodeURIComponent(user.id)}`}>
            {texts.changesOf}
          </A>
        </p>
        {fixed && <p class="hint">{texts[fixed]}</p>}
        <Actions view={view} data={data} />
      </div>
    </Fold>
  );
}

function Known(
  { view, row, identities }:
    & { view: AccountView }
    & Pick<UserPageData, "row" | "identities">,
) {
  const { catalog: { users: texts, audit, security }, formats } = view;
  const { user, sessions, lastSeenAtMs } = row;
  return (
    <Facts>
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
    </Facts>
  );
}

function Actions(
  { view: { catalog: { users: texts, security: { admin } } }, data }: {
    view: AccountView;
    data: UserPageData;
  },
) {
  const { user, hasCode, passkeys } = data.row;
  const fixed = data.fixed !== undefined;
  const path = `/console/admin/users/${user.id}`;
  return (
    <div class="actions start">
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
