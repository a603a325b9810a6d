import { failureOf, listRequestLogs, type RequestLogRow } from "../../store/log/mod.ts";
import type { Store } from "../../store/mod.ts";
import { percentile, sumsOfRows } from "../../store/usage/mod.ts";
import { lastDay } from "./upstream_figures.ts";

/** Some calls of a model at an upstream. */
export interface ModelCalls {
  readonly calls: number;
  /** From 0 to 1. */
  readonly errorShare: number;
  /** The median; absent without answers. */
  readonly firstByteMs?: number;
}

/** The calls of an upstream's last 24 hours by model, as far as they were read. */
export interface NewestCalls {
  readonly byModel: ReadonlyMap<string, ModelCalls>;
  /** The number of newest calls that were read; absent if these are all. */
  readonly newest?: number;
}

/** No sums are kept by upstream and model, so rows are read. */
const rowsMax = 200;

/** Calls that other upstreams answered in the end count there. */
export async function newestCalls(
  store: Store,
  upstreamId: string,
  nowMs: number,
): Promise<NewestCalls> {
  const { fromMs } = lastDay(nowMs);
  const { rows, next } = await listRequestLogs(store, { upstreamId, fromMs, limit: rowsMax });
  const own = rows.filter((row) => row.upstreamId === upstreamId);
  const groups = Map.groupBy(own, ({ model }) => model);
  return {
    byModel: new Map([...groups].map(([model, calls]) => [model, callsOf(calls)])),
    ...(next !== undefined && { newest: rows.length }),
  };
}

function callsOf(rows: readonly RequestLogRow[]): ModelCalls {
  const failed = rows.filter(({ outcome }) => failureOf[outcome]).length;
  const firstByteMs = percentile(sumsOfRows(rows).times.firstByte, 0.5);
  return {
    calls: rows.length,
    errorShare: failed / rows.length,
    ...(firstByteMs !== undefined && { firstByteMs }),
  };
}
