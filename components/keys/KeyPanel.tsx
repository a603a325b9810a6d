import { type KeyFilter, keyFilters } from "../../lib/admin/keys/key_status.ts";
import { bulkMax } from "../../lib/console/keys/key_bulk.ts";
import { type ListColumn, listColumns } from "../../lib/console/keys/key_columns.ts";
import {
  keyList,
  keyListDays,
  type KeyListPage,
  type KeyQuery,
} from "../../lib/console/keys/key_list.ts";
import { listHref } from "../../lib/console/page/define_list.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import type { Who } from "../../lib/console/page/who.ts";
import { Icon } from "../Icon.tsx";
import { A, ListPanel, type PanelProps } from "../list.ts";
import { KeyBulk, RowForm } from "./KeyBulk.tsx";
import { keyTableColumns } from "./KeyTable.tsx";

interface KeyPanelProps extends PanelProps<typeof keyList> {
  readonly page: KeyListPage | undefined;
  readonly who: Who;
}

/** The keys of the account or of everyone. */
export function KeyPanel({ who, ...props }: KeyPanelProps) {
  const { view, query, page } = props;
  const { keys, keyList: texts, keyAdmin } = view.catalog;
  const back = listHref(keyList, query, query);
  const groups = page?.groupIds ?? [];
  const found = page?.found ?? 0;
  const everyone = who === "everyone";
  return (
    <ListPanel
      {...props}
      id="keys"
      list={keyList}
      texts={everyone ? { ...keys, caption: keyAdmin.caption } : keys}
      icon="key-round"
      columns={keyTableColumns(view, {
        chosen: page?.columns ?? [],
        everyone,
        found: Math.min(found, bulkMax),
      })}
      keyOf={({ apiKey }) => apiKey.id}
      isOff={({ statuses: [status] }) => status === "disabled" || status === "expired"}
      filters={[
        { name: "q", label: everyone ? keyAdmin.search : keys.search },
        (groups.length > 1 || query.fields.group !== undefined) && {
          name: "group",
          label: keys.group,
          any: texts.anyGroup,
          options: groups.map((id) => [id, id]),
        },
        {
          name: "status",
          label: keys.status,
          options: keyFilters.map((one) => [one, filterName(view, one)]),
          elsewhere: true,
        },
        { name: "owner", label: keyAdmin.owner, elsewhere: true },
      ]}
      end={page && page.total !== 0 && (
        <>
          <KeyColumns view={view} columns={page.columns} />
          <A
            class="icon-button"
            href={`/console/token/export${back.replace(keyList.path, "")}`}
            aria-label={keyAdmin.exportCsv}
            title={keyAdmin.exportCsv}
          >
            <Icon name="download" small />
          </A>
        </>
      )}
      above={page && <Above {...props} page={page} />}
      below={
        <>
          <KeyBulk view={view} back={back} found={found} />
          <RowForm back={back} />
        </>
      }
      firstStep={<A class="button" href="/console/token/new">{keys.create}</A>}
    />
  );
}

/** The filters with their counts, and a note about the order. */
function Above(
  { view, query, page }: Omit<KeyPanelProps, "who" | "page"> & { page: KeyListPage },
) {
  const { catalog: { keyAdmin }, formats } = view;
  const { status, owner } = query.fields;
  const shown = keyFilters.filter((one) => page.counts.has(one) && one !== "active");
  if (page.total === 0) return null;
  return (
    <>
      <nav class="filter-chips" aria-label={keyAdmin.filters}>
        <Chip query={query} name={keyAdmin.all} count={formats.count(page.all)} />
        {(status && !shown.includes(status) ? [...shown, status] : shown).map((one) => (
          <Chip
            key={one}
            query={query}
            status={one}
            name={filterName(view, one)}
            count={formats.count(page.counts.get(one) ?? 0)}
          />
        ))}
        {owner !== undefined && (
          <A class="filter-chip" current href={hrefWith(query, { owner: undefined })}>
            {page.rows[0]?.owner ?? owner}
            <Icon name="x" small />
            <span class="unseen">{keyAdmin.removeOwner}</span>
          </A>
        )}
      </nav>
      {page.compared !== undefined && (
        <p class="body soft">{keyAdmin.compared(formats.count(page.compared))}</p>
      )}
    </>
  );
}

function filterName(
  { catalog: { keyAdmin, keyStatus } }: Pick<KeyPanelProps["view"], "catalog">,
  one: KeyFilter,
): string {
  return one === "unused" ? keyAdmin.unused : keyStatus[one];
}

function Chip(
  { query, status, name, count }: {
    query: KeyQuery;
    /** Absent for all keys. */
    status?: KeyQuery["fields"]["status"];
    name: string;
    count: string;
  },
) {
  return (
    <A
      class="filter-chip"
      current={query.fields.status === status}
      href={hrefWith(query, { status })}
    >
      {name} <b>{count}</b>
    </A>
  );
}

function hrefWith(query: KeyQuery, fields: Partial<KeyQuery["fields"]>): string {
  return listHref(keyList, { ...query, fields: { ...query.fields, ...fields } });
}

/** Selects the columns of the list, and stores them for the user. */
function KeyColumns(
  { view, columns }: { view: AccountView; columns: readonly ListColumn[] },
) {
  const { catalog: { keyList }, path } = view;
  return (
    <>
      <button class="button" type="button" popovertarget="key-columns">{keyList.columns}</button>
      <div class="menu of-columns" id="key-columns" popover="auto">
        <form method="post" action="/console/token/columns">
          <input type="hidden" name="back" value={path} />
          {listColumns.map((column) => (
            <label>
              <input
                type="checkbox"
                name="column"
                value={column}
                checked={columns.includes(column)}
              />
              {nameOf(column, view)}
            </label>
          ))}
          <button class="button small" type="submit">{keyList.saveColumns}</button>
        </form>
      </div>
    </>
  );
}

function nameOf(column: ListColumn, { catalog: { keys, keyList } }: AccountView): string {
  const names = {
    group: keys.group,
    spend: keyList.spend(keyListDays),
    calls: keyList.calls(keyListDays),
    limit: keyList.limit,
    created: keys.created,
    used: keys.lastUsed,
    expires: keys.expires,
  } as const satisfies Record<ListColumn, string>;
  return names[column];
}
