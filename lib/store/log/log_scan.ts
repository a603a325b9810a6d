import { type CalledEndpoint, calledEndpoint, type RequestLogRow } from "./request_log_row.ts";

/** What no index tells of calls: their rows are read to find out. */
export interface ScannedFilter {
  /** A format, which means its answers alone, or an endpoint that is passed on as it is. */
  readonly format?: CalledEndpoint;
  /** Took longer, in milliseconds. */
  readonly slowerThanMs?: number;
  /** Cost more. */
  readonly dearerThanNanoUsd?: bigint;
  readonly tag?: string;
  /** Part of the id, a model, the key's name, the error code, the client or the address; capitals do not matter. */
  readonly text?: string;
}

/** Whether rows must be read to tell which calls are meant. */
export function readsRows(filter: ScannedFilter): boolean {
  return rowFilter(filter) !== undefined;
}

/** Whether a row is meant; undefined where the filter asks nothing of rows themselves. */
export function rowFilter(
  { format, slowerThanMs, dearerThanNanoUsd, tag, text }: ScannedFilter,
): ((row: RequestLogRow) => boolean) | undefined {
  const tests: ((row: RequestLogRow) => boolean)[] = [];
  if (format !== undefined) tests.push((row) => calledEndpoint(row) === format);
  if (slowerThanMs !== undefined) tests.push((row) => row.durationMs > slowerThanMs);
  if (dearerThanNanoUsd !== undefined) {
    tests.push(({ costNanoUsd = 0n }) => costNanoUsd > dearerThanNanoUsd);
  }
  if (tag !== undefined) tests.push((row) => row.tag === tag);
  if (text !== undefined) tests.push(textTest(text));
  return tests.length === 0 ? undefined : (row) => tests.every((test) => test(row));
}

function textTest(text: string): (row: RequestLogRow) => boolean {
  const wanted = text.toLowerCase();
  return (row) =>
    [row.id, row.model, row.upstreamModel, row.keyName, row.errorCode, row.userAgent, row.ip]
      .some((field) => field?.toLowerCase().includes(wanted));
}
