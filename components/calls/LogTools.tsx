import LiveCalls from "../../islands/LiveCalls.tsx";
import { type LogSearch, logSearchPath } from "../../lib/console/calls/log_search.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import { A } from "../A.tsx";

/** The switches between own and all calls, and for live updates. */
export function LogTools(
  { view, search, live, nowMs }: {
    view: AccountView;
    search: LogSearch;
    live: boolean;
    nowMs: number;
  },
) {
  const { catalog: { logPage }, user } = view;
  const here = logSearchPath(search);
  const lively = logSearchPath(search, { live: "1" });
  return (
    <>
      {user.role === "administrator" && <Whose view={view} search={search} />}
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
      <button class="button small only-keyboard" type="button" popovertarget="shortcuts">
        {logPage.keyboard}
      </button>
      <A class="button small" href={live ? here : lively}>
        {live ? logPage.stopLive : logPage.live}
      </A>
    </>
  );
}

function Whose(
  { view: { catalog: { logPage } }, search }: { view: AccountView; search: LogSearch },
) {
  const { everybody, filter: { accountId: _, ...filter }, ...time } = search;
  const choices = [
    { text: logPage.mine, href: logSearchPath({ filter, ...time }), chosen: !everybody },
    {
      text: logPage.everybody,
      href: logSearchPath({ filter, ...time, everybody: true }),
      chosen: everybody === true,
    },
  ];
  return (
    <nav class="choice-links" aria-label={logPage.whose}>
      {choices.map(({ text, href, chosen }) => (
        <A key={href} href={href} current={chosen}>
          {text}
        </A>
      ))}
    </nav>
  );
}

function feedQuery(search: LogSearch, nowMs: number): string {
  const query = logSearchPath(search, { since_ms: String(nowMs) });
  return query.slice(query.indexOf("?"));
}
