import type { PastPrice } from "../../lib/console/models/price_times.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import { Panel } from "../Panel.tsx";
import { Status } from "../States.tsx";
import { Cell, Column, NameCell, Row, Table } from "../Table.tsx";
import { Time } from "../Time.tsx";

/** Past, current and future prices of a model in a group; nothing if its price never changes. */
export function PricesOverTime(
  { view, prices }: { view: AccountView; prices: readonly PastPrice[] },
) {
  const { catalog: { modelList: texts }, formats } = view;
  return (
    <Panel id="over-time" title={texts.history} end={<span class="faint">{texts.perMillion}</span>}>
      <Table
        oneLine
        caption={texts.history}
        label={texts.historyLabel}
        head={
          <>
            <Column>{texts.from}</Column>
            <Column>{texts.state}</Column>
            <Column number>{texts.input}</Column>
            <Column number>{texts.output}</Column>
          </>
        }
      >
        {prices.map(({ fromMs, state, price }) => (
          <Row key={fromMs} off={state === "past"}>
            <NameCell>
              {fromMs === 0
                ? texts.fromAlways
                : <Time atMs={fromMs} formats={formats} as="moment" />}
            </NameCell>
            <Cell label={texts.state}>
              <Status tone={toneOf[state]}>{texts[state]}</Status>
            </Cell>
            <Cell label={texts.input} class="number">{formats.usd(price.input)}</Cell>
            <Cell label={texts.output} class="number">{formats.usd(price.output)}</Cell>
          </Row>
        ))}
      </Table>
    </Panel>
  );
}

const toneOf = { past: "off", current: "ok", coming: "warn" } as const satisfies Record<
  PastPrice["state"],
  "off" | "ok" | "warn"
>;
