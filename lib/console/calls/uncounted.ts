import type { LogFilter, RequestLogRow } from "../../store/log/mod.ts";
import type { Store } from "../../store/mod.ts";
import {
  addCounts,
  addTimes,
  type Counts,
  isKnownModel,
  sumsOfRows,
  type Times,
} from "../../store/usage/mod.ts";
import { readNewest } from "./newest_calls.ts";

/** The calls of a model that its rollup leaves out, because callers may write any name into them. */
interface UncountedCalls {
  readonly rows: readonly RequestLogRow[];
  /** True if there may be more. */
  readonly more: boolean;
}

/** Such calls are refused by the gateway, or rejected by an upstream with these statuses. */
const statuses = ["refused", "4xx", "client_gone"];
const rowsMax = 1_000;

/** Reads them for a filter by model; none for other filters. */
export async function readUncounted(store: Store, filter: LogFilter): Promise<UncountedCalls> {
  if (filter.model === undefined) return { rows: [], more: false };
  const pages = await Promise.all(
    statuses.map((status) => readNewest(store, { ...filter, status }, rowsMax)),
  );
  const rows = new Map(pages.flatMap((page) => page.rows).map((row) => [row.id, row]));
  return {
    rows: [...rows.values()].filter((row) => !isKnownModel(row)),
    more: pages.some(({ more }) => more),
  };
}

export function withUncounted(
  kept: { readonly counts: Counts; readonly times: Times },
  { rows }: UncountedCalls,
): { readonly counts: Counts; readonly times: Times } {
  const { counts, times } = sumsOfRows(rows);
  return { counts: addCounts(kept.counts, counts), times: addTimes(kept.times, times) };
}
