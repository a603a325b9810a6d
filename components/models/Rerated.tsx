import { reratedCallsMax, type Rerating } from "../../lib/admin/models/rerate.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import { Fact, Facts } from "../Facts.tsx";
import { Panel } from "../Panel.tsx";

/** The cost of the last days' calls under the price in the form. */
export function Rerated({ view, rerating }: { view: AccountView; rerating: Rerating }) {
  const { catalog: { priceAdmin: texts }, formats } = view;
  const { calls, costNanoUsd, wouldNanoUsd, unpriced, isCut } = rerating;
  const lines = [
    [texts.triedCalls, formats.count(calls)],
    [texts.triedCost, formats.money(costNanoUsd)],
    [texts.triedWould, formats.money(wouldNanoUsd)],
    [texts.triedDifference, formats.change(wouldNanoUsd - costNanoUsd)],
    ...(unpriced > 0 ? [[texts.triedUnpriced, formats.count(unpriced)]] : []),
  ];
  return (
    <Panel id="tried" title={texts.tried}>
      <div class="body fields" role="status">
        {calls === 0 ? <p>{texts.triedNone}</p> : (
          <Facts class="numbers">
            {lines.map(([name, value]) => <Fact key={name} name={name}>{value}</Fact>)}
          </Facts>
        )}
        <p class="hint">
          {texts.triedText(formats.count(reratedCallsMax))}
          {isCut && ` ${texts.triedCut}`}
        </p>
      </div>
    </Panel>
  );
}
