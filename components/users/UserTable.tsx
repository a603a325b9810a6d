import {
  type UserQuery,
  type UserRow,
  type UserSort,
  usersPath,
} from "../../lib/console/users/user_rows.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import { A } from "../A.tsx";
import { Icon } from "../Icon.tsx";
import { Status } from "../States.tsx";
import { Cell, Column, NameCell, Row, Table } from "../Table.tsx";
import { Time } from "../Time.tsx";
import { untranslated } from "../untranslated.ts";

/** Who has an account, and what it has and spends. */
export function UserTable(
  { view, rows, query }: { view: AccountView; rows: readonly UserRow[]; query: UserQuery },
) {
  const { users: texts } = view.catalog;
  return (
    <Table
      caption={texts.caption}
      label={texts.tableLabel}
      head={
        <>
          <SortedColumn view={view} query={query} by="email">{texts.email}</SortedColumn>
          <Column>{texts.status}</Column>
          <Column>{texts.role}</Column>
          <SortedColumn view={view} query={query} by="balance">{texts.balance}</SortedColumn>
          <SortedColumn view={view} query={query} by="spent">{texts.spent}</SortedColumn>
          <SortedColumn view={view} query={query} by="calls">{texts.calls}</SortedColumn>
          <Column>{texts.keys}</Column>
          <Column>{view.catalog.security.admin.column}</Column>
          <SortedColumn view={view} query={query} by="seen">{texts.lastSeen}</SortedColumn>
          <SortedColumn view={view} query={query} by="created">{texts.created}</SortedColumn>
        </>
      }
    >
      {rows.map((row) => <UserTableRow key={row.user.id} view={view} row={row} />)}
    </Table>
  );
}

/** A sortable column head. First click: addresses sort ascending, all other columns descending. */
function SortedColumn(
  { view, query, by, children }: {
    view: AccountView;
    query: UserQuery;
    by: UserSort;
    children: string;
  },
) {
  const { users: texts } = view.catalog;
  const isNumber = by === "balance" || by === "spent" || by === "calls";
  const order = by === "email" || by === "created" ? "ascending" : "descending";
  return (
    <Column number={isNumber} sort={query.sort === by ? order : undefined}>
      <A href={usersPath({ ...query, sort: by })} title={texts.orders[by]}>
        {children}
        {query.sort === by && (
          <Icon name={order === "ascending" ? "arrow-up" : "arrow-down"} small />
        )}
      </A>
    </Column>
  );
}

/** The user's second factors, in words. */
export function secondStepInWords(
  { hasCode, passkeys }: Pick<UserRow, "hasCode" | "passkeys">,
  { catalog: { security: { admin: texts } }, formats }: AccountView,
): string {
  const parts = [...hasCode ? [texts.code] : [], ...passkeys ? [texts.passkeys(passkeys)] : []];
  return parts.length > 0 ? formats.list(parts) : texts.none;
}

function UserTableRow({ view, row }: { view: AccountView; row: UserRow }) {
  const { catalog, formats } = view;
  const { users: texts, account } = catalog;
  const { user, balanceNanoUsd, spentNanoUsd, lastSeenAtMs } = row;
  return (
    <Row off={!user.enabled}>
      <NameCell>
        <span {...untranslated}>
          <A href={`/console/admin/users/${user.id}`}>{user.email}</A>
        </span>
        <code {...untranslated}>{user.id}</code>
      </NameCell>
      <Cell label={texts.status}>
        <Status tone={user.enabled ? "ok" : "off"}>
          {user.enabled ? texts.enabled : texts.disabled}
        </Status>
      </Cell>
      <Cell label={texts.role}>{account[user.role]}</Cell>
      <Cell label={texts.balance} class="number">
        {user.spending === "unlimited" && balanceNanoUsd <= 0n
          ? texts.unlimited
          : formats.money(balanceNanoUsd)}
      </Cell>
      <Cell label={texts.spent} class="number">{formats.money(spentNanoUsd)}</Cell>
      <Cell label={texts.calls} class="number">{formats.count(row.calls)}</Cell>
      <Cell label={texts.keys} class="quiet">
        <span>
          {formats.count(row.keys)}
          {row.groupIds.length > 0 && " · "}
          <span {...untranslated}>{row.groupIds.join(", ")}</span>
        </span>
      </Cell>
      <Cell label={catalog.security.admin.column} class="quiet">
        {secondStepInWords(row, view)}
      </Cell>
      <Cell label={texts.lastSeen} class="quiet">
        {lastSeenAtMs === undefined ? texts.never : <Time atMs={lastSeenAtMs} formats={formats} />}
      </Cell>
      <Cell label={texts.created} class="quiet side">
        <Time atMs={user.createdAtMs} formats={formats} as="day" />
      </Cell>
    </Row>
  );
}
