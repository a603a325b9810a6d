import type { FoundCall } from "../../lib/console/calls/call_page.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import { CallCost } from "./CallCost.tsx";
import { CallFigures } from "./CallFigures.tsx";
import { CallDetails, CallFacts } from "./CallFacts.tsx";
import { CallTimeline } from "./CallTimeline.tsx";
import { CallVerdict } from "./CallVerdict.tsx";
import { SameFailure } from "./SameFailure.tsx";

/** A call in the drawer: the same parts as its page, one below the other. */
export function CallDetail({ view, open }: { view: AccountView; open: FoundCall }) {
  const { call, failed, account } = open;
  return (
    <div id="call-detail">
      <CallVerdict view={view} call={call} {...failed} />
      <CallFigures view={view} call={call} />
      <CallTimeline view={view} call={call} untried={failed.untried} />
      <CallCost view={view} call={call} />
      {failed.same && <SameFailure view={view} call={call} same={failed.same} />}
      <CallFacts view={view} call={call} account={account} />
      <CallDetails view={view} call={call} />
    </div>
  );
}
