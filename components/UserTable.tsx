import type { UserRow } from "../lib/console/user_rows.ts";
import type { AccountView, Catalog } from "../lib/console/view.ts";
import { Status } from "./States.tsx";
import { Cell, Column, NameCell, Row, Table } from "./Table.tsx";
import { Time } from "./Time.tsx";
import { untranslated } from "./untranslated.ts";

/** Who has an account, and what it has and spends. */
export function UserTable({ view, rows }: { view: AccountView; rows: readonly UserRow[] }) {
  const { users: texts } = view.catalog;
  return (
    <Table
      caption={texts.caption}
      label={texts.tableLabel}
      head={
        <>
          <Column>{texts.email}</Column>
          <Column>{texts.status}</Column>
          <Column>{texts.role}</Column>
          <Column>{texts.spending}</Column>
          <Column number>{texts.balance}</Column>
          <Column number>{texts.spent}</Column>
          <Column>{view.catalog.security.admin.column}</Column>
          <Column>{texts.lastSeen}</Column>
          <Column>{texts.created}</Column>
        </>
      }
    >
      {rows.map((row) => <UserTableRow key={row.user.id} view={view} row={row} />)}
    </Table>
  );
}

/** By what else than the password a user signs in. */
export function secondStepInWords(
  { hasCode, passkeys }: Pick<UserRow, "hasCode" | "passkeys">,
  { security: { admin: texts } }: Catalog,
): string {
  const parts = [...hasCode ? [texts.code] : [], ...passkeys ? [texts.passkeys(passkeys)] : []];
  return parts.length > 0 ? parts.join(", ") : texts.none;
}

function UserTableRow({ view, row }: { view: AccountView; row: UserRow }) {
  const { catalog, formats } = view;
  const { users: texts, account } = catalog;
  const { user, balanceNanoUsd, spentNanoUsd, lastSeenAtMs } = row;
  return (
    <Row off={!user.enabled}>
      <NameCell>
        <span {...untranslated}>
          <a href={`/console/admin/users/${user.id}`} aria-current="false">{user.email}</a>
        </span>
        <code {...untranslated}>{user.id}</code>
      </NameCell>
      <Cell label={texts.status}>
        <Status tone={user.enabled ? "ok" : "off"}>
          {user.enabled ? texts.enabled : texts.disabled}
        </Status>
      </Cell>
      <Cell label={texts.role}>{account[user.role]}</Cell>
      <Cell label={texts.spending} class="quiet">{texts[user.spending]}</Cell>
      <Cell label={texts.balance} class="number">
        {user.spending === "unlimited" && balanceNanoUsd <= 0n
          ? texts.none
          : formats.money(balanceNanoUsd)}
      </Cell>
      <Cell label={texts.spent} class="number">{formats.money(spentNanoUsd)}</Cell>
      <Cell label={catalog.security.admin.column} class="quiet">
        {secondStepInWords(row, catalog)}
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
