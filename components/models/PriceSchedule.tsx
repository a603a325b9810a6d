import { modelPricePath } from "../../lib/console/models/price_rows.ts";
import type { AccountView, DatedModelPrice } from "../../lib/console/page/view.ts";
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

/** All prices of a model by date, for models with several prices or a future one. */
export function PriceSchedule(props: PriceScheduleProps) {
  const { view: { catalog: { priceAdmin: texts } }, prices, nowMs } = props;
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
        {prices.map((price, at) => (
          <PriceRow key={price.from} {...props} price={price} place={at - current} />
        ))}
      </Table>
    </Panel>
  );
}

function PriceRow(
  { view, id, isReadOnly, price: { from, input, output }, place }: PriceScheduleProps & {
    price: DatedModelPrice;
    /** 0 for the current price, below for past ones, above for future ones. */
    place: number;
  },
) {
  const { catalog: { priceAdmin: texts }, formats } = view;
  const atMs = Date.parse(from);
  const [tone, state] = place === 0
    ? ["ok", texts.current] as const
    : place < 0
    ? ["off", texts.past] as const
    : ["warn", texts.coming] as const;
  return (
    <Row off={place < 0}>
      <NameCell>
        <span>
          {atMs === 0 ? texts.always : <Time atMs={atMs} formats={formats} as="moment" />}
        </span>
      </NameCell>
      <Cell label={texts.state}>
        <Status tone={tone}>{state}</Status>
      </Cell>
      <Cell label={texts.rates.input} class="number">{formats.usd(input)}</Cell>
      <Cell label={texts.rates.output} class="number">{formats.usd(output)}</Cell>
      <Cell class="act-wide">
        {!isReadOnly && place > 0 && (
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
}
