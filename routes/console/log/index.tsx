import { page } from "fresh";
import { CallTable } from "../../../components/CallTable.tsx";
import { ConsolePage } from "../../../components/ConsolePage.tsx";
import { Empty } from "../../../components/States.tsx";
import { loaded } from "../../../lib/console/loaded.ts";
import { readRequestId } from "../../../lib/console/request_id.ts";
import { defineForAccount } from "../../../lib/console/state.ts";
import { accountView } from "../../../lib/console/view.ts";
import { listRequestLogs } from "../../../lib/store/mod.ts";

const pageRows = 50;

/** The account's calls, a page at a time: `?before=` continues below a call, `?id=` leads to one. */
export const handler = defineForAccount.handlers({
  async GET({ url, state: { services: { store }, account } }) {
    const wanted = url.searchParams.get("id")?.trim();
    if (wanted) {
      const location = `/console/log/${encodeURIComponent(wanted.slice(0, 100))}`;
      return new Response(null, { status: 303, headers: { location } });
    }
    const before = readRequestId(url.searchParams.get("before"));
    const found = await loaded(
      listRequestLogs(store, { accountId: account.user.id, before, limit: pageRows }),
    );
    return page({ before, found });
  },
});

export default defineForAccount.page<typeof handler>(({ data, state, url }) => {
  const view = accountView(state, url);
  const { log, keys } = view.catalog;
  const { before, found } = data;
  return (
    <ConsolePage view={view} title={log.title} place="usage">
      <section class="panel" aria-labelledby="calls">
        <header>
          <h2 id="calls">{log.caption}</h2>
        </header>
        {found === undefined
          ? (
            <Empty icon="triangle-alert" title={log.failed}>
              <a class="button" href={view.path} aria-current="false">{keys.retry}</a>
            </Empty>
          )
          : found.rows.length > 0
          ? <CallTable view={view} calls={found.rows} />
          : before
          ? <Empty icon="scroll-text" title={log.emptyOlder} text={log.emptyOlderText} />
          : <Empty icon="scroll-text" title={log.empty} text={log.emptyText} />}
        {(before || found?.next) && (
          <nav class="pager" aria-label={log.pages}>
            {before && (
              <a class="button small" href="/console/log" aria-current="false">{log.newest}</a>
            )}
            {found?.next && (
              <a
                class="button small"
                href={`/console/log?before=${found.next}`}
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
