import {
  type KeyColumn,
  keyListPath,
  type KeyQuery,
  type KeyRow,
  keyStatuses,
  sortedBy,
} from "../lib/console/key_rows.ts";
import type { AccountView } from "../lib/console/view.ts";
import { Icon } from "./Icon.tsx";
import { KeyTableRow } from "./KeyTableRow.tsx";
import { Empty } from "./States.tsx";
import { Column, Table } from "./Table.tsx";

export interface KeyPanelProps {
  readonly view: AccountView;
  readonly query: KeyQuery;
  /** Absent where they could not be read. */
  readonly rows: readonly KeyRow[] | undefined;
  /** Without the filter. */
  readonly total: number;
}

/** The account's keys: a filter that lives in the address, and the table or why there is none. */
export function KeyPanel(props: KeyPanelProps) {
  const { view: { catalog: { keys } }, rows, total } = props;
  const shown = rows?.length ?? 0;
  return (
    <section class="panel" aria-labelledby="keys">
      <header>
        <h2 id="keys">{shown === total ? keys.count(total) : keys.countOf(shown, total)}</h2>
        <span class="spacer" />
        {total > 0 && <Filters {...props} />}
      </header>
      {rows === undefined
        ? <Failed {...props} />
        : total === 0
        ? <None {...props} />
        : shown === 0
        ? <NoMatch {...props} />
        : <Keys {...props} rows={rows} />}
    </section>
  );
}

function Filters({ view: { catalog: { keys, keyStatus } }, query }: KeyPanelProps) {
  return (
    <form class="filters" action="/console/token" role="search" aria-label={keys.filter}>
      <input
        class="input"
        type="search"
        name="q"
        aria-label={keys.search}
        placeholder={keys.search}
        autocomplete="off"
        value={query.text}
      />
      <select class="input" name="status" aria-label={keys.status}>
        <option value="">{keys.anyStatus}</option>
        {keyStatuses.map((status) => (
          <option value={status} selected={status === query.status}>{keyStatus[status]}</option>
        ))}
      </select>
      <input
        type="hidden"
        name="sort"
        value={`${query.descending ? "-" : ""}${query.column}`}
      />
      <button class="button" type="submit">{keys.filter}</button>
    </form>
  );
}

function Keys({ view, query, rows }: KeyPanelProps & { rows: readonly KeyRow[] }) {
  const { keys } = view.catalog;
  return (
    <Table
      caption={keys.caption}
      label={keys.tableLabel}
      head={
        <>
          <SortColumn query={query} column="name" name={keys.name} />
          <Column>{keys.status}</Column>
          <Column>{keys.group}</Column>
          <SortColumn query={query} column="created" name={keys.created} />
          <SortColumn query={query} column="used" name={keys.lastUsed} />
          <SortColumn query={query} column="expires" name={keys.expires} />
          <Column>
            <span class="unseen">{keys.actions}</span>
          </Column>
        </>
      }
    >
      {rows.map((row) => (
        <KeyTableRow key={row.apiKey.id} view={view} row={row} back={keyListPath(query)} />
      ))}
    </Table>
  );
}

function SortColumn(
  { query, column, name }: { query: KeyQuery; column: KeyColumn; name: string },
) {
  const sorted = query.column === column;
  return (
    <Column sort={!sorted ? undefined : query.descending ? "descending" : "ascending"}>
      <a href={keyListPath(sortedBy(query, column))} aria-current="false">
        {name}
        {sorted && <Icon name={query.descending ? "arrow-down" : "arrow-up"} small />}
      </a>
    </Column>
  );
}

function None({ view: { catalog: { keys } } }: KeyPanelProps) {
  return (
    <Empty icon="key-round" title={keys.empty} text={keys.emptyText}>
      <a class="button" href="/console/token/new">{keys.create}</a>
    </Empty>
  );
}

function NoMatch({ view: { catalog: { keys } } }: KeyPanelProps) {
  return (
    <Empty icon="search" title={keys.noMatch} text={keys.noMatchText}>
      <a class="button" href="/console/token" aria-current="false">{keys.clear}</a>
    </Empty>
  );
}

function Failed({ view: { catalog: { keys }, path } }: KeyPanelProps) {
  return (
    <Empty icon="triangle-alert" title={keys.failed}>
      <a class="button" href={path} aria-current="false">{keys.retry}</a>
    </Empty>
  );
}
