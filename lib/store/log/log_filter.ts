import { type Label, labelsOf } from "./log_label.ts";
import { idTimeMs } from "./log_time.ts";
import {
  type CalledEndpoint,
  calledEndpoint,
  type RequestLogRow,
  sessionText,
} from "./request_log_row.ts";

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
  readonly errorCode?: string;
  /** The limit that refused the calls, such as `key daily budget`, or the upstream that failed them. */
  readonly failedBy?: string;
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
  const { errorCode, failedBy } = filter;
  const wanted = [
    ["account", accountId],
    ["key", keyId],
    ["group", groupId],
    ["project", projectId],
    ["model", model?.toWellFormed()],
    ["upstream", upstreamId],
    ["status", status],
    ["error", errorCode],
    ["failedBy", failedBy],
  ] as const;
  return wanted.flatMap(([dimension, value]) => value === undefined ? [] : [{ dimension, value }]);
}

/** Filters without an index, which require reading the rows. */
interface ScannedFilter {
  /** A format, for calls that generate answers, or an endpoint that is relayed unchanged. */
  readonly format?: CalledEndpoint;
  /** Minimum duration, exclusive, in milliseconds. */
  readonly slowerThanMs?: number;
  /** Minimum cost, exclusive. */
  readonly dearerThanNanoUsd?: bigint;
  /**
   * The whole text of the caller's header, one of the tags in it, or the session: `ID`, `ID/AGENT` or
   * `ID/AGENT/CLASS`, with empty parts for what is unknown.
   */
  readonly tag?: string;
  /** Only calls that missed a cache. */
  readonly missed?: true;
  /**
   * Part of the id, a model, the key's name, the error code, the client or the address;
   * case-insensitive.
   */
  readonly text?: string;
}

/** Returns true if the filter requires reading rows. */
export function readsRows(filter: ScannedFilter): boolean {
  return rowFilter(filter) !== undefined;
}

/** Returns the test of a row; undefined if the filter needs none. */
export function rowFilter(
  { format, slowerThanMs, dearerThanNanoUsd, tag, missed, text }: ScannedFilter,
): ((row: RequestLogRow) => boolean) | undefined {
  const tests: ((row: RequestLogRow) => boolean)[] = [];
  if (format !== undefined) tests.push((row) => calledEndpoint(row) === format);
  if (slowerThanMs !== undefined) tests.push((row) => row.durationMs > slowerThanMs);
  if (dearerThanNanoUsd !== undefined) {
    tests.push(({ costNanoUsd = 0n }) => costNanoUsd > dearerThanNanoUsd);
  }
  if (tag !== undefined) {
    tests.push((row) =>
      row.tag === tag || row.tags?.includes(tag) === true ||
      (row.session !== undefined && `${sessionText(row.session)}/`.startsWith(`${tag}/`))
    );
  }
  if (missed) tests.push(({ cacheMiss }) => cacheMiss !== undefined);
  if (text !== undefined) tests.push(textTest(text));
  return tests.length === 0 ? undefined : (row) => tests.every((test) => test(row));
}

/**
 * Returns a test of packed lines, which is much faster than unpacking: false only if no row in the
 * lines matches. Undefined if the filter needs no rows, or has no such test.
 */
export function linesFilter(
  { tag, text }: ScannedFilter,
): ((lines: string) => boolean) | undefined {
  if (tag !== undefined) {
    const [whole, beginning] = [JSON.stringify(tag), JSON.stringify(`${tag}/`).slice(0, -1)];
    return (lines) => lines.includes(whole) || lines.includes(beginning);
  }
  if (text === undefined || !isAscii(text)) return undefined;
  const wanted = JSON.stringify(text).slice(1, -1).toLowerCase();
  return (lines) => lines.toLowerCase().includes(wanted);
}

/** Other letters may have another lower case within a line than by themselves. */
function isAscii(text: string): boolean {
  return /^[\x20-\x7e]*$/.test(text);
}

function textTest(text: string): (row: RequestLogRow) => boolean {
  const wanted = text.toLowerCase();
  return (row) =>
    [
      ...[row.id, row.model, row.upstreamModel, row.keyName, row.errorCode, row.userAgent, row.ip],
      ...[row.socket, row.chain?.name],
    ].some((field) => field?.toLowerCase().includes(wanted));
}
