import { callTone } from "../../lib/console/calls/call_tone.ts";
import type { AccountView, RequestLogRow } from "../../lib/console/page/view.ts";

import { A } from "../A.tsx";
import { Icon } from "../Icon.tsx";
import { Panel } from "../Panel.tsx";
import { untranslated } from "../untranslated.ts";
import { Failed, Status } from "../States.tsx";
import { Time } from "../Time.tsx";

/** The last few calls, each leading to its own page. */
export function LatestCalls(
  { view, calls }: {
    view: AccountView;
    /** Absent if reading failed. */
    calls: readonly RequestLogRow[] | undefined;
  },
) {
  const { catalog: { overview, log, keys }, formats } = view;
  return (
    <Panel
      id="latest"
      title={overview.latest}
      end={calls && calls.length > 0 && (
        <A class="link" href="/console/log">
          {overview.latestAll}
          <Icon name="arrow-right" small />
        </A>
      )}
    >
      {calls === undefined
        ? <Failed title={log.failed} retry={keys.retry} path={view.path} />
        : calls.length === 0
        ? <p class="body soft">{overview.latestNone}</p>
        : (
          <ul class="latest">
            {calls.map((call) => (
              <li>
                <Status tone={callTone(call)}>{call.status}</Status>
                <A href={`/console/log/${call.id}`} {...untranslated}>{call.model}</A>
                <span class="faint">
                  <Time atMs={call.atMs} formats={formats} />
                </span>
              </li>
            ))}
          </ul>
        )}
    </Panel>
  );
}
