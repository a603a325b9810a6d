import { GatewayError } from "../../canonical/mod.ts";
import type { UsagePeriod } from "../../ledger/mod.ts";

const dayMs = 86_400_000;

/** The query parameters of a period. */
type PeriodParameter = "start_date" | "end_date";

/**
 * The UTC days from `start_date` to `end_date`, both included, written as `2026-11-23`; a time after
 * the date is ignored. Without `end_date`, until today; without `start_date`, the last `days` days
 * until then, or all. Throws `invalid_request`.
 */
export function periodIn(
  { searchParams }: URL,
  { nowMs, days }: { readonly nowMs: number; readonly days?: number },
): UsagePeriod {
  const toMs = (dayIn(searchParams, "end_date") ?? Math.floor(nowMs / dayMs) * dayMs) + dayMs;
  const asked = dayIn(searchParams, "start_date");
  const fromMs = asked ?? (days === undefined ? 0 : Math.max(toMs - days * dayMs, 0));
  if (fromMs < toMs) return { fromMs, toMs };
  throw unreadable("start_date", "must not be after end_date");
}

/** A UTC day as a date. */
export function dateOf(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, "2026-11-23".length);
}

const datePattern = /^(\d{4})-(\d{1,2})-(\d{1,2})(?:T[\d:.]{1,20}Z?)?$/;

function dayIn(searchParams: URLSearchParams, name: PeriodParameter): number | undefined {
  const text = searchParams.get(name);
  if (text === null || text === "") return undefined;
  const [, year, month, day] = (datePattern.exec(text) ?? []).map(Number);
  const date = new Date(Date.UTC(year, month - 1, day));
  const isDate = date.getUTCMonth() === month - 1 && date.getUTCDate() === day && year >= 1970;
  if (isDate) return date.getTime();
  throw unreadable(name, "must be a date such as 2026-11-23");
}

function unreadable(param: PeriodParameter, problem: string): GatewayError {
  return new GatewayError("invalid_request", `Cannot read the query: ${param} ${problem}`, {
    param,
  });
}
