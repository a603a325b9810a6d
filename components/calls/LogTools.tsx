import LiveCalls from "../../islands/LiveCalls.tsx";
import { logFilterQuery } from "../../lib/console/calls/log_filter.ts";
import {
  densities,
  type LogColumn,
  logColumns,
  type LogLook,
} from "../../lib/console/calls/log_look.ts";
import {
  logScopeFields,
  type LogSearch,
  logSearchPath,
} from "../../lib/console/calls/log_search.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import type { LogView } from "../../lib/store/users/mod.ts";
import { A } from "../A.tsx";
import { Icon } from "../Icon.tsx";

/** The look of the list, the switch for live updates, and the list of keys. */
export function LogTools(
  { view, search, look, live, nowMs }: {
    view: AccountView;
    search: LogSearch;
    look: LogLook;
    live: boolean;
    nowMs: number;
  },
) {
  const { catalog: { logPage, shortcuts } } = view;
  const here = logSearchPath(search);
  const lively = logSearchPath(search, { live: "1" });
  return (
    <>
      <LogLookForm view={view} look={look} />
      {live && (
        <LiveCalls
          href={lively}
          feed={`/console/log/live${feedQuery(search, nowMs)}`}
          texts={{
            newer: logPage.newer,
            one: logPage.newCall,
            many: logPage.newCalls,
            on: logPage.liveOn,
          }}
        />
      )}
      <button
        class="button small only-keyboard"
        type="button"
        popovertarget="shortcuts"
        aria-label={shortcuts.title}
        title={shortcuts.title}
      >
        ?
      </button>
      <A class="button small" href={live ? here : lively}>
        {live ? logPage.stopLive : logPage.live}
      </A>
    </>
  );
}

function feedQuery(search: LogSearch, nowMs: number): string {
  const query = logSearchPath(search, { since_ms: String(nowMs) });
  return query.slice(query.indexOf("?"));
}

/** The reader's saved views: open one, delete one, or save the current filters. */
export function LogViews(
  { view: { catalog: { logPage } }, search, views }: {
    view: AccountView;
    search: LogSearch;
    views: readonly LogView[];
  },
) {
  const here = logSearchPath(search);
  const query = here.split("?")[1] ?? "";
  return (
    <>
      <button class="button small" type="button" popovertarget="log-views">
        {views.length > 0 ? logPage.viewsCount(views.length) : logPage.views}
      </button>
      <div class="menu of-views" id="log-views" popover="auto">
        {views.length === 0 && <p class="hint">{logPage.noViews}</p>}
        <ul>
          {views.map((one) => (
            <li>
              <A
                href={one.query ? `/console/log?${one.query}` : "/console/log"}
                current={one.query === query}
              >
                {one.name}
              </A>
              <form method="post" action="/console/log/views">
                <input type="hidden" name="back" value={here} />
                <button
                  class="icon-button"
                  name="delete"
                  value={one.name}
                  type="submit"
                  aria-label={logPage.deleteView(one.name)}
                >
                  <Icon name="trash-2" small />
                </button>
              </form>
            </li>
          ))}
        </ul>
        <form class="filters" method="post" action="/console/log/views">
          <input type="hidden" name="back" value={here} />
          <input type="hidden" name="query" value={query} />
          <input
            class="input"
            name="name"
            required
            maxLength={60}
            aria-label={logPage.viewName}
            placeholder={logPage.viewName}
            autocomplete="off"
          />
          <button class="button" type="submit">{logPage.saveView}</button>
        </form>
      </div>
    </>
  );
}

/** Selects the height of the rows and the columns, and stores both in a cookie. */
function LogLookForm({ view, look }: { view: AccountView; look: LogLook }) {
  const { catalog: { logPage: { look: texts } }, may, path } = view;
  const names = logColumnNames(view);
  const offered = logColumns.filter((one) => one !== "account" || may("calls:read"));
  return (
    <>
      <button
        class="button small only-wide"
        type="button"
        popovertarget="log-look"
        aria-label={texts.title}
        title={texts.title}
      >
        <Icon name="columns-2" small />
      </button>
      <div class="menu of-columns" id="log-look" popover="auto">
        <form method="post" action="/preferences">
          <input type="hidden" name="back" value={path} />
          <fieldset>
            <legend>{texts.density}</legend>
            {densities.map((one) => (
              <label>
                <input type="radio" name="density" value={one} checked={one === look.density} />
                {texts.densities[one]}
              </label>
            ))}
          </fieldset>
          <fieldset>
            <legend>{texts.columns}</legend>
            {offered.map((one) => (
              <label>
                <input
                  type="checkbox"
                  name="column"
                  value={one}
                  checked={look.columns.includes(one)}
                />
                {names[one]}
              </label>
            ))}
          </fieldset>
          <button class="button small" type="submit">{texts.save}</button>
        </form>
      </div>
    </>
  );
}

/** The heads of the optional columns. */
export function logColumnNames(
  { catalog: { log, logPage, usage } }: AccountView,
): Readonly<Record<LogColumn, string>> {
  return {
    key: log.key,
    account: logPage.account,
    input: log.input,
    output: log.output,
    firstByte: logPage.firstByte,
    duration: log.duration,
    cost: usage.cost,
  };
}

/** Links that export the calls of the page as files. */
export function LogExports(
  { view: { catalog: { log, logPage } }, search }: { view: AccountView; search: LogSearch },
) {
  const { accountId: _, ...filter } = search.filter;
  const links = [
    { text: log.exportCsv, as: "csv" },
    { text: log.exportJsonl, as: "jsonl" },
    { text: logPage.exportSpend, as: "spend" },
  ];
  return (
    <>
      <button class="button small" type="button" popovertarget="log-exports">
        {logPage.exports}
      </button>
      <div class="menu of-exports" id="log-exports" popover="auto">
        {links.map(({ text, as }) => (
          <A
            class="item"
            href={`/console/log/export${logFilterQuery(filter, { ...logScopeFields(search), as })}`}
            download
          >
            {text}
          </A>
        ))}
      </div>
    </>
  );
}
