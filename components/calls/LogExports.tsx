import { logFilterQuery } from "../../lib/console/calls/log_filter.ts";
import { logScopeFields, type LogSearch } from "../../lib/console/calls/log_search.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import { A } from "../A.tsx";

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
