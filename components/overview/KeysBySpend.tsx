import { shownSecret } from "../../lib/admin/keys/key_status.ts";
import type { SpentKey } from "../../lib/console/overview/keys_by_spend.ts";
import { callsHref } from "../../lib/console/charts/steps.ts";
import { logScope } from "../../lib/console/overview/spend_chart.ts";
import type { SpendQuery } from "../../lib/console/overview/spend_query.ts";
import type { Spending } from "../../lib/console/overview/spending.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import { periodWords } from "../../lib/console/page/period_words.ts";
import { withWho } from "../../lib/console/page/who.ts";
import { A, Onward } from "../A.tsx";
import { Panel } from "../Panel.tsx";
import { Failed, Status } from "../States.tsx";
import { Cell, Column, NameCell, Row, Table } from "../Table.tsx";
import { Sparkline } from "../chart/TinyCharts.tsx";
import { keyTones, Limit } from "../keys/KeyTable.tsx";
import { untranslated } from "../untranslated.ts";
import { Time } from "../values.tsx";

interface KeysProps {
  readonly view: AccountView;
  readonly query: SpendQuery;
  readonly spending: Spending;
  /** Absent if reading failed. */
  readonly keys: readonly SpentKey[] | undefined;
}

/** The reader's keys with the highest spending of the period, each with a link to its page. */
export function KeysBySpend({ view, query, spending, keys }: KeysProps) {
  const { spend } = view.catalog;
  return (
    <Panel
      id="keys-by-spend"
      class="across"
      title={spend.keys}
      beside={<span class="faint">{periodWords(query.span, view)}</span>}
      end={<Onward href={withWho("/console/token", view.path)}>{spend.allKeys}</Onward>}
    >
      {keys === undefined
        ? <Failed view={view} title={spend.keysFailed} />
        : <Rows {...{ view, query, spending, keys }} />}
    </Panel>
  );
}

function Rows({ view, query, spending, keys }: KeysProps & { keys: readonly SpentKey[] }) {
  const { catalog: { spend, keys: texts, keyList, usage } } = view;
  return (
    <Table
      caption={spend.keys}
      label={spend.keys}
      head={
        <>
          <Column>{texts.name}</Column>
          <Column>{texts.status}</Column>
          <Column from={880}>{spend.trend}</Column>
          <Column number>{usage.calls}</Column>
          <Column number sort="descending">{spend.spent(periodWords(query.span, view))}</Column>
          <Column>{keyList.limit}</Column>
          <Column>{texts.lastUsed}</Column>
        </>
      }
    >
      {keys.map((key) => <SpentRow key={key.id} {...{ view, query, spending }} spent={key} />)}
    </Table>
  );
}

function SpentRow(
  { view, query, spent: { id, counts, amounts, known } }:
    & Omit<KeysProps, "keys">
    & { spent: SpentKey },
) {
  const { catalog: { spend, keys: texts, keyStatus, keyList, usage }, formats } = view;
  const calls = callsHref(query.span, undefined, { ...logScope(query.who), key: id });
  return (
    <Row>
      <NameCell class="name at-name">
        <A href={known ? `/console/token/${id}` : calls}>
          {known?.apiKey.name ?? spend.deleted.key}
        </A>
        {known && <code class="owner" {...untranslated}>{shownSecret(known.apiKey)}</code>}
      </NameCell>
      <Cell label={texts.status} class="at-below">
        {known && <Status tone={keyTones[known.status]}>{keyStatus[known.status]}</Status>}
      </Cell>
      <Cell class="trend from-880">
        <Sparkline amounts={amounts} />
      </Cell>
      <Cell label={usage.calls} class="number at-second">
        <A href={calls}>{formats.count(counts.requests)}</A>
      </Cell>
      <Cell label={spend.cost} class="number strong at-first">
        {formats.money(counts.costNanoUsd)}
      </Cell>
      <Cell label={keyList.limit}>{known && <Limit view={view} budget={known.budget} />}</Cell>
      <Cell label={texts.lastUsed} class="quiet">
        {known && (known.apiKey.lastUsedAtMs === undefined
          ? texts.neverUsed
          : <Time atMs={known.apiKey.lastUsedAtMs} formats={formats} />)}
      </Cell>
    </Row>
  );
}
