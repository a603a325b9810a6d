import { type LogSearch, logSearchPath } from "../../lib/console/calls/log_search.ts";
import type { AccountView, RequestLogPage } from "../../lib/console/page/view.ts";
import { A } from "../A.tsx";

/** Rows of a full page. A shorter page that has a successor was cut off by the scan limit. */
const fullPage = 50;

/**
 * Links to older calls and back to the newest, and onward if a search stopped at its scan limit.
 * Nothing if one page holds all calls.
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
