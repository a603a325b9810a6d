import {
  type GroupPrice,
  type PricedBucket,
  pricedBuckets,
} from "../../lib/console/models/model_prices.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import { Fact, Facts } from "../Facts.tsx";
import { Cell, Column, NameCell, Row, Table } from "../Table.tsx";

/** The prices of a model in a group by bucket, and by prompt length if the price has tiers. */
export function GroupPrices({ view, price }: { view: AccountView; price: GroupPrice }) {
  const { catalog: { prices, call }, formats } = view;
  const { tiers, requestNanoUsd, hostedTools } = price;
  const [nameClass, rateClass] = tiers.length === 1
    ? ["name at-name", "number at-first"]
    : ["name", "number"];
  return (
    <>
      <Table
        oneLine
        caption={prices.perMillion}
        label={prices.label}
        head={
          <>
            <Column>{prices.perMillion}</Column>
            {tiers.map(({ aboveInputTokens }) => (
              <Column key={aboveInputTokens ?? 0} number>
                {boundText(view, aboveInputTokens)}
              </Column>
            ))}
          </>
        }
      >
        {pricedBuckets.filter((bucket) => worthSaying(price, bucket)).map((bucket) => (
          <Row key={bucket}>
            <NameCell class={nameClass}>{call.bucket[bucket]}</NameCell>
            {tiers.map(({ aboveInputTokens, rates }) => (
              <Cell
                key={aboveInputTokens ?? 0}
                label={boundText(view, aboveInputTokens)}
                class={rateClass}
              >
                {formats.exactMoney(rates[bucket])}
              </Cell>
            ))}
          </Row>
        ))}
      </Table>
      {(requestNanoUsd > 0n || hostedTools.length > 0) && (
        <Facts class="body numbers">
          {requestNanoUsd > 0n && (
            <Fact name={prices.perCall}>{formats.exactMoney(requestNanoUsd)}</Fact>
          )}
          {hostedTools.map(({ kind, nanoUsd }) => (
            <Fact key={kind} name={prices.perThousand(kind)}>{formats.exactMoney(nanoUsd)}</Fact>
          ))}
        </Facts>
      )}
    </>
  );
}

function boundText({ catalog: { prices }, formats }: AccountView, bound: number | undefined) {
  return bound === undefined ? prices.price : prices.above(formats.count(bound));
}

const sameAs = {
  cacheReadTokens: "inputTokens",
  cacheWrite5mTokens: "inputTokens",
  cacheWrite1hTokens: "cacheWrite5mTokens",
  cacheWrite12hTokens: "cacheWrite1hTokens",
  reasoningTokens: "outputTokens",
} as const satisfies Partial<Record<PricedBucket, PricedBucket>>;

/** Leaves out a bucket that costs the same as the bucket it falls back to. */
function worthSaying({ tiers }: GroupPrice, bucket: PricedBucket): boolean {
  if (bucket === "inputTokens" || bucket === "outputTokens") return true;
  return tiers.some(({ rates }) => rates[bucket] !== rates[sameAs[bucket]]);
}
