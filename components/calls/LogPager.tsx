import { type LogSearch, logSearchPath } from "../../lib/console/calls/log_search.ts";
import type { AccountView, RequestLogPage } from "../../lib/console/page/view.ts";
import { A } from "../A.tsx";

/** A page that is shorter although others follow was ended by what one search may read. */
const fullPage = 50;

/**
 * Leads to older calls and back to the newest, and on where a search has not reached the end of the
 * log; nothing where one page holds all.
 */
export function LogPager(
  { view: { catalog: { log, logPage } }, search, before, found }: {
    view: AccountView;
    search: LogSearch;
    before: string | undefined;
    found: RequestLogPage | undefined;
  },
) {
  const { next, rows = [] } = found ?? {};
  const further = rows.length < fullPage && next !== undefined;
  if (!before && !next) return null;
  return (
    <nav class="pager" aria-label={log.pages}>
      {before && <A class="button small" href={logSearchPath(search)}>{log.newest}</A>}
      {next && (
        <A class="button small" href={logSearchPath(search, { before: next })}>
          {further ? logPage.further : log.older}
        </A>
      )}
      {further && <p class="hint">{logPage.furtherText}</p>}
    </nav>
  );
}
