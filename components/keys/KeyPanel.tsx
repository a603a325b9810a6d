import { type KeyList, keyListDays } from "../../lib/console/keys/key_list.ts";
import type { ListColumn } from "../../lib/console/keys/key_columns.ts";
import {
  type KeyColumn,
  keyListPath,
  type KeyQuery,
  keyStatuses,
} from "../../lib/console/keys/key_rows.ts";
import { sortText } from "../../lib/console/page/list_query.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import { A } from "../A.tsx";
import { Choice } from "../Choice.tsx";
import { FilterSheet } from "../FilterSheet.tsx";
import { Panel } from "../Panel.tsx";
import { KeyBulk } from "./KeyBulk.tsx";
import { KeyColumns } from "./KeyColumns.tsx";
import { KeyTableRow } from "./KeyTableRow.tsx";
import { SearchField } from "../SearchField.tsx";
import { SortColumn } from "../SortColumn.tsx";
import { Empty } from "../States.tsx";
import { Column, Table } from "../Table.tsx";

export interface KeyPanelProps {
  readonly view: AccountView;
  readonly query: KeyQuery;
  /** Absent if reading failed. */
  readonly list: KeyList | undefined;
}

/** The account's keys: filters from the address, and the table or an empty state. */
export function KeyPanel(props: KeyPanelProps) {
  const { view: { catalog: { keys } }, list } = props;
  const total = list?.keys.length ?? 0;
  const found = list?.found ?? 0;
  return (
    <Panel
      id="keys"
      title={found === total ? keys.count(total) : keys.countOf(found, total)}
      end={
        <>
          {list && total > 0 && <Filters {...props} list={list} />}
          {list && total > 0 && <KeyColumns {...props} columns={list.columns} />}
        </>
      }
    >
      {list === undefined
        ? <Failed {...props} />
        : total === 0
        ? <None {...props} />
        : list.rows.length === 0
        ? <NoMatch {...props} />
        : <Keys {...props} list={list} />}
    </Panel>
  );
}

type ListedProps = KeyPanelProps & { readonly list: KeyList };

function Filters({ view, query, list }: ListedProps) {
  const { keys, keyStatus, keyList } = view.catalog;
  const groups = [...new Set(list.keys.map(({ groupId }) => groupId))].sort();
  return (
    <FilterSheet
      view={view}
      label={keys.filter}
      used={[query.text, query.status, query.groupId].filter(Boolean).length}
      action="/console/token"
    >
      <SearchField label={keys.search} value={query.text} />
      <Choice
        name="status"
        label={keys.status}
        any={keys.anyStatus}
        value={query.status}
        options={keyStatuses.map((status) => [status, keyStatus[status]])}
      />
      {(groups.length > 1 || query.groupId !== undefined) && (
        <Choice
          name="group"
          label={keys.group}
          any={keyList.anyGroup}
          value={query.groupId}
          options={groups.map((id) => [id, id])}
        />
      )}
      <input type="hidden" name="sort" value={sortText(query)} />
      <button class="button" type="submit">{keys.filter}</button>
    </FilterSheet>
  );
}

function Keys({ view, query, list }: ListedProps) {
  const { keys, keyList } = view.catalog;
  const back = keyListPath(query);
  return (
    <>
      <Table
        caption={keys.caption}
        label={keys.tableLabel}
        head={
          <>
            <Column>
              <span class="unseen">{keyList.bulk}</span>
            </Column>
            <KeySortColumn query={query} column="name" name={keys.name} />
            <Column>{keys.status}</Column>
            {list.columns.map((column) => (
              <ChosenColumn
                view={view}
                query={query}
                column={column}
              />
            ))}
            <Column>
              <span class="unseen">{keys.actions}</span>
            </Column>
          </>
        }
      >
        {list.rows.map((row) => (
          <KeyTableRow
            key={row.apiKey.id}
            view={view}
            row={row}
            columns={list.columns}
            back={back}
          />
        ))}
      </Table>
      <KeyBulk view={view} back={back} />
      <Pages view={view} query={query} list={list} />
    </>
  );
}

function ChosenColumn(
  { view: { catalog: { keys, keyList } }, query, column }: {
    view: AccountView;
    query: KeyQuery;
    column: ListColumn;
  },
) {
  switch (column) {
    case "group":
      return <Column>{keys.group}</Column>;
    case "spend":
      return (
        <KeySortColumn
          query={query}
          column="spend"
          name={keyList.spend(keyListDays)}
          number
        />
      );
    case "calls":
      return <Column number>{keyList.calls(keyListDays)}</Column>;
    case "limit":
      return <Column>{keyList.limit}</Column>;
    case "created":
      return <KeySortColumn query={query} column="created" name={keys.created} />;
    case "used":
      return <KeySortColumn query={query} column="used" name={keys.lastUsed} />;
    case "expires":
      return <KeySortColumn query={query} column="expires" name={keys.expires} />;
    default:
      return column satisfies never;
  }
}

/** First click: names sort ascending, all other columns descending. */
function KeySortColumn(
  { query, column, ...head }: {
    query: KeyQuery;
    column: KeyColumn;
    name: string;
    number?: boolean;
  },
) {
  return (
    <SortColumn
      {...head}
      sort={query}
      column={column}
      first={column === "name" ? "ascending" : "descending"}
      href={(sort) => keyListPath({ ...query, ...sort, page: 1 })}
    />
  );
}

function Pages({ view: { catalog: { keyList } }, query, list }: ListedProps) {
  const { page } = query;
  const more = list.hasMore;
  if (page === 1 && !more) return null;
  const to = (other: number) => keyListPath({ ...query, page: other });
  return (
    <nav class="pager" aria-label={keyList.pages}>
      {page > 1 && <A class="button small" href={to(page - 1)}>{keyList.earlier}</A>}
      {more && <A class="button small" href={to(page + 1)}>{keyList.later}</A>}
    </nav>
  );
}

function None({ view: { catalog: { keys } } }: KeyPanelProps) {
  return (
    <Empty icon="key-round" title={keys.empty} text={keys.emptyText}>
      <A class="button" href="/console/token/new">{keys.create}</A>
    </Empty>
  );
}

function NoMatch({ view: { catalog: { keys } } }: KeyPanelProps) {
  return (
    <Empty icon="search" title={keys.noMatch} text={keys.noMatchText}>
      <A class="button" href="/console/token">{keys.clear}</A>
    </Empty>
  );
}

function Failed({ view: { catalog: { keys }, path } }: KeyPanelProps) {
  return (
    <Empty icon="triangle-alert" title={keys.failed}>
      <A class="button" href={path}>{keys.retry}</A>
    </Empty>
  );
}
