import { shownSecret } from "../../lib/console/keys/key_status.ts";
import type { SpentKey } from "../../lib/console/overview/keys_by_spend.ts";
import type { Spending } from "../../lib/console/overview/spending.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import { A } from "../A.tsx";
import { Icon } from "../Icon.tsx";
import { Dollars } from "../Dollars.tsx";
import { Panel } from "../Panel.tsx";
import { Failed, Status } from "../States.tsx";
import { Cell, Column, NameCell, Row, Table } from "../Table.tsx";
import { Time } from "../Time.tsx";
import { keyTones, Limit } from "../keys/KeyTable.tsx";
import { untranslated } from "../untranslated.ts";

/** The keys with the highest spending of the period, each with a link to its calls. */
export function KeysBySpend(
  { view, spending, keys }: {
    view: AccountView;
    spending: Spending;
    /** Absent if reading failed. */
    keys: readonly SpentKey[] | undefined;
  },
) {
  const { catalog: { spend, keys: texts, keyList } } = view;
  const most = spending.keys[0]?.counts.costNanoUsd ?? 0n;
  const from = new Date(spending.starts[0]).toISOString();
  return (
    <Panel
      id="keys-by-spend"
      title={spend.keys}
      beside={<span class="faint">{spend.periods[spending.period]}</span>}
      end={
        <A class="link" href="/console/token">
          {spend.allKeys}
          <Icon name="arrow-right" small />
        </A>
      }
    >
      {keys === undefined
        ? <Failed title={spend.keysFailed} retry={texts.retry} path={view.path} />
        : (
          <Table
            caption={spend.keys}
            label={spend.keysLabel}
            head={
              <>
                <Column>{texts.name}</Column>
                <Column>{texts.status}</Column>
                <Column>{texts.group}</Column>
                <Column number>{spend.cost}</Column>
                <Column>{keyList.limit}</Column>
                <Column>{texts.lastUsed}</Column>
                <Column>{texts.expires}</Column>
              </>
            }
          >
            {keys.map((key) => <SpentRow key={key.id} {...{ view, from, most }} spent={key} />)}
          </Table>
        )}
    </Panel>
  );
}

function SpentRow(
  { view, spent: { id, counts, known }, from, most }: {
    view: AccountView;
    spent: SpentKey;
    from: string;
    most: bigint;
  },
) {
  const { catalog: { spend, keys: texts, keyStatus, keyList, logPage }, formats } = view;
  return (
    <Row>
      <NameCell>
        <A href={`/console/log?${new URLSearchParams({ key: id, from })}`}>
          {known?.apiKey.name ?? spend.deletedKey}
        </A>
        {known && <code {...untranslated}>{shownSecret(known.apiKey)}</code>}
      </NameCell>
      <Cell label={texts.status}>
        {known && <Status tone={keyTones[known.status]}>{keyStatus[known.status]}</Status>}
      </Cell>
      <Cell label={texts.group} class="quiet">{known?.apiKey.groupId}</Cell>
      <Cell label={spend.cost} class="number spent">
        <Dollars nanoUsd={counts.costNanoUsd} formats={formats} />
        <Share part={counts.costNanoUsd} whole={most} />
        <span class="second">
          {logPage.calls(formats.count(counts.requests))}
        </span>
      </Cell>
      <Cell label={keyList.limit}>{known && <Limit view={view} budget={known.budget} />}</Cell>
      <Cell label={texts.lastUsed} class="quiet">
        {known && (known.apiKey.lastUsedAtMs === undefined
          ? texts.neverUsed
          : <Time atMs={known.apiKey.lastUsedAtMs} formats={formats} />)}
      </Cell>
      <Cell label={texts.expires} class="quiet">
        {known && (known.apiKey.expiresAtMs === undefined
          ? texts.neverExpires
          : <Time atMs={known.apiKey.expiresAtMs} formats={formats} as="day" />)}
      </Cell>
    </Row>
  );
}

function Share({ part, whole }: { part: bigint; whole: bigint }) {
  const share = whole > 0n ? Number(part * 100n / whole) : 0;
  return (
    <svg class="bar" width="64" height="4" aria-hidden="true">
      <rect class="track" width="100%" height="4" rx="2" />
      <rect class="part" width={`${share}%`} height="4" rx="2" />
    </svg>
  );
}
