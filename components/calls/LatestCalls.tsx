import type { AccountView } from "../../lib/console/page/view.ts";
import { withWho } from "../../lib/console/page/who.ts";
import type { RequestLogRow } from "../../lib/store/log/mod.ts";
import { A } from "../A.tsx";
import { Icon } from "../Icon.tsx";
import { Panel } from "../Panel.tsx";
import { Failed } from "../States.tsx";
import { CallTable } from "./CallTable.tsx";

/** The last few calls, each leading to its own page. */
export function LatestCalls(
  { view, calls }: {
    view: AccountView;
    /** Absent if reading failed. */
    calls: readonly RequestLogRow[] | undefined;
  },
) {
  const { overview, log } = view.catalog;
  return (
    <Panel
      id="latest"
      class="across"
      title={overview.latest}
      end={calls && calls.length > 0 && (
        <A class="link" href={withWho("/console/log", view.path)}>
          {overview.latestAll}
          <Icon name="arrow-right" small />
        </A>
      )}
    >
      {calls === undefined
        ? <Failed view={view} title={log.failed} />
        : calls.length === 0
        ? <p class="body soft">{overview.latestNone}</p>
        : <CallTable view={view} calls={calls} />}
    </Panel>
  );
}
