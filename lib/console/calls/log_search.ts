import type { LogFilter } from "../../store/log/mod.ts";
import { readDay } from "../page/day.ts";
import { logFilterQuery, readLogFilter } from "./log_filter.ts";

const [minuteMs, hourMs, dayMs] = [60_000, 3_600_000, 86_400_000];

/** The periods to choose from, by what the address calls them. */
export const logPeriods = {
  "15m": 15 * minuteMs,
  "1h": hourMs,
  "24h": dayMs,
  "7d": 7 * dayMs,
  "30d": 30 * dayMs,
  "90d": 90 * dayMs,
} as const satisfies Record<string, number>;
type LogPeriod = keyof typeof logPeriods;

/** The calls that a page of the log shows, in the terms of its address. */
export interface LogSearch {
  readonly filter: LogFilter;
  /** The calls of all accounts, or of the one that the filter names; else those of the reader. */
  readonly everybody?: true;
  readonly period?: LogPeriod;
  /** Days of the reader's zone such as `2026-11-21`, both included. */
  readonly since?: string;
  readonly until?: string;
}

interface LogSearchOptions {
  readonly nowMs: number;
  readonly timeZone: string;
  /** True if the reader may see upstreams and other accounts. */
  readonly upstreams: boolean;
}

/**
 * Reads what `readLogFilter` reads and, before its `from` and `to`, `?since=` and `until` as days of
 * the reader's zone, or `?period=` up to now. A period of days begins with an hour of UTC, so that
 * sums of whole hours are of the same calls. `?scope=all` means all accounts, and `user` one of them.
 */
export function readLogSearch(
  fields: URLSearchParams,
  { nowMs, timeZone, upstreams }: LogSearchOptions,
): LogSearch {
  const { fromMs, toMs, upstreamId, ...rest } = readLogFilter(fields);
  const everybody = upstreams && fields.get("scope") === "all";
  const accountId = everybody ? fields.get("user")?.trim().slice(0, userLengthMax) : undefined;
  const filter = {
    ...rest,
    ...(upstreams && upstreamId !== undefined && { upstreamId }),
    ...(accountId && { accountId }),
  };
  const scope = everybody ? { everybody } as const : {};
  const since = readDay(fields.get("since"), timeZone);
  const until = readDay(fields.get("until"), timeZone);
  if (since || until) {
    const times = { ...(since && { fromMs: since.startMs }), ...(until && { toMs: until.endMs }) };
    return { filter: { ...filter, ...times }, ...scope, since: since?.text, until: until?.text };
  }
  const period = readPeriod(fields.get("period"));
  if (period) {
    const stepMs = logPeriods[period] < dayMs ? minuteMs : hourMs;
    const startMs = Math.floor((nowMs - logPeriods[period]) / stepMs) * stepMs;
    return { filter: { ...filter, fromMs: startMs }, ...scope, period };
  }
  const times = { ...(fromMs !== undefined && { fromMs }), ...(toMs !== undefined && { toMs }) };
  return { filter: { ...filter, ...times }, ...scope };
}

/** The address of the page for a search, with the choice of its period as it was made. */
export function logSearchPath(
  { filter, everybody, period, since, until }: LogSearch,
  more: Readonly<Record<string, string>> = {},
): string {
  const chosen = {
    ...(period && { period }),
    ...(since && { since }),
    ...(until && { until }),
  };
  const { fromMs: _from, toMs: _to, ...rest } = filter;
  const said = Object.keys(chosen).length > 0 ? rest : filter;
  const scope = logScopeFields({ filter, everybody });
  return `/console/log${logFilterQuery(said, { ...scope, ...chosen, ...more })}`;
}

/** The fields of an address that say whose calls are meant. */
export function logScopeFields(
  { filter: { accountId }, everybody }: Pick<LogSearch, "filter" | "everybody">,
): Readonly<Record<string, string>> {
  return everybody ? { scope: "all", ...(accountId && { user: accountId }) } : {};
}

/** The calls that a search means, as the store is asked: never another account's for who asks for the own. */
export function filterOf({ filter, everybody }: LogSearch, ownId: string): LogFilter {
  return everybody ? filter : { ...filter, accountId: ownId };
}

/** The search without one thing that it asks for; `period` is all that it says of time. */
export function without(search: LogSearch, field: keyof LogFilter | "period"): LogSearch {
  const { filter, everybody, period, since, until } = search;
  const scope = everybody ? { everybody } as const : {};
  if (field === "period") {
    const { fromMs: _from, toMs: _to, ...rest } = filter;
    return { filter: rest, ...scope };
  }
  const { [field]: _, ...rest } = filter;
  return { filter: rest, ...scope, period, since, until };
}

/** True if the search has any filter. */
export function isFiltered({ filter }: LogSearch): boolean {
  return Object.keys(filter).length > 0;
}

const userLengthMax = 100;

function readPeriod(text: string | null): LogPeriod | undefined {
  return text !== null && Object.hasOwn(logPeriods, text) ? text as LogPeriod : undefined; // a key of it
}
