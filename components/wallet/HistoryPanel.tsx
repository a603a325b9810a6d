import type { BalanceData } from "../../lib/console/wallet/balance.ts";
import { aboutEntry } from "../../lib/console/wallet/entry_words.ts";
import { listPath } from "../../lib/console/page/list_query.ts";
import {
  type AccountView,
  changeOf,
  entryTypes,
  type ListedEntry,
  usdText,
} from "../../lib/console/page/view.ts";
import { A } from "../A.tsx";
import { Choice } from "../Choice.tsx";
import { FilterSheet } from "../FilterSheet.tsx";
import { Panel } from "../Panel.tsx";
import { Empty, Failed } from "../States.tsx";
import { Cell, Column, NameCell, Row, Table } from "../Table.tsx";
import { Time } from "../Time.tsx";
import { untranslated } from "../untranslated.ts";

/** The wallet's entries, newest first, with the balance after each. */
export function HistoryPanel({ view, data }: { view: AccountView; data: BalanceData }) {
  const { catalog: { history: texts, balance } } = view;
  const { history, before, kind } = data;
  return (
    <Panel
      id="history"
      title={texts.title}
      end={
        <>
          <FilterSheet view={view} label={texts.filter} used={kind ? 1 : 0} action="/console/topup">
            <Choice
              name="kind"
              label={texts.kind}
              any={texts.anyKind}
              value={kind}
              options={entryTypes.map((type) => [type, texts.kinds[type]])}
            />
            <button class="button" type="submit">{texts.filter}</button>
          </FilterSheet>
          <A class="button" href={listPath("/console/topup/export", { kind })} download>
            CSV
          </A>
        </>
      }
    >
      {history === undefined
        ? <Failed title={texts.failed} retry={balance.retry} path={view.path} />
        : history.entries.length > 0
        ? <EntryTable view={view} entries={history.entries} keyNames={data.keyNames} />
        : kind && !before
        ? (
          <Empty icon="search" title={texts.noneOfKind}>
            <A class="button" href="/console/topup">{texts.all}</A>
          </Empty>
        )
        : before
        ? <Empty icon="wallet" title={texts.emptyOlder} />
        : <Empty icon="wallet" title={texts.empty} text={texts.emptyText} />}
      {(before || history?.next) && (
        <nav class="pager" aria-label={texts.pages}>
          {before && (
            <A class="button small" href={listPath("/console/topup", { kind })}>{texts.newest}</A>
          )}
          {history?.next && (
            <A
              class="button small"
              href={listPath("/console/topup", { kind, before: history.next })}
            >
              {texts.older}
            </A>
          )}
        </nav>
      )}
    </Panel>
  );
}

function EntryTable(
  { view, entries, keyNames }: {
    view: AccountView;
    entries: readonly ListedEntry[];
    keyNames: ReadonlyMap<string, string>;
  },
) {
  const { history: texts } = view.catalog;
  return (
    <Table
      oneLine
      caption={texts.caption}
      label={texts.tableLabel}
      head={
        <>
          <Column>{texts.time}</Column>
          <Column>{texts.kind}</Column>
          <Column>{texts.about}</Column>
          <Column number>{texts.amount}</Column>
          <Column number>{texts.balance}</Column>
        </>
      }
    >
      {entries.map((entry) => (
        <EntryRow key={entry.id} view={view} entry={entry} keyNames={keyNames} />
      ))}
    </Table>
  );
}

const referenceShownMax = 24;

function EntryRow(
  { view, entry, keyNames }: {
    view: AccountView;
    entry: ListedEntry;
    keyNames: ReadonlyMap<string, string>;
  },
) {
  const { catalog, formats } = view;
  const { history: texts } = catalog;
  const about = aboutEntry(entry, catalog, keyNames);
  const isReference = entry.type === "payment" || entry.type === "redemption";
  return (
    <Row>
      <NameCell>
        {entry.type === "usage"
          ? <UsageDay atMs={entry.atMs} view={view} />
          : <Time atMs={entry.atMs} formats={formats} as="moment" />}
      </NameCell>
      <Cell label={texts.kind}>{texts.kinds[entry.type]}</Cell>
      <Cell label={texts.about} class="about quiet">
        {isReference ? <code title={about} {...untranslated}>{shortened(about)}</code> : about}
      </Cell>
      <Cell label={texts.amount} class={changeOf(entry) > 0n ? "number gain" : "number"}>
        <span title={usdText(changeOf(entry))}>{formats.change(changeOf(entry))}</span>
      </Cell>
      <Cell label={texts.balance} class="number quiet">
        <span title={usdText(entry.balanceNanoUsd)}>{formats.money(entry.balanceNanoUsd)}</span>
      </Cell>
    </Row>
  );
}

function UsageDay({ atMs, view }: { atMs: number; view: AccountView }) {
  const { catalog: { history }, formats } = view;
  return (
    <time dateTime={new Date(atMs).toISOString().slice(0, 10)} title={history.usageOf}>
      {formats.utcDay(atMs)}
    </time>
  );
}

/** Stripe's ids are long, and their ends distinguish them. */
function shortened(text: string): string {
  return text.length <= referenceShownMax ? text : `${text.slice(0, 11)}…${text.slice(-8)}`;
}
