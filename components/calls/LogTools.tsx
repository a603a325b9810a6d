import LiveCalls from "../../islands/LiveCalls.tsx";
import type { LogLook } from "../../lib/console/calls/log_look.ts";
import { type LogSearch, logSearchPath } from "../../lib/console/calls/log_search.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import { A } from "../A.tsx";
import { LogLookForm } from "./LogLookForm.tsx";

/** The look of the list, the switch for live updates, and the list of keys. */
export function LogTools(
  { view, search, look, live, nowMs }: {
    view: AccountView;
    search: LogSearch;
    look: LogLook;
    live: boolean;
    nowMs: number;
  },
) {
  const { catalog: { logPage, shortcuts } } = view;
  const here = logSearchPath(search);
  const lively = logSearchPath(search, { live: "1" });
  return (
    <>
      <LogLookForm view={view} look={look} />
      {live && (
        <LiveCalls
          href={lively}
          feed={`/console/log/live${feedQuery(search, nowMs)}`}
          texts={{
            newer: logPage.newer,
            one: logPage.newCall,
            many: logPage.newCalls,
            on: logPage.liveOn,
          }}
        />
      )}
      <button
        class="button small only-keyboard"
        type="button"
        popovertarget="shortcuts"
        aria-label={shortcuts.title}
        title={shortcuts.title}
      >
        ?
      </button>
      <A class="button small" href={live ? here : lively}>
        {live ? logPage.stopLive : logPage.live}
      </A>
    </>
  );
}

function feedQuery(search: LogSearch, nowMs: number): string {
  const query = logSearchPath(search, { since_ms: String(nowMs) });
  return query.slice(query.indexOf("?"));
}
