import SearchSteps from "../../islands/SearchSteps.tsx";
import type { SearchProgress } from "../../lib/console/calls/log_page.ts";
import { type LogSearch, logSearchPath } from "../../lib/console/calls/log_search.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import type { RequestLogPage } from "../../lib/store/log/mod.ts";
import { A } from "../A.tsx";

interface LogPagerProps {
  readonly view: AccountView;
  readonly search: LogSearch;
  readonly before: string | undefined;
  readonly found: RequestLogPage | undefined;
  /** Present if the search reads rows. */
  readonly progress: SearchProgress | undefined;
}

/**
 * The zone of the times, links to older calls and back to the newest, or how far a search has come.
 * The island of an earlier page reads the progress from the attributes.
 */
export function LogPager(props: LogPagerProps) {
  const { view: { catalog: { log, logPage }, formats }, search, before, found, progress } = props;
  const zone = found?.rows.length ? logPage.zone(formats.timeZone) : undefined;
  const isWhole = !before && !found?.next && !progress;
  if (isWhole) return zone ? <p class="hint">{zone}</p> : null;
  const next = found?.next && nextPath(props, found.next);
  const text = progress && progressText(props, progress);
  return (
    <nav class="pager" aria-label={log.pages} data-search-step={text} data-next={next}>
      {zone && <p class="hint">{zone}</p>}
      {before && <A class="button small" href={logSearchPath(search)}>{log.newest}</A>}
      {text !== undefined && progress?.isStep
        ? <SearchSteps next={next} text={text} texts={stepTexts(props)} />
        : next && <A class="button small" href={next}>{log.older}</A>}
    </nav>
  );
}

function progressText(
  { view: { catalog: { logPage }, formats }, found }: LogPagerProps,
  progress: SearchProgress,
): string {
  const [searched, matches] = [formats.count(progress.searched), formats.count(progress.found)];
  return found?.next === undefined
    ? logPage.searchedAll(searched, matches)
    : logPage.searchedBack(formats.moment(progress.backToMs), searched, matches);
}

function stepTexts({ view: { catalog: { logPage } } }: LogPagerProps) {
  return { older: logPage.searchOlder, stop: logPage.searchStop, goOn: logPage.searchGoOn };
}

function nextPath({ search, progress }: LogPagerProps, before: string): string {
  const counts = progress && {
    searched: String(progress.searched),
    found: String(progress.found),
  };
  return logSearchPath(search, { before, ...counts });
}
