import { type LogSearch, logSearchPath } from "../lib/console/log_search.ts";
import type { AccountView } from "../lib/console/view.ts";

/** Leads to older calls and back to the newest; nothing where one page holds all. */
export function LogPager(
  { view: { catalog: { log } }, search, before, next }: {
    view: AccountView;
    search: LogSearch;
    before: string | undefined;
    next: string | undefined;
  },
) {
  if (!before && !next) return null;
  return (
    <nav class="pager" aria-label={log.pages}>
      {before && (
        <a class="button small" href={logSearchPath(search)} aria-current="false">{log.newest}</a>
      )}
      {next && (
        <a
          class="button small"
          href={logSearchPath(search, { before: next })}
          aria-current="false"
        >
          {log.older}
        </a>
      )}
    </nav>
  );
}
