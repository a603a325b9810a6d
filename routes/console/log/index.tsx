import { page } from "fresh";
import { CallTable } from "../../../components/CallTable.tsx";
import { ConsolePage } from "../../../components/ConsolePage.tsx";
import { LogExports } from "../../../components/LogExports.tsx";
import { Empty } from "../../../components/States.tsx";
import { may } from "../../../lib/accounts/mod.ts";
import { loaded } from "../../../lib/console/loaded.ts";
import { logFilterQuery, readLogFilter } from "../../../lib/console/log_filter.ts";
import { defineForAccount } from "../../../lib/console/state.ts";
import { accountView } from "../../../lib/console/view.ts";
import { isLogCursor, listRequestLogs } from "../../../lib/store/mod.ts";

const pageRows = 50;

/**
 * The account's calls, a page at a time: `?before=` continues where a page ended, `?id=` leads to
 * one call, and other fields say which calls are meant (`readLogFilter`).
 */
export const handler = defineForAccount.handlers({
  async GET({ url: { searchParams }, state: { services: { store }, account: { user } } }) {
    const wanted = searchParams.get("id")?.trim();
    if (wanted) {
      const location = `/console/log/${encodeURIComponent(wanted.slice(0, 100))}`;
      return new Response(null, { status: 303, headers: { location } });
    }
    const text = searchParams.get("before") ?? "";
    const before = isLogCursor(text) ? text : undefined;
    const filter = readLogFilter(searchParams);
    const query = { ...filter, accountId: user.id, before, limit: pageRows };
    const found = await loaded(listRequestLogs(store, query));
    return page({ filter, before, found });
  },
});

export default defineForAccount.page<typeof handler>(({ data, state, url }) => {
  const view = accountView(state, url);
  const { log, keys } = view.catalog;
  const { filter, before, found } = data;
  return (
    <ConsolePage view={view} title={log.title} place="usage">
      <section class="panel" aria-labelledby="calls">
        <header>
          <h2 id="calls">{log.caption}</h2>
          <span class="spacer" />
          <LogExports
            view={view}
            filter={filter}
            everybody={may(state.account.user, "see-all-accounts")}
          />
        </header>
        {found === undefined
          ? (
            <Empty icon="triangle-alert" title={log.failed}>
              <a class="button" href={view.path} aria-current="false">{keys.retry}</a>
            </Empty>
          )
          : found.rows.length > 0
          ? <CallTable view={view} calls={found.rows} />
          : found.next
          ? <Empty icon="scroll-text" title={log.emptySoFar} text={log.emptySoFarText} />
          : before
          ? <Empty icon="scroll-text" title={log.emptyOlder} text={log.emptyOlderText} />
          : <Empty icon="scroll-text" title={log.empty} text={log.emptyText} />}
        {(before || found?.next) && (
          <nav class="pager" aria-label={log.pages}>
            {before && (
              <a
                class="button small"
                href={`/console/log${logFilterQuery(filter)}`}
                aria-current="false"
              >
                {log.newest}
              </a>
            )}
            {found?.next && (
              <a
                class="button small"
                href={`/console/log${logFilterQuery(filter, { before: found.next })}`}
                aria-current="false"
              >
                {log.older}
              </a>
            )}
          </nav>
        )}
      </section>
    </ConsolePage>
  );
});
