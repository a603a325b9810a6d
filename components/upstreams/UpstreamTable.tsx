import { upstreamFaultWords } from "../../lib/console/upstreams/upstream_fault_words.ts";
import type { UpstreamColumn, UpstreamQuery } from "../../lib/console/upstreams/upstream_query.ts";
import { upstreamsPath } from "../../lib/console/upstreams/upstream_query.ts";
import {
  type ListedUpstream,
  refusedCredentials,
} from "../../lib/console/upstreams/upstream_rows.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import { A } from "../A.tsx";
import { SortColumn } from "../SortColumn.tsx";
import { Cell, Column, NameCell, Row, Table } from "../Table.tsx";
import { Time } from "../Time.tsx";
import { UpstreamOrder } from "./UpstreamOrder.tsx";
import { UpstreamState } from "./UpstreamState.tsx";
import { untranslated } from "../untranslated.ts";

export interface UpstreamTableProps {
  readonly view: AccountView;
  readonly query: UpstreamQuery;
  readonly rows: readonly ListedUpstream[];
}

/** One page of upstreams with their measurements. */
export function UpstreamTable({ view, query, rows }: UpstreamTableProps) {
  const { upstreams, upstreamAdmin: texts } = view.catalog;
  return (
    <Table
      caption={upstreams.caption}
      label={upstreams.tableLabel}
      head={
        <>
          <UpstreamSortColumn query={query} column="name" name={upstreams.name} />
          <Column>{upstreams.state}</Column>
          <Column>{upstreams.models}</Column>
          <UpstreamSortColumn query={query} column="order" name={upstreams.order} />
          <UpstreamSortColumn query={query} column="running" name={texts.running} number />
          <UpstreamSortColumn query={query} column="success" name={texts.success} number />
          <UpstreamSortColumn query={query} column="firstByte" name={texts.firstByte} number />
          <Column>{texts.lastError}</Column>
        </>
      }
    >
      {rows.map((row) => (
        <UpstreamTableRow key={row.upstream.id} view={view} query={query} row={row} />
      ))}
    </Table>
  );
}

/** First click: names sort ascending, all other columns descending. */
function UpstreamSortColumn(
  { query, column, ...head }: {
    query: UpstreamQuery;
    column: UpstreamColumn;
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
      href={(sort) => upstreamsPath({ ...query, ...sort, page: 1 })}
    />
  );
}

function UpstreamTableRow(
  { view, query, row }: Omit<UpstreamTableProps, "rows"> & { row: ListedUpstream },
) {
  const { catalog: { upstreams, upstreamAdmin: texts }, formats } = view;
  const { upstream, usage, running } = row;
  const { id, models, groups, preset, endpoints } = upstream;
  const { firstByteMs } = usage ?? {};
  return (
    <Row off={!upstream.enabled}>
      <NameCell>
        <span>
          <A href={`/console/admin/upstreams/${id}`} {...untranslated}>{id}</A>
          {upstream.origin === "config" && <span class="tag">{upstreams.declared}</span>}
        </span>
        <code {...untranslated}>{preset ?? Object.keys(endpoints)[0]}</code>
      </NameCell>
      <Cell label={upstreams.state} class="wrap parts">
        <UpstreamState view={view} row={row} refused={refusedCredentials(row)} />
      </Cell>
      <Cell label={upstreams.models} class="wrap parts quiet">
        <span class="clamped" {...untranslated}>
          {shortList(models.map((model) => model.id))}
        </span>
        <span class="part">
          {groups.includes("*") ? upstreams.allGroups : shortList(groups)}
        </span>
      </Cell>
      <Cell label={upstreams.order}>
        <UpstreamOrder view={view} upstream={upstream} back={upstreamsPath(query)} />
      </Cell>
      <Cell label={texts.running} class="number">{formats.count(running)}</Cell>
      <Cell label={texts.success} class="number parts">
        {usage?.successShare === undefined ? texts.none : percent(usage.successShare, view)}
        {usage && usage.calls > 0 && (
          <span class="part">{texts.ofCalls(formats.count(usage.calls))}</span>
        )}
      </Cell>
      <Cell label={texts.firstByte} class="number">
        {firstByteMs
          ? `${formats.span(firstByteMs.p50)} · ${formats.span(firstByteMs.p95)}`
          : texts.none}
      </Cell>
      <Cell label={texts.lastError} class="wrap parts quiet">
        <LastError view={view} row={row} />
      </Cell>
    </Row>
  );
}

function LastError({ view, row: { lastFailure } }: { view: AccountView; row: ListedUpstream }) {
  const { catalog: { upstreamAdmin: texts }, formats } = view;
  if (!lastFailure) return <>{texts.noError}</>;
  const { code, atMs, callId } = lastFailure;
  return (
    <>
      <span>{upstreamFaultWords(code, view)}</span>
      <span class="part">
        {callId
          ? (
            <A href={`/console/log/${callId}`}>
              <Time atMs={atMs} formats={formats} />
            </A>
          )
          : <Time atMs={atMs} formats={formats} />}
      </span>
    </>
  );
}

const listShown = 3;

function shortList(names: readonly string[]): string {
  const rest = names.length - listShown;
  return names.slice(0, listShown).join(", ") + (rest > 0 ? ` +${rest}` : "");
}

export function percent(share: number, { locale }: AccountView): string {
  return new Intl.NumberFormat(locale, { style: "percent", maximumFractionDigits: 1 }).format(
    share,
  );
}
