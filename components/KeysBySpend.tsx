import type { Spending } from "../lib/console/spending.ts";
import type { AccountView, ApiKey } from "../lib/console/view.ts";
import { Icon } from "./Icon.tsx";
import { Cell, Column, NameCell, Row, Table } from "./Table.tsx";
import { Time } from "./Time.tsx";
import { untranslated } from "./untranslated.ts";

/** The keys that spent most in the days that are shown, each leading to its calls. */
export function KeysBySpend(
  { view, spending, keys }: { view: AccountView; spending: Spending; keys: readonly ApiKey[] },
) {
  const { catalog: { spend, keys: texts }, formats } = view;
  const known = new Map(keys.map((key) => [key.id, key]));
  const most = spending.keys[0]?.counts.costNanoUsd ?? 0n;
  const from = new Date(spending.starts[0]).toISOString();
  return (
    <section class="panel" aria-labelledby="keys-by-spend">
      <header>
        <h2 id="keys-by-spend">{spend.keys}</h2>
        <span class="faint">{spend.days(spending.starts.length)}</span>
        <span class="spacer" />
        <a class="link" href="/console/token" aria-current="false">
          {spend.allKeys}
          <Icon name="arrow-right" small />
        </a>
      </header>
      <Table
        caption={spend.keys}
        label={spend.keysLabel}
        head={
          <>
            <Column>{texts.name}</Column>
            <Column>{texts.group}</Column>
            <Column number>{spend.requests}</Column>
            <Column number>{spend.cost}</Column>
            <Column>{texts.lastUsed}</Column>
          </>
        }
      >
        {spending.keys.map(({ id, counts }) => {
          const key = known.get(id);
          const fields = new URLSearchParams({ key: id, from });
          return (
            <Row key={id}>
              <NameCell>
                <a href={`/console/log?${fields}`} aria-current="false">
                  {key?.name ?? spend.deletedKey}
                </a>
                {key && <code {...untranslated}>{`${key.prefix}…${key.lastFour}`}</code>}
              </NameCell>
              <Cell label={texts.group} class="quiet">{key?.groupId}</Cell>
              <Cell label={spend.requests} class="number">{formats.count(counts.requests)}</Cell>
              <Cell label={spend.cost} class="number spent">
                {formats.money(counts.costNanoUsd)}
                <Share part={counts.costNanoUsd} whole={most} />
              </Cell>
              <Cell label={texts.lastUsed} class="quiet">
                {key?.lastUsedAtMs !== undefined && (
                  <Time atMs={key.lastUsedAtMs} formats={formats} />
                )}
              </Cell>
            </Row>
          );
        })}
      </Table>
    </section>
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
