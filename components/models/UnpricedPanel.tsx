import { modelPricePath } from "../../lib/console/models/price_rows.ts";
import { unpricedDays, type UnpricedUse } from "../../lib/console/models/unpriced_use.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import { A } from "../A.tsx";
import { Panel } from "../Panel.tsx";
import { Cell, Column, NameCell, Row, Table } from "../Table.tsx";
import { untranslated } from "../untranslated.ts";

/** Models in use without a price; nothing if there are none. */
export function UnpricedPanel(
  { view, uses }: { view: AccountView; uses: readonly UnpricedUse[] },
) {
  const { catalog: { modelPrices, priceAdmin: texts }, formats } = view;
  if (uses.length === 0) return null;
  return (
    <Panel id="unpriced" title={texts.unpricedTitle}>
      <p class="hint below">{texts.unpricedText(unpricedDays)}</p>
      <Table
        oneLine
        caption={texts.unpricedTitle}
        label={texts.unpricedTitle}
        head={
          <>
            <Column>{modelPrices.model}</Column>
            <Column number>{texts.unpricedCalls}</Column>
            <Column number>{texts.unpricedTokens}</Column>
            <Column>
              <span class="unseen">{texts.unpricedSet}</span>
            </Column>
          </>
        }
      >
        {uses.map(({ model, calls, tokens }) => (
          <Row key={model}>
            <NameCell>
              <span {...untranslated}>{model}</span>
            </NameCell>
            <Cell label={texts.unpricedCalls} class="number">{formats.count(calls)}</Cell>
            <Cell label={texts.unpricedTokens} class="number">{formats.short(tokens)}</Cell>
            <Cell class="act-wide">
              <A
                class="button small"
                href={modelPricePath(model)}
                aria-label={texts.unpricedSetOf(model)}
              >
                {texts.unpricedSet}
              </A>
            </Cell>
          </Row>
        ))}
      </Table>
    </Panel>
  );
}
