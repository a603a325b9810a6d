import { listRequestLogs, type LogFilter, type RequestLogRow } from "../../store/log/mod.ts";
import type { Store } from "../../store/mod.ts";

/** The newest calls of a filter. */
interface NewestCalls {
  readonly rows: readonly RequestLogRow[];
  /** True if there may be more. */
  readonly more: boolean;
}

const [rowsAtOnce, pagesMax] = [1_000, 10];

/** Reads the newest calls of a filter page by page, up to `most`: a page of few may have a next one. */
export async function readNewest(
  store: Store,
  filter: LogFilter,
  most: number,
): Promise<NewestCalls> {
  const rows: RequestLogRow[] = [];
  let before: string | undefined;
  let pages = 0;
  do {
    const page = await listRequestLogs(store, { ...filter, before, limit: rowsAtOnce });
    rows.push(...page.rows);
    before = page.next;
    pages++;
  } while (before !== undefined && rows.length < most && pages < pagesMax);
  return { rows, more: before !== undefined };
}
