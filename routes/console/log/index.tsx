import { page } from "fresh";
import { CallDetail, CallDrawer } from "../../../components/calls/CallDrawer.tsx";
import { CallTable } from "../../../components/calls/CallTable.tsx";
import { LogFilters } from "../../../components/calls/LogFilters.tsx";
import { LogPager, NoCalls } from "../../../components/calls/LogPager.tsx";
import { LogExports, LogTools, LogViews } from "../../../components/calls/LogTools.tsx";
import { LogBars, LogTotals } from "../../../components/calls/LogTotals.tsx";
import { RecordingNotice } from "../../../components/keys/Recording.tsx";
import { ConsolePage } from "../../../components/layout/ConsolePage.tsx";
import Notice from "../../../islands/Notice.tsx";
import { readRequestId } from "../../../lib/admin/calls.ts";
import {
  type CallPage,
  type FoundCall,
  readCallPage,
} from "../../../lib/console/calls/call_page.ts";
import { logChips, mostExcluding } from "../../../lib/console/calls/log_chips.ts";
import { readOwnRecordings } from "../../../lib/console/calls/recordings.ts";
import { readLogLook } from "../../../lib/console/calls/log_look.ts";
import { readLogPage, searchOf } from "../../../lib/console/calls/log_page.ts";
import { isFiltered, logSearchPath } from "../../../lib/console/calls/log_search.ts";
import { viewNotice } from "../../../lib/console/calls/log_views.ts";
import { publicOrigin, seeOther } from "../../../lib/console/page/address.ts";
import { takeFlash } from "../../../lib/console/page/flash.ts";
import { accountPage, accountView } from "../../../lib/console/page/view.ts";
import { defineForAccount } from "../../../lib/console/session/state.ts";

/**
 * The account's calls, or for administrators those of all accounts, paged: `?before=` continues a
 * list, `?id=` and a `?q=` with an id redirect to one call, and other fields are filters
 * (`readLogSearch`).
 */
export const handler = defineForAccount.handlers({
  async GET(ctx) {
    const { req, url, state } = ctx;
    const fields = url.searchParams;
    const wanted = fields.get("id")?.trim() || readRequestId(fields.get("q")?.trim());
    if (wanted) {
      return seeOther(`/console/log/${encodeURIComponent(wanted.slice(0, 100))}`);
    }
    const { services: { store }, account: { user } } = state;
    const linkOf = (id: string) => `${publicOrigin({ state, req, url })}/console/log/${id}`;
    const called = fields.get("call");
    const read = called ? await readCallPage(called, { state, linkOf }) : undefined;
    const open = read && isFound(read) ? read : undefined;
    if (called && fields.get("part") === "call") {
      const detail = open && <CallDetail view={accountView(state, url)} open={open} />;
      const status = open ? 200 : read?.isUnreadable ? 503 : 404;
      return await ctx.render(detail ?? <p />, { status }, partOnly);
    }
    const headers = new Headers();
    const flash = await takeFlash(req, headers, state);
    const search = await searchOf(fields, state);
    const shown = await readLogPage(search, fields, { state, signal: req.signal });
    const names = {
      keys: new Map(shown.choices.keys.map(({ id, name }) => [id, name])),
      accounts: shown.accounts,
    };
    const chips = logChips(accountView(state, url), search, names);
    const nothing = shown.found?.rows.length === 0 && !shown.found.next && !shown.before;
    const excluding = nothing && chips.length > 0
      ? await mostExcluding(store, chips, user.id)
      : undefined;
    const live = fields.get("live") === "1";
    const recordings = search.everybody ? [] : await readOwnRecordings(state);
    const look = readLogLook(req.headers);
    return page({
      search,
      look,
      chips,
      open,
      place: placeOf(fields),
      excluding,
      live,
      flash,
      recordings,
      ...shown,
    }, {
      headers,
    });
  },
});

const partOnly = { skipAppWrapper: true, skipInheritedLayouts: true };

function isFound(read: CallPage): read is FoundCall {
  return read.call !== undefined;
}

/** The fields of the place in the list, which stay while calls are opened. */
function placeOf(fields: URLSearchParams): Readonly<Record<string, string>> {
  const names = ["before", "size", "searched", "found", "live"];
  return Object.fromEntries(names.flatMap((name) => {
    const text = fields.get(name);
    return text === null ? [] : [[name, text]];
  }));
}

export default accountPage<typeof handler>(({ data, state, view }) => {
  const { log, logPage } = view.catalog;
  const { search, chips, excluding, before, found, progress, summary, choices, flash } = data;
  const failed = { ...search, filter: { ...search.filter, status: "failed" } };
  const anything = (summary?.counts.requests ?? 0) > 0;
  const isSearching = progress !== undefined && found?.next !== undefined;
  const hrefOf = (call?: string) => logSearchPath(search, { ...data.place, ...(call && { call }) });
  const notice = flash && viewNotice(flash, view.catalog);
  return (
    <ConsolePage
      view={view}
      title={log.title}
      place="log"
      who={search.everybody ? "everyone" : "mine"}
    >
      {notice && <Notice text={notice} />}
      <RecordingNotice view={view} recordings={data.recordings} />
      <section class="panel log-list" aria-labelledby="calls">
        <h2 class="unseen" id="calls">{search.everybody ? logPage.everybody : log.caption}</h2>
        <div class="log-head">
          <LogFilters {...{ view, search, choices, chips }} accounts={data.accounts} />
          <div class="log-tools">
            <LogTools
              view={view}
              search={search}
              look={data.look}
              live={data.live}
              nowMs={state.nowMs}
            />
            <LogViews view={view} search={search} views={data.views} />
            <LogExports view={view} search={search} />
          </div>
        </div>
        {summary && (anything || (isFiltered(search) && !isSearching)) && (
          <>
            <LogTotals view={view} summary={summary} failedHref={logSearchPath(failed)} />
            <LogBars view={view} search={search} bars={summary.bars} />
            {summary.newest !== undefined && (
              <p class="hint">{logPage.newest(view.formats.count(summary.newest))}</p>
            )}
            {summary.charted !== undefined && (
              <p class="hint">{logPage.charted(view.formats.count(summary.charted))}</p>
            )}
          </>
        )}
        <div id="found-calls">
          {found && found.rows.length > 0
            ? (
              <CallTable
                view={view}
                calls={found.rows}
                accounts={data.accounts}
                look={data.look}
                hrefOf={hrefOf}
                openId={data.open?.call.id}
                lastFour={choices.lastFour}
                hasDays
              />
            )
            : <NoCalls {...{ view, search, found, before, excluding, progress }} />}
        </div>
        <LogPager {...{ view, search, before, found, progress }} />
        {data.archivedDay && <p class="hint">{logPage.archived(data.archivedDay)}</p>}
      </section>
      <CallDrawer
        view={view}
        open={data.open}
        ids={found?.rows.map(({ id }) => id) ?? []}
        hrefOf={hrefOf}
      />
    </ConsolePage>
  );
});
