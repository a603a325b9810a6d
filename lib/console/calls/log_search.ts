import type { LogFilter } from "../../store/log/mod.ts";
import { readDay } from "../page/period.ts";
import { type Who, whos } from "../page/who.ts";
import { logFilterQuery, readLogFilter } from "./log_filter.ts";

const [minuteMs, hourMs, dayMs] = [60_000, 3_600_000, 86_400_000];

/** The selectable periods, by their names in the address. */
export const logPeriods = {
  "15m": 15 * minuteMs,
  "1h": hourMs,
  "24h": dayMs,
  "7d": 7 * dayMs,
  "30d": 30 * dayMs,
  "90d": 90 * dayMs,
} as const satisfies Record<string, number>;
type LogPeriod = keyof typeof logPeriods;

/** The calls on a page of the log, as its address selects them. */
export interface LogSearch {
  readonly filter: LogFilter;
  /** Selects the calls of all accounts, or of the filter's account; otherwise the reader's own. */
  readonly everybody?: true;
  /** The choice in the address, which links keep; absent for readers without a choice. */
  readonly who?: Who;
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
  /** The choice of `readWho`. */
  readonly who: Who;
}

/**
 * Reads the fields of `readLogFilter` and, taking precedence over its `from` and `to`, `?since=`
 * and `until` as days of the reader's zone, or `?period=` up to now. A period of days begins at a
 * full UTC hour, so that hourly sums cover the same calls. `user` selects one account of everyone's.
 */
export function readLogSearch(
  fields: URLSearchParams,
  { nowMs, timeZone, upstreams, who }: LogSearchOptions,
): LogSearch {
  const { fromMs, toMs, upstreamId, ...rest } = readLogFilter(fields);
  const everybody = upstreams && who === "everyone";
  const accountId = everybody ? fields.get("user")?.trim().slice(0, userLengthMax) : undefined;
  const filter = {
    ...rest,
    ...(upstreams && upstreamId !== undefined && { upstreamId }),
    ...(accountId && { accountId }),
  };
  const scope = scopeOf({
    everybody: everybody || undefined,
    who: upstreams ? whos.find((one) => one === fields.get("who")) : undefined,
  });
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
  { filter, everybody, who, period, since, until }: LogSearch,
  more: Readonly<Record<string, string>> = {},
): string {
  const chosen = {
    ...(period && { period }),
    ...(since && { since }),
    ...(until && { until }),
  };
  const { fromMs: _from, toMs: _to, ...rest } = filter;
  const said = Object.keys(chosen).length > 0 ? rest : filter;
  const scope = logScopeFields({ filter, everybody, who });
  return `/console/log${logFilterQuery(said, { ...scope, ...chosen, ...more })}`;
}

/** The address fields that select accounts. */
export function logScopeFields(
  { filter: { accountId }, everybody, who }: Pick<LogSearch, "filter" | "everybody" | "who">,
): Readonly<Record<string, string>> {
  return { ...(who && { who }), ...(everybody && accountId && { user: accountId }) };
}

/** The part of a search that other filters leave as it is. */
export function scopeOf(
  { everybody, who }: Pick<LogSearch, "everybody" | "who">,
): Pick<LogSearch, "everybody" | "who"> {
  return { ...(everybody && { everybody }), ...(who && { who }) };
}

/**
 * Converts a search to the store's filter. Restricts it to the reader's own account unless
 * `everybody` is set.
 */
export function filterOf({ filter, everybody }: LogSearch, ownId: string): LogFilter {
  return everybody ? filter : { ...filter, accountId: ownId };
}

/** Returns the search without one field; `period` removes everything about time. */
export function without(search: LogSearch, field: keyof LogFilter | "period"): LogSearch {
  const { filter, period, since, until } = search;
  const scope = scopeOf(search);
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
