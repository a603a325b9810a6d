import SearchSteps from "../../islands/SearchSteps.tsx";
import type { SearchProgress } from "../../lib/console/calls/log_page.ts";
import { type LogSearch, logSearchPath } from "../../lib/console/calls/log_search.ts";
import type { AccountView, RequestLogPage } from "../../lib/console/page/view.ts";
import { A } from "../A.tsx";

/** Rows of a full page. A shorter page that has a successor is a step of a search. */
const fullPage = 50;

interface LogPagerProps {
  readonly view: AccountView;
  readonly search: LogSearch;
  readonly before: string | undefined;
  readonly found: RequestLogPage | undefined;
  /** Present if the search reads rows. */
  readonly progress: SearchProgress | undefined;
}

/**
 * Links to older calls and back to the newest, or how far a search has come. Nothing if one page
 * holds all calls.
 */
export function LogPager(props: LogPagerProps) {
  const { view: { catalog: { log } }, search, before, found, progress } = props;
  const { next, rows = [] } = found ?? {};
  if (!before && !next) return null;
  const isStep = progress !== undefined && (next === undefined || rows.length < fullPage);
  return (
    <nav class="pager" aria-label={log.pages}>
      {before && <A class="button small" href={logSearchPath(search)}>{log.newest}</A>}
      {isStep
        ? <SearchStep {...props} progress={progress} />
        : next && <A class="button small" href={nextPath(props, next)}>{log.older}</A>}
    </nav>
  );
}

/** The island reads text and address of later steps from the attributes. */
function SearchStep(
  props: LogPagerProps & { readonly progress: SearchProgress },
) {
  const { view: { catalog: { logPage }, formats }, found, progress } = props;
  const [searched, matches] = [formats.count(progress.searched), formats.count(progress.found)];
  const next = found?.next && nextPath(props, found.next);
  const text = next === undefined
    ? logPage.searchedAll(searched, matches)
    : logPage.searchedBack(formats.moment(progress.backToMs), searched, matches);
  const texts = { older: logPage.searchOlder, stop: logPage.searchStop, goOn: logPage.searchGoOn };
  return (
    <div data-search-step={text} data-next={next}>
      <SearchSteps next={next} text={text} texts={texts} />
    </div>
  );
}

function nextPath({ search, progress }: LogPagerProps, before: string): string {
  const counts = progress && {
    searched: String(progress.searched),
    found: String(progress.found),
  };
  return logSearchPath(search, { before, ...counts });
}
