import type { Exclusion } from "../../lib/console/calls/log_exclusion.ts";
import type { SearchProgress } from "../../lib/console/calls/log_page.ts";
import {
  isFiltered,
  type LogSearch,
  logSearchPath,
  scopeOf,
} from "../../lib/console/calls/log_search.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import { Empty, Failed, NoMatch } from "../States.tsx";

/** The empty states of the log: read failed, scan limit reached, no calls yet, or no match. */
export function NoCalls(
  { view, search, found, before, excluding, progress }: {
    view: AccountView;
    search: LogSearch;
    /** Absent if reading failed. */
    found: { readonly next?: string } | undefined;
    before: string | undefined;
    /** The filter that excludes most matches. */
    excluding: Exclusion | undefined;
    /** Present if the search reads rows. */
    progress: SearchProgress | undefined;
  },
) {
  const { log, lists, usage } = view.catalog;
  if (found === undefined) return <Failed view={view} title={log.failed} />;
  if (found.next) {
    return <Empty icon="scroll-text" title={log.emptySoFar} text={log.emptySoFarText} />;
  }
  const isOlderPage = before !== undefined && progress?.found !== 0;
  if (isOlderPage) {
    return <Empty icon="scroll-text" title={log.emptyOlder} text={log.emptyOlderText} />;
  }
  if (isFiltered(search)) {
    return (
      <NoMatch
        lists={lists}
        count={Object.keys(search.filter).length}
        title={usage.noMatch}
        hiding={excluding && {
          filter: excluding.chip.text,
          rows: callsOf(excluding, view),
          href: excluding.chip.href,
        }}
        clear={logSearchPath({ filter: {}, ...scopeOf(search) })}
      />
    );
  }
  return <Empty icon="scroll-text" title={log.empty} text={log.emptyText} />;
}

function callsOf(
  { count, more }: Exclusion,
  { catalog: { logPage }, formats }: AccountView,
): string {
  return logPage.calls(`${formats.count(count)}${more ? "+" : ""}`);
}
