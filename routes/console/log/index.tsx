import { page } from "fresh";
import { CallTable } from "../../../components/CallTable.tsx";
import { ConsolePage } from "../../../components/ConsolePage.tsx";
import { LogExports } from "../../../components/LogExports.tsx";
import { LogFilters } from "../../../components/LogFilters.tsx";
import { LogPager } from "../../../components/LogPager.tsx";
import { NoCalls } from "../../../components/NoCalls.tsx";
import { UsageStrip } from "../../../components/UsageStrip.tsx";
import { may } from "../../../lib/accounts/mod.ts";
import { loaded } from "../../../lib/console/loaded.ts";
import { logChoices } from "../../../lib/console/log_choices.ts";
import { isFiltered, logSearchPath, readLogSearch } from "../../../lib/console/log_search.ts";
import { defineForAccount } from "../../../lib/console/state.ts";
import { usageSummary } from "../../../lib/console/usage_summary.ts";
import { accountView } from "../../../lib/console/view.ts";
import { isLogCursor, listRequestLogs } from "../../../lib/store/mod.ts";

const pageRows = 50;

/**
 * The account's calls, a page at a time: `?before=` continues where a page ended, `?id=` leads to
 * one call, and other fields say which calls are meant (`readLogSearch`).
 */
export const handler = defineForAccount.handlers({
  async GET({ url: { searchParams }, state }) {
    const wanted = searchParams.get("id")?.trim();
    if (wanted) {
      const location = `/console/log/${encodeURIComponent(wanted.slice(0, 100))}`;
      return new Response(null, { status: 303, headers: { location } });
    }
    const { services: { store }, account: { user }, nowMs, timeZone } = state;
    const text = searchParams.get("before") ?? "";
    const before = isLogCursor(text) ? text : undefined;
    const upstreams = may(user, "see-all-accounts");
    const search = readLogSearch(searchParams, { nowMs, timeZone, upstreams });
    const query = { ...search.filter, accountId: user.id, before, limit: pageRows };
    const [found, summary, choices] = await Promise.all([
      loaded(listRequestLogs(store, query)),
      loaded(usageSummary(store, user.id, search.filter)),
      logChoices(state, upstreams),
    ]);
    return page({ search, before, found, summary, choices });
  },
});

export default defineForAccount.page<typeof handler>(({ data, state, url }) => {
  const view = accountView(state, url);
  const { log, usage } = view.catalog;
  const { search, before, found, summary, choices } = data;
  const failed = { ...search, filter: { ...search.filter, status: "failed" } };
  const everybody = may(state.account.user, "see-all-accounts");
  const anything = (summary?.counts.requests ?? 0) > 0;
  return (
    <ConsolePage view={view} title={log.title} place="usage">
      {summary && (anything || isFiltered(search)) && (
        <UsageStrip view={view} summary={summary} failedHref={logSearchPath(failed)} />
      )}
      <section class="panel" aria-labelledby="calls">
        <header>
          <h2 id="calls">{log.caption}</h2>
          <span class="spacer" />
          <LogExports view={view} filter={search.filter} everybody={everybody} />
        </header>
        <LogFilters view={view} search={search} choices={choices} />
        {!summary && <p class="hint inset">{usage.noSummary}</p>}
        {found && found.rows.length > 0
          ? <CallTable view={view} calls={found.rows} />
          : <NoCalls view={view} search={search} found={found} before={before} />}
        <LogPager view={view} search={search} before={before} next={found?.next} />
      </section>
    </ConsolePage>
  );
});
