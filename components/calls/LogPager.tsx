import SearchSteps from "../../islands/SearchSteps.tsx";
import type { Exclusion } from "../../lib/console/calls/log_chips.ts";
import type { SearchProgress } from "../../lib/console/calls/log_page.ts";
import {
  isFiltered,
  type LogSearch,
  logSearchPath,
  scopeOf,
} from "../../lib/console/calls/log_search.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import type { RequestLogPage } from "../../lib/store/log/mod.ts";
import { A } from "../A.tsx";
import { Empty, Failed, NoMatch } from "../States.tsx";

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
