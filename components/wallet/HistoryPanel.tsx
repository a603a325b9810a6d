import { usdText } from "../../lib/canonical/mod.ts";
import { listHref } from "../../lib/console/page/define_list.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import { aboutEntry, type BalanceData, historyList } from "../../lib/console/wallet/balance.ts";
import { changeOf, entryTypes, type ListedEntry } from "../../lib/store/money/mod.ts";
import { A, type ColumnsOf, ListPanel, Time, untranslated } from "../list.ts";
import { dollarsCell } from "../values.tsx";

/** The entries of the wallet, newest first, with the balance after each. */
export function HistoryPanel({ view, data }: { view: AccountView; data: BalanceData }) {
  const { history: texts } = view.catalog;
  const { history, query, keyNames } = data;
  const exportPath = `${historyList.path}/export`;
  return (
    <ListPanel
      view={view}
      id="history"
      list={historyList}
      query={query}
      page={history && { rows: history.entries, next: history.next }}
      texts={texts}
      icon="wallet"
      oneLine
      columns={columns(view, keyNames)}
      keyOf={({ id }) => id}
      filters={[{
        name: "kind",
        label: texts.kind,
        any: texts.anyKind,
        options: entryTypes.map((type) => [type, texts.kinds[type]]),
      }]}
      end={
        <A class="button" href={listHref(historyList, { ...query, path: exportPath })} download>
          CSV
        </A>
      }
    />
  );
}

function columns(
  view: AccountView,
  keyNames: ReadonlyMap<string, string>,
): ColumnsOf<typeof historyList> {
  const { catalog: { history: texts }, formats } = view;
  return [
    {
      head: texts.time,
      at: "name",
      type: "name",
      cell: ({ type, atMs }) =>
        type === "usage"
          ? <UsageDay atMs={atMs} view={view} />
          : <Time atMs={atMs} formats={formats} as="moment" />,
    },
    { head: texts.kind, cell: ({ type }) => texts.kinds[type] },
    {
      head: texts.about,
      at: "below",
      class: "about quiet",
      cell: (entry) => <About about={aboutEntry(entry, view.catalog, keyNames)} entry={entry} />,
    },
    {
      head: texts.amount,
      at: "first",
      type: "number",
      cell: (entry) => <Amount entry={entry} view={view} />,
    },
    {
      head: texts.balance,
      at: "second",
      type: "number",
      class: "quiet",
      cell: dollarsCell(formats, ({ balanceNanoUsd }) => balanceNanoUsd),
    },
  ];
}

const referenceShownMax = 24;

function About({ about, entry: { type } }: { about: string; entry: ListedEntry }) {
  if (type !== "payment" && type !== "redemption") return <>{about}</>;
  return <code title={about} {...untranslated}>{shortened(about)}</code>;
}

function Amount({ entry, view: { formats } }: { entry: ListedEntry; view: AccountView }) {
  const change = changeOf(entry);
  return (
    <span class={change > 0n ? "gain" : undefined} title={usdText(change)}>
      {formats.change(change)}
    </span>
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
