import type { Exclusion } from "../../lib/console/calls/log_exclusion.ts";
import {
  isFiltered,
  type LogSearch,
  logSearchPath,
  scopeOf,
} from "../../lib/console/calls/log_search.ts";
import type { SearchProgress } from "../../lib/console/calls/log_page.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import { A } from "../A.tsx";
import { Empty, Failed } from "../States.tsx";

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
  const { log, logPage, lists, usage } = view.catalog;
  if (found === undefined) {
    return <Failed title={log.failed} retry={lists.retry} path={view.path} />;
  }
  if (found.next) {
    return <Empty icon="scroll-text" title={log.emptySoFar} text={log.emptySoFarText} />;
  }
  const isOlderPage = before !== undefined && progress?.found !== 0;
  if (isOlderPage) {
    return <Empty icon="scroll-text" title={log.emptyOlder} text={log.emptyOlderText} />;
  }
  if (isFiltered(search)) {
    return (
      <Empty
        icon="search"
        title={usage.noMatch}
        text={excluding
          ? logPage.excludes(excluding.chip.text, callsOf(excluding, view))
          : usage.noMatchText}
      >
        {excluding && (
          <A class="button" href={excluding.chip.href}>{logPage.without(excluding.chip.text)}</A>
        )}
        <A class="button" href={logSearchPath({ filter: {}, ...scopeOf(search) })}>{lists.clear}</A>
      </Empty>
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
