import type { Caller } from "../../accounts/authorize.ts";
import { sessionOfChild } from "../../accounts/mod.ts";
import {
  cacheAdviceText,
  cacheWriteTokens,
  decimalUsd,
  GatewayError,
  type JsonObject,
  totalInputTokens,
  totalOutputTokens,
} from "../../canonical/mod.ts";
import type { GatewayDeps } from "../../gateway.ts";
import type { Call } from "../../http/call.ts";
import {
  type CacheReport,
  cacheReport,
  isOwn,
  keySpending,
  keyUsage,
  type KeyUsageDay,
  leastRemaining,
  type ModelUsage,
  type RemainingMoney,
  remainingMoney,
  sessionUsage,
  totalOfModels,
  type UsagePeriod,
} from "../../ledger/mod.ts";
import { sessionName, sessionNameText } from "../../store/log/mod.ts";
import type { Store } from "../../store/mod.ts";
import { addCounts, type Counts, noCounts } from "../../store/usage/mod.ts";
import { answerCaller } from "../answer.ts";

/** The number of days that are answered if the query names none. */
const usageDays = 30;

/**
 * `GET /v1/usage`: the key's usage by day and model, its limits, and what remains of them; with
 * `?session=`, those of one session; with a child key, its own.
 */
export function answerUsage(call: Call, source: OwnKeySource): Promise<Response> {
  return answerCaller(call, source.gateway, async (caller) => {
    const nowMs = call.startedAtMs;
    const id = call.url.searchParams.get("session");
    if (id && !sessionName.test(id)) {
      throw unreadable("session", `must be ${sessionNameText}`);
    }
    const session = caller.child ? sessionOfChild(caller.child) : id ? { id } : undefined;
    if (session) return await sessionJson({ ...caller, session }, source, nowMs);
    const period = periodIn(call.url, { nowMs, days: usageDays });
    const [days, { limits, least }] = await Promise.all([
      keyUsage(source.store, caller.key, period),
      moneyOf(caller, source, nowMs),
    ]);
    return {
      object: "usage",
      start_date: dateOf(period.fromMs),
      end_date: dateOf(period.toMs - 1),
      currency: "USD",
      total: countsJson(days.reduce((sum, { counts }) => addCounts(sum, counts), noCounts)),
      remaining: least ? decimalUsd(least.remainingNanoUsd) : null,
      limits: limits.map(limitJson),
      models: modelsJson(totalOfModels(days)),
      days: days.map(dayJson),
    };
  });
}

async function sessionJson(
  caller: Caller & Required<Pick<Caller, "session">>,
  source: OwnKeySource,
  nowMs: number,
): Promise<JsonObject> {
  const { session } = caller;
  const [{ counts, turns, hours, parts, models }, { limits, least }] = await Promise.all([
    sessionUsage(source.store, caller.key, session),
    moneyOf(caller, source, nowMs),
  ]);
  return {
    object: "session_usage",
    session: session.id,
    currency: "USD",
    total: countsJson(counts),
    turns,
    cache: cacheJson(await cacheReport(source.store, caller.key, session, counts)),
    remaining: least ? decimalUsd(least.remainingNanoUsd) : null,
    limits: limits.map(limitJson),
    models: modelsJson(models),
    parts: parts.map(({ agent = null, requestClass = null, counts }) => ({
      agent,
      request_class: requestClass,
      ...countsJson(counts),
    })),
    hours: hours.map(({ atMs, sum }) => ({ at: new Date(atMs).toISOString(), ...countsJson(sum) })),
  };
}

function cacheJson({ misses, advice }: CacheReport): JsonObject {
  return {
    misses: misses.map(({ id, atMs, cacheMiss }) => ({
      call: id,
      at: new Date(atMs).toISOString(),
      cause: cacheMiss,
    })),
    advice: advice === undefined ? null : cacheAdviceText[advice],
  };
}

/** A budget or a balance; amounts are decimal USD, and null for a limit that others share. */
export function limitJson(limit: RemainingMoney): JsonObject {
  const { name, owner, period, limitNanoUsd, remainingNanoUsd, resetsAtMs } = limit;
  const amount = (nanoUsd: bigint | undefined) =>
    isOwn(limit) && nanoUsd !== undefined ? decimalUsd(nanoUsd) : null;
  return {
    name,
    owner,
    period: period ?? null,
    limit: amount(limitNanoUsd),
    remaining: amount(remainingNanoUsd),
    resets_at: resetsAtMs === undefined ? null : new Date(resetsAtMs).toISOString(),
  };
}

function dayJson({ atMs, counts, models }: KeyUsageDay): JsonObject {
  return { date: dateOf(atMs), ...countsJson(counts), models: modelsJson(models) };
}

