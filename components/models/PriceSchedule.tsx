import type { AccountView, DatedModelPrice } from "../../lib/console/page/view.ts";
import { modelPricePath } from "./PriceTable.tsx";
import { Panel } from "../Panel.tsx";
import { Status } from "../States.tsx";
import { Cell, Column, NameCell, Row, Table } from "../Table.tsx";
import { Time } from "../Time.tsx";

interface PriceScheduleProps {
  readonly view: AccountView;
  readonly id: string;
  readonly prices: readonly DatedModelPrice[];
  readonly nowMs: number;
  readonly isReadOnly: boolean;
}

/** A model's prices one after the other, where there are several or one is still to come. */
export function PriceSchedule({ view, id, prices, nowMs, isReadOnly }: PriceScheduleProps) {
  const { catalog: { priceAdmin: texts }, formats } = view;
  const current = prices.findLastIndex(({ from }) => Date.parse(from) <= nowMs);
  return (
    <Panel id="schedule" title={texts.schedule}>
      <Table
        oneLine
        caption={texts.schedule}
        label={texts.scheduleLabel}
        head={
          <>
            <Column>{texts.begins}</Column>
            <Column>{texts.state}</Column>
            <Column number>{texts.rates.input}</Column>
            <Column number>{texts.rates.output}</Column>
            <Column>
              <span class="unseen">{texts.unschedule}</span>
            </Column>
          </>
        }
      >
        {prices.map(({ from, input, output }, at) => {
          const atMs = Date.parse(from);
          const begins = atMs === 0
            ? texts.always
            : <Time atMs={atMs} formats={formats} as="moment" />;
          const [tone, state] = at === current
            ? ["ok", texts.current] as const
            : at < current
            ? ["off", texts.past] as const
            : ["warn", texts.coming] as const;
          return (
            <Row key={from} off={at < current}>
              <NameCell>
                <span>{begins}</span>
              </NameCell>
              <Cell label={texts.state}>
                <Status tone={tone}>{state}</Status>
              </Cell>
              <Cell label={texts.rates.input} class="number">{formats.usd(input)}</Cell>
              <Cell label={texts.rates.output} class="number">{formats.usd(output)}</Cell>
              <Cell class="act-wide">
                {!isReadOnly && at > current && (
                  <form method="post" action={modelPricePath(id)}>
                    <input type="hidden" name="begins" value={from} />
                    <button
                      class="button small"
                      type="submit"
                      name="intent"
                      value="unschedule"
                      aria-label={texts.unscheduleOf(formats.moment(atMs))}
                    >
                      {texts.unschedule}
                    </button>
                  </form>
                )}
              </Cell>
            </Row>
          );
        })}
      </Table>
    </Panel>
  );
}
