import { type CalledEndpoint, calledEndpoint, type RequestLogRow } from "./request_log_row.ts";

/** Filters without an index, which require reading the rows. */
export interface ScannedFilter {
  /** A format, for calls that generate answers, or an endpoint that is relayed unchanged. */
  readonly format?: CalledEndpoint;
  /** Minimum duration, exclusive, in milliseconds. */
  readonly slowerThanMs?: number;
  /** Minimum cost, exclusive. */
  readonly dearerThanNanoUsd?: bigint;
  /** The whole text of the caller's header, or one of the tags in it. */
  readonly tag?: string;
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
  { format, slowerThanMs, dearerThanNanoUsd, tag, text }: ScannedFilter,
): ((row: RequestLogRow) => boolean) | undefined {
  const tests: ((row: RequestLogRow) => boolean)[] = [];
  if (format !== undefined) tests.push((row) => calledEndpoint(row) === format);
  if (slowerThanMs !== undefined) tests.push((row) => row.durationMs > slowerThanMs);
  if (dearerThanNanoUsd !== undefined) {
    tests.push(({ costNanoUsd = 0n }) => costNanoUsd > dearerThanNanoUsd);
  }
  if (tag !== undefined) tests.push((row) => row.tag === tag || row.tags?.includes(tag) === true);
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
  if (tag !== undefined) return (lines) => lines.includes(JSON.stringify(tag));
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
    [row.id, row.model, row.upstreamModel, row.keyName, row.errorCode, row.userAgent, row.ip]
      .some((field) => field?.toLowerCase().includes(wanted));
}
