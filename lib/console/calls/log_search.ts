import type { LogFilter } from "../../store/log/mod.ts";
import {
  type PeriodName,
  periodNames,
  type PeriodReader,
  readDay,
  spanOf,
} from "../page/period.ts";
import { type Who, whos } from "../page/who.ts";
import { logFilterQuery, readLogFilter } from "./log_filter.ts";

const minuteMs = 60_000;

/** The periods of the log alone, in minutes up to now. */
const shortPeriods = { "15m": 15, "1h": 60 } as const satisfies Record<string, number>;
type ShortPeriod = keyof typeof shortPeriods;

/** The selectable periods, by their names in the address. */
export const logPeriods = ["15m", "1h", ...periodNames] as const;
type LogPeriod = ShortPeriod | PeriodName;

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
 * and `until` as days of the reader's zone, or `?period=`. A day begins at a
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
    const times = timesOf(period, { nowMs, timeZone });
    return { filter: { ...filter, ...times }, ...scope, period };
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
  return logPeriods.find((period) => period === text);
}

/** The times of a period; one that is running has no end. */
function timesOf(
  period: LogPeriod,
  reader: PeriodReader,
): Pick<LogFilter, "fromMs" | "toMs"> {
  if (period === "15m" || period === "1h") {
    const startMs = reader.nowMs - shortPeriods[period] * minuteMs;
    return { fromMs: Math.floor(startMs / minuteMs) * minuteMs };
  }
  const { fromMs, toMs, isRunning } = spanOf(period, reader);
  return isRunning ? { fromMs } : { fromMs, toMs };
}
