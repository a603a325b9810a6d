import { type Label, labelsOf } from "./log_label.ts";
import { rowFilter, type ScannedFilter } from "./log_scan.ts";
import { idTimeMs } from "./log_time.ts";
import type { RequestLogRow } from "./request_log_row.ts";

/** Selects calls that match all of its fields. */
export interface LogFilter extends ScannedFilter {
  readonly accountId?: string;
  readonly keyId?: string;
  readonly groupId?: string;
  readonly projectId?: string;
  readonly model?: string;
  /** An upstream that was tried, even if another one answered. */
  readonly upstreamId?: string;
  /** A status such as `429`, a class such as `5xx`, an outcome such as `timeout`, or `failed`. */
  readonly status?: string;
  /** Bounds of the start of the calls; the end is exclusive. */
  readonly fromMs?: number;
  readonly toMs?: number;
}

/** Returns the test of rows that are read without an index. */
export function logFilterTest(
  { fromMs = 0, toMs = Infinity, ...filter }: LogFilter,
): (row: RequestLogRow) => boolean {
  const labels = labelsFor(filter);
  const matches = rowFilter(filter) ?? (() => true);
  return (row) => {
    const atMs = idTimeMs(row.id);
    return atMs >= fromMs && atMs < toMs && hasLabels(row, labels) && matches(row);
  };
}

function hasLabels(row: RequestLogRow, labels: readonly Label[]): boolean {
  if (labels.length === 0) return true;
  const own = labelsOf(row);
  return labels.every(({ dimension, value }) =>
    own.some((label) => label.dimension === dimension && label.value === value)
  );
}

/** The labels that a row must have to match. */
export function labelsFor(filter: Omit<LogFilter, "fromMs" | "toMs">): Label[] {
  const { accountId, keyId, groupId, projectId, model, upstreamId, status } = filter;
  const wanted = [
    ["account", accountId],
    ["key", keyId],
    ["group", groupId],
    ["project", projectId],
    ["model", model?.toWellFormed()],
    ["upstream", upstreamId],
    ["status", status],
  ] as const;
  return wanted.flatMap(([dimension, value]) => value === undefined ? [] : [{ dimension, value }]);
}
