import { page } from "fresh";
import { ConsolePage } from "../../components/layout/ConsolePage.tsx";
import { AllAlerts } from "../../components/overview/AttentionPanel.tsx";
import { readAlerts } from "../../lib/console/overview/overview.ts";
import { accountPage } from "../../lib/console/page/view.ts";
import { readWho } from "../../lib/console/page/who.ts";
import { defineForAccount } from "../../lib/console/session/state.ts";

/** Everything that needs attention: the reader's own, or with `?who=` of all accounts. */
export const handler = defineForAccount.handlers({
  async GET({ url, state }) {
    return page(await readAlerts(state, readWho(url.searchParams, state)));
  },
});

export default accountPage<typeof handler>(({ data: { who, attention, troubles }, view }) => (
  <ConsolePage view={view} title={view.catalog.attention.allTitle} place="overview" who={who}>
    <AllAlerts view={view} items={attention} troubles={troubles} />
  </ConsolePage>
));
