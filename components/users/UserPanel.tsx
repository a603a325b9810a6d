import { roles } from "../../lib/accounts/mod.ts";
import { listHref } from "../../lib/console/page/define_list.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import {
  type readUserList,
  userList,
  type UserRow,
  withoutProject,
} from "../../lib/console/users/user_list.ts";
import type { Invitation } from "../../lib/store/users/mod.ts";
import { Icon } from "../Icon.tsx";
import { Panel } from "../Panel.tsx";
import { RowButton } from "../RowButton.tsx";
import { ListTable } from "../Table.tsx";
import {
  A,
  type ColumnsOf,
  ListPanel,
  type PanelProps,
  Status,
  Time,
  untranslated,
} from "../list.ts";
import { decimalsAmong, Dollars, dollarsCell } from "../values.tsx";

type UserColumns = ColumnsOf<typeof userList>;

/** All users, with their balances and their spend. */
export function UserPanel(
  { groupIds, projectIds, ...props }: PanelProps<typeof userList> & {
    groupIds: readonly string[];
    projectIds: readonly string[];
    page: Awaited<ReturnType<typeof readUserList>> | undefined;
  },
) {
  const { view, query, page } = props;
  const { catalog: { users: texts, account }, formats } = view;
  return (
    <ListPanel
      {...props}
      id="users"
      list={userList}
      texts={texts}
      icon="users"
      columns={[...nameColumns(view, projectIds.length > 0), ...useColumns(view)]}
      oneLine
      keyOf={({ user }) => user.id}
      isOff={({ user }) => !user.enabled}
      filtersBelow
      end={page && page.total !== 0 && (
        <A
          class="icon-button"
          href={`/console/admin/users/export${
            listHref(userList, query, query).replace(userList.path, "")
          }`}
          aria-label={texts.exportCsv}
          title={texts.exportCsv}
        >
          <Icon name="download" small />
        </A>
      )}
      filters={[
        { name: "q", label: texts.search },
        {
          name: "role",
          label: texts.role,
          any: texts.anyRole,
          options: roles.map((one) => [one, account[one]]),
        },
        {
          name: "status",
          label: texts.status,
          any: texts.anyStatus,
          options: [["enabled", texts.enabled], ["disabled", texts.disabled]],
        },
        {
          name: "group",
          label: texts.groups,
          any: texts.anyGroup,
          options: groupIds.map((id) => [id, id]),
        },
        ...projectIds.length > 0
          ? [{
            name: "project" as const,
            label: texts.project,
            any: texts.anyProject,
            options: [
              [withoutProject, texts.noProject] as const,
              ...projectIds.map((id) => [id, id] as const),
            ],
          }]
          : [],
      ]}
      orders={texts.orders}
      above={page?.compared !== undefined && (
        <p class="body soft">
          {texts.compared(formats.count(page.compared), formats.count(page.found))}
        </p>
      )}
    />
  );
}

function nameColumns(
  { catalog: { users: texts, account } }: AccountView,
  hasProjects: boolean,
): UserColumns {
  return [
    {
      head: texts.email,
      sort: "email",
      type: "name",
      at: "name",
      cell: ({ user: { id, email } }) => (
        <span {...untranslated}>
          <A href={`/console/admin/users/${id}`}>{email}</A>
        </span>
      ),
    },
    {
      head: texts.status,
      at: "below",
      cell: ({ user: { enabled } }) => (
        <Status tone={enabled ? "ok" : "off"}>{enabled ? texts.enabled : texts.disabled}</Status>
      ),
    },
    { head: texts.role, cell: ({ user }) => account[user.role] },
    ...hasProjects
      ? [{
        head: texts.project,
        class: "owner",
        cell: ({ user: { projectId } }: UserRow) =>
          projectId && (
            <A href={`/console/admin/projects/${projectId}`} title={projectId} {...untranslated}>
              {projectId}
            </A>
          ),
      }]
      : [],
  ];
}

function useColumns(view: AccountView): UserColumns {
  const { catalog: { users: texts, security: { admin } }, formats } = view;
  return [
    { head: admin.column, class: "quiet", from: 1040, cell: (row) => secondStepInWords(row, view) },
    { head: texts.keys, type: "number", cell: ({ keys }) => formats.count(keys) },
    {
      head: texts.balance,
      sort: "balance",
      type: "number",
      cell: ({ user: { spending }, balanceNanoUsd }, rows) =>
        spending === "unlimited" && balanceNanoUsd <= 0n
          ? <span class="soft">{texts.unlimited}</span>
          : (
            <Dollars
              nanoUsd={balanceNanoUsd}
              formats={formats}
              decimals={decimalsAmong(rows.map((one) => one.balanceNanoUsd))}
            />
          ),
    },
    {
      head: texts.calls,
      sort: "calls",
      type: "number",
      cell: ({ calls }) => formats.count(calls),
    },
    {
      head: texts.spent,
      sort: "spent",
      at: "first",
      type: "number",
      cell: dollarsCell(formats, ({ spentNanoUsd }) => spentNanoUsd),
    },
    {
      head: texts.lastCall,
      sort: "called",
      at: "second",
      class: "quiet",
      cell: ({ lastCallAtMs: atMs }) =>
        atMs === undefined ? texts.never : <Time atMs={atMs} formats={formats} />,
    },
  ];
}

/** The factors beside the password that a user signs in with. */
export function secondStepInWords(
  { hasCode, passkeys }: Pick<UserRow, "hasCode" | "passkeys">,
  { catalog: { security: { admin: texts } }, formats }: Pick<AccountView, "catalog" | "formats">,
): string {
  const parts = [...hasCode ? [texts.code] : [], ...passkeys ? [texts.passkeys(passkeys)] : []];
  return parts.length > 0 ? formats.list(parts) : texts.none;
}

/** The open invitations; nothing without one. */
export function InvitationPanel(
  { view, invitations }: { view: AccountView; invitations: readonly Invitation[] },
) {
  const { catalog: { users: texts, account }, formats } = view;
  if (invitations.length === 0) return null;
  return (
    <Panel id="invitations" title={texts.invitations(invitations.length)}>
      <ListTable
        caption={texts.invitationsCaption}
        rows={invitations}
        keyOf={({ digest }) => digest}
        columns={[
          {
            head: texts.email,
            type: "name",
            class: "short",
            at: "name",
            cell: ({ email }) => <span title={email} {...untranslated}>{email}</span>,
          },
          { head: texts.role, at: "below", cell: ({ role }) => account[role] },
          { head: texts.spending, cell: ({ spending }) => texts[spending] },
          {
            head: texts.startsWith,
            cell: ({ creditNanoUsd, projectId, groupId }) =>
              formats.list(
                [
                  creditNanoUsd === undefined ? undefined : formats.money(creditNanoUsd),
                  projectId,
                  groupId,
                ]
                  .filter((part) => part !== undefined),
              ) || texts.none,
          },
          {
            head: texts.expires,
            class: "quiet",
            cell: ({ expiresAtMs }) => <Time atMs={expiresAtMs} formats={formats} as="moment" />,
          },
          {
            head: texts.revoke,
            unseen: true,
            class: "act",
            cell: ({ digest, email }) => (
              <RowButton
                action="/console/admin/users/invitations"
                name="invitation"
                value={digest}
                text={texts.revoke}
                label={texts.revokeFor(email)}
              />
            ),
          },
        ]}
      />
    </Panel>
  );
}
