import type { NearLimit } from "../../lib/console/overview/near_limits.ts";
import { shortEmail } from "../../lib/console/page/short_email.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import { A } from "../A.tsx";
import { Panel } from "../Panel.tsx";
import { limitColor, Meter } from "../chart/Meter.tsx";
import { untranslated } from "../untranslated.ts";

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
  const { catalog: { spend, keyList }, formats, user } = view;
  const { budget: { period, nanoUsd }, spentNanoUsd, share, endsAtMs } = use;
  const shown = owner === "organization" ? spend.owners.organization : shortEmail(name, user);
  const whose = keyOwner === undefined
    ? spend.owners[owner]
    : spend.keyOf(shortEmail(keyOwner, user));
  const used = keyList.of(formats.money(spentNanoUsd), formats.price(nanoUsd));
  return (
    <li>
      <p>
        <A href={href} title={shown} {...untranslated}>{shown}</A>
        {owner !== "organization" && <span class="hint" title={whose}>{whose}</span>}
        <b>{`${Math.floor(share * 100)}%`}</b>
      </p>
      <Meter share={share} color={limitColor(share)} />
      <p class="hint">
        {spend.usedOf[period](used)}
        {endsAtMs !== undefined && `, ${keyList.resets(formats.ahead(endsAtMs))}`}
      </p>
    </li>
  );
}
