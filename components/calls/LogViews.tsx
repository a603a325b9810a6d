import { type LogSearch, logSearchPath } from "../../lib/console/calls/log_search.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import type { LogView } from "../../lib/store/users/mod.ts";
import { A } from "../A.tsx";
import { Icon } from "../Icon.tsx";

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