function modelsJson(models: readonly ModelUsage[]): JsonObject[] {
  return models.map(({ model, counts }) => ({ model: model ?? null, ...countsJson(counts) }));
}

function countsJson(counts: Counts): JsonObject {
  return {
    requests: counts.requests,
    failures: counts.failures,
    input_tokens: totalInputTokens(counts),
    cached_input_tokens: counts.cacheReadTokens,
    cache_write_tokens: cacheWriteTokens(counts),
    cache_misses: counts.cacheMisses,
    cache_saving: decimalUsd(counts.cacheSavedNanoUsd),
    output_tokens: totalOutputTokens(counts),
    cost: decimalUsd(counts.costNanoUsd),
  };
}

/** The limit of a key without limits: clients of this address read a number, and this one as none. */
const unlimitedUsd = 100_000_000;

/**
 * `GET /dashboard/billing/subscription`: `hard_limit_usd` is what the key has spent in total and
 * what remains, so that a client can subtract the usage from it. `access_until` is in seconds, 0
 * for a key that does not expire.
 */
export function answerSubscription(call: Call, source: OwnKeySource): Promise<Response> {
  return answerCaller(call, source.gateway, async (caller) => {
    assertNoChild(caller, call);
    const nowMs = call.startedAtMs;
    const [{ totalNanoUsd }, { least }] = await Promise.all([
      keySpending(source.store, caller.key, nowMs),
      moneyOf(caller, source, nowMs),
    ]);
    const limit = least ? Number(decimalUsd(totalNanoUsd + least.remainingNanoUsd)) : unlimitedUsd;
    return {
      object: "billing_subscription",
      has_payment_method: true,
      soft_limit_usd: limit,
      hard_limit_usd: limit,
      system_hard_limit_usd: limit,
      access_until: Math.floor((caller.key.expiresAtMs ?? 0) / 1000),
    };
  });
}

/**
 * `GET /dashboard/billing/usage`: the cost in US cents, from `start_date` to `end_date`, or of all
 * time.
 */
export function answerBillingUsage(call: Call, source: OwnKeySource): Promise<Response> {
  return answerCaller(call, source.gateway, async (caller) => {
    assertNoChild(caller, call);
    const period = periodIn(call.url, { nowMs: call.startedAtMs });
    const days = await keyUsage(source.store, caller.key, period);
    const total = days.reduce((sum, { counts }) => sum + counts.costNanoUsd, 0n);
    return { object: "list", daily_costs: days.map(dailyCost), total_usage: centsOf(total) };
  });
}

function dailyCost({ atMs, models }: KeyUsageDay): JsonObject {
  return {
    timestamp: atMs / 1000,
    line_items: models.map(({ model, counts }) => ({
      name: model ?? "other",
      cost: centsOf(counts.costNanoUsd),
    })),
  };
}

function centsOf(nanoUsd: bigint): number {
  return Number(decimalUsd(nanoUsd * 100n));
}

const dayMs = 86_400_000;

/** The query parameters of a period. */
type PeriodParameter = "start_date" | "end_date";

/**
 * The UTC days from `start_date` to `end_date`, both included, written as `2026-11-23`; a time after
 * the date is ignored. Without `end_date`, until today; without `start_date`, the last `days` days
 * until then, or all. Throws `invalid_request`.
 */
function periodIn(
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
function dateOf(atMs: number): string {
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

function unreadable(param: PeriodParameter | "session", problem: string): GatewayError {
  return new GatewayError("invalid_request", `Cannot read the query: ${param} ${problem}`, {
    param,
  });
}

/** The sources of what a key may read about itself. */
export interface OwnKeySource {
  readonly gateway: GatewayDeps;
  readonly store: Store;
  /** IANA name of the zone of budgets that name none. */
  readonly timeZone: string;
}

/** Refuses a child key, which may not read what its parent spends. Throws `unknown_endpoint`. */
export function assertNoChild({ child }: Caller, { url }: Call): void {
  if (!child) return;
  throw new GatewayError(
    "unknown_endpoint",
    `${url.pathname} answers API keys alone. A child key reads its usage at /v1/usage`,
  );
}

/**
 * The limits in money that bind a caller, and the one with the least left of the caller's own. A
 * child key sees its own alone.
 */
export async function moneyOf(
  caller: Caller,
  { store, timeZone }: OwnKeySource,
  nowMs: number,
): Promise<{ readonly limits: readonly RemainingMoney[]; readonly least?: RemainingMoney }> {
  const all = await remainingMoney(store, caller, { nowMs, timeZone });
  const limits = caller.child ? all.filter(({ owner }) => owner === "child") : all;
  return { limits, least: leastRemaining(limits.filter(isOwn)) };
}
