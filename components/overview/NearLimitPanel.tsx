import type { NearLimit } from "../../lib/console/overview/near_limits.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import { A } from "../A.tsx";
import { Panel } from "../Panel.tsx";
import { untranslated } from "../untranslated.ts";
import { Meter } from "./Meter.tsx";

/** From this share on, a budget is marked. */
const amberShare = 0.8;

/** The budgets that are used most, each a link to where it is changed. Nothing if there are none. */
export function NearLimitPanel(
  { view, limits }: { view: AccountView; limits: readonly NearLimit[] },
) {
  if (limits.length === 0) return null;
  return (
    <Panel id="near-limits" title={view.catalog.spend.nearLimit}>
      <ul class="near-limits">
        {limits.map((limit) => (
          <Near key={`${limit.href} ${limit.use.budget.period}`} view={view} limit={limit} />
        ))}
      </ul>
    </Panel>
  );
}

function Near({ view, limit: { owner, name, keyOwner, href, use } }: {
  view: AccountView;
  limit: NearLimit;
}) {
  const { catalog: { spend, keyList }, formats } = view;
  const { budget: { period, nanoUsd }, spentNanoUsd, share, endsAtMs } = use;
  const shown = owner === "organization" ? spend.owners.organization : name;
  const whose = keyOwner === undefined ? spend.owners[owner] : spend.keyOf(keyOwner);
  const used = keyList.of(formats.money(spentNanoUsd), formats.price(nanoUsd));
  return (
    <li>
      <p>
        <A href={href} title={shown} {...untranslated}>{shown}</A>
        {owner !== "organization" && <span class="hint" title={whose}>{whose}</span>}
        <b>{formats.percent(share)}</b>
      </p>
      <Meter share={share} color={share >= 1 ? "bad" : share >= amberShare ? "warn" : 5} />
      <p class="hint">
        {spend.usedOf[period](used)}
        {endsAtMs !== undefined && `, ${keyList.resets(formats.ahead(endsAtMs))}`}
      </p>
    </li>
  );
}
