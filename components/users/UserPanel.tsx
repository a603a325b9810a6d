import type { AccountView } from "../../lib/console/page/view.ts";
import { roles } from "../../lib/console/users/account_form.ts";
import { type readUserList, userList, type UserRow } from "../../lib/console/users/user_list.ts";
import {
  A,
  type ColumnsOf,
  ListPanel,
  type PanelProps,
  Status,
  Time,
  untranslated,
} from "../list.ts";
import { Dollars } from "../Dollars.tsx";

type UserColumns = ColumnsOf<typeof userList>;

/** All users, with their balances and their spend. */
export function UserPanel(
  { groupIds, ...props }: PanelProps<typeof userList> & {
    groupIds: readonly string[];
    page: Awaited<ReturnType<typeof readUserList>> | undefined;
  },
) {
  const { view, page } = props;
  const { catalog: { users: texts, account }, formats } = view;
  return (
    <ListPanel
      {...props}
      id="users"
      list={userList}
      texts={texts}
      icon="users"
      columns={[...nameColumns(view), ...useColumns(view), ...dateColumns(view)]}
      keyOf={({ user }) => user.id}
      isOff={({ user }) => !user.enabled}
      filtersBelow
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

function nameColumns({ catalog: { users: texts, account } }: AccountView): UserColumns {
  return [
    {
      head: texts.email,
      sort: "email",
      type: "name",
      cell: ({ user: { id, email } }) => (
        <>
          <span {...untranslated}>
            <A href={`/console/admin/users/${id}`}>{email}</A>
          </span>
          <code {...untranslated}>{id}</code>
        </>
      ),
    },
    {
      head: texts.status,
      cell: ({ user: { enabled } }) => (
        <Status tone={enabled ? "ok" : "off"}>{enabled ? texts.enabled : texts.disabled}</Status>
      ),
    },
    { head: texts.role, cell: ({ user }) => account[user.role] },
  ];
}

function useColumns({ catalog: { users: texts }, formats }: AccountView): UserColumns {
  return [
    {
      head: texts.balance,
      sort: "balance",
      type: "number",
      cell: ({ user: { spending }, balanceNanoUsd }) =>
        spending === "unlimited" && balanceNanoUsd <= 0n
          ? texts.unlimited
          : <Dollars nanoUsd={balanceNanoUsd} formats={formats} />,
    },
    {
      head: texts.spent,
      sort: "spent",
      type: "number",
      cell: ({ spentNanoUsd }) => <Dollars nanoUsd={spentNanoUsd} formats={formats} />,
    },
    {
      head: texts.calls,
      sort: "calls",
      type: "number",
      cell: ({ calls }) => formats.count(calls),
    },
    {
      head: texts.keys,
      class: "quiet",
      cell: ({ keys, groupIds }) => (
        <span>
          {formats.count(keys)}
          {groupIds.length > 0 && " · "}
          <span {...untranslated}>{groupIds.join(", ")}</span>
        </span>
      ),
    },
  ];
}

function dateColumns(view: AccountView): UserColumns {
  const { catalog: { users: texts, security: { admin } }, formats } = view;
  return [
    { head: admin.column, class: "quiet", cell: (row) => secondStepInWords(row, view) },
    {
      head: texts.lastSeen,
      sort: "seen",
      class: "quiet",
      cell: ({ lastSeenAtMs: atMs }) =>
        atMs === undefined ? texts.never : <Time atMs={atMs} formats={formats} />,
    },
    {
      head: texts.created,
      sort: "created",
      class: "quiet side",
      cell: ({ user }) => <Time atMs={user.createdAtMs} formats={formats} as="day" />,
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
