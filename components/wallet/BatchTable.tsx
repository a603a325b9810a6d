import {
  type BatchColumn,
  batchesPath,
  type BatchQuery,
  batchStatus,
  batchStatuses,
  type ListedBatch,
} from "../../lib/console/wallet/batch_query.ts";
import { type Sort, sortText } from "../../lib/console/page/list_query.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import { A } from "../A.tsx";
import { Choice } from "../Choice.tsx";
import { FilterSheet } from "../FilterSheet.tsx";
import { SearchField } from "../SearchField.tsx";
import { SortColumn } from "../SortColumn.tsx";
import { Status } from "../States.tsx";
import { Cell, Column, NameCell, Row, Table } from "../Table.tsx";
import { Time } from "../Time.tsx";
import { untranslated } from "../untranslated.ts";

/** Which batches are shown. */
export function BatchFilters({ view, query }: { view: AccountView; query: BatchQuery }) {
  const { codes: texts } = view.catalog;
  const used = [query.text, query.status].filter(Boolean).length;
  return (
    <FilterSheet view={view} label={texts.filter} used={used}>
      <Choice
        name="status"
        label={texts.status}
        any={texts.anyStatus}
        value={query.status}
        options={batchStatuses.map((status) => [status, texts[status]])}
      />
      <SearchField label={texts.search} value={query.text} />
      <input type="hidden" name="sort" value={sortText(query.sort)} />
      <button class="button" type="submit">{texts.filter}</button>
    </FilterSheet>
  );
}

/** A page of batches. */
export function BatchTable(
  { view, query, batches }: {
    view: AccountView;
    query: BatchQuery;
    batches: readonly ListedBatch[];
  },
) {
  const { codes: texts } = view.catalog;
  const sorting = {
    sort: query.sort,
    href: (sort: Sort<BatchColumn>) => batchesPath({ ...query, sort }),
  };
  return (
    <Table
      oneLine
      caption={texts.caption}
      label={texts.tableLabel}
      head={
        <>
          <SortColumn {...sorting} column="name" name={texts.name} />
          <Column>{texts.status}</Column>
          <SortColumn {...sorting} column="amount" name={texts.amount} number />
          <SortColumn {...sorting} column="codes" name={texts.codes} number />
          <Column number>{texts.uses}</Column>
          <SortColumn {...sorting} column="expires" name={texts.expires} />
          <SortColumn {...sorting} column="created" name={texts.created} first="descending" />
          <Column>{texts.createdBy}</Column>
        </>
      }
    >
      {batches.map((batch) => <BatchRow key={batch.id} view={view} batch={batch} />)}
    </Table>
  );
}

function BatchRow({ view, batch }: { view: AccountView; batch: ListedBatch }) {
  const { catalog: { codes: texts }, formats } = view;
  return (
    <Row off={!batch.enabled || batch.isExpired}>
      <NameCell>
        <span>
          <A href={`/console/admin/codes/${batch.id}`}>{batch.name}</A>
        </span>
      </NameCell>
      <Cell label={texts.status}>
        <BatchStatus view={view} batch={batch} />
      </Cell>
      <Cell label={texts.amount} class="number">{formats.price(batch.amountNanoUsd)}</Cell>
      <Cell label={texts.codes} class="number">{formats.count(batch.count)}</Cell>
      <Cell label={texts.uses} class="number">{formats.count(batch.usesMax)}</Cell>
      <Cell label={texts.expires} class="quiet">
        {batch.expiresAtMs === undefined ? texts.never : formats.utcDay(batch.expiresAtMs)}
      </Cell>
      <Cell label={texts.created} class="quiet">
        <Time atMs={batch.createdAtMs} formats={formats} />
      </Cell>
      <Cell label={texts.createdBy} class="quiet wrap">
        <span {...untranslated}>{batch.author ?? batch.createdBy}</span>
      </Cell>
    </Row>
  );
}

const toneOf = { enabled: "ok", disabled: "off", expired: "bad" } as const;

export function BatchStatus({ view, batch }: { view: AccountView; batch: ListedBatch }) {
  const { codes: texts } = view.catalog;
  const status = batchStatus(batch);
  return <Status tone={toneOf[status]}>{texts[status]}</Status>;
}
