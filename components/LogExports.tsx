import { logFilterQuery } from "../lib/console/log_filter.ts";
import type { AccountView, LogFilter } from "../lib/console/view.ts";

/** Links to the calls of the page as files, and for whoever may see them to those of all accounts. */
export function LogExports(
  { view: { catalog: { log } }, filter, everybody }: {
    view: AccountView;
    filter: LogFilter;
    everybody: boolean;
  },
) {
  const links: readonly { text: string; fields: Readonly<Record<string, string>> }[] = [
    { text: log.exportCsv, fields: { format: "csv" } },
    { text: log.exportJsonl, fields: { format: "jsonl" } },
    ...(everybody ? [{ text: log.exportAll, fields: { format: "csv", scope: "all" } }] : []),
  ];
  return (
    <>
      {links.map(({ text, fields }) => (
        <a
          class="link"
          href={`/console/log/export${logFilterQuery(filter, fields)}`}
          aria-current="false"
          download
        >
          {text}
        </a>
      ))}
    </>
  );
}
