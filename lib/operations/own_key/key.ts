import { decimalUsd, type JsonObject } from "../../canonical/mod.ts";
import type { Call } from "../../http/call.ts";
import { type KeySpending, keySpending, leastRemaining } from "../../ledger/mod.ts";
import type { ApiKey } from "../../store/api_keys/mod.ts";
import type { CalendarPeriod, CallLimits } from "../../store/money/mod.ts";
import { answerCaller } from "../answer.ts";
import { assertNoChild, limitJson, moneyOf, type OwnKeySource } from "./usage.ts";

/**
 * `GET /v1/key`: the key's name, spending and limits, with the members that OpenRouter's clients
 * read as numbers of USD.
 */
export function answerKey(call: Call, source: OwnKeySource): Promise<Response> {
  return answerCaller(call, source.gateway, async (caller) => {
    assertNoChild(caller, call);
    const { key, group } = caller;
    const nowMs = call.startedAtMs;
    const [spending, { limits, least }] = await Promise.all([
      keySpending(source.store, key, nowMs),
      moneyOf(caller, source, nowMs),
    ]);
    const own = leastRemaining(limits.filter(({ owner }) => owner === "key"));
    return {
      data: {
        label: `${key.prefix}…${key.lastFour}`,
        ...spendingJson(spending),
        limit: numberOf(own?.limitNanoUsd),
        limit_remaining: numberOf(own?.remainingNanoUsd),
        limit_reset: resets[own?.period ?? "total"] ?? null,
        is_free_tier: false,
        is_management_key: false,
        is_provisioning_key: false,
        rate_limit: rateLimitJson(key),
        expires_at: timeText(key.expiresAtMs),
        id: key.id,
        name: key.name,
        group: group.id,
        models: [...key.models ?? group.models],
        formats: [...group.formats],
        created_at: timeText(key.createdAtMs),
        remaining: least ? decimalUsd(least.remainingNanoUsd) : null,
        limits: limits.map(limitJson),
        rate_limits: rateLimitsJson(key.limits),
      },
    };
  });
}

/** OpenRouter's words for the reset of a limit; none for total and rolling budgets. */
const resets: Readonly<Record<string, string>> = {
  day: "daily",
  week: "weekly",
  month: "monthly",
} satisfies Partial<Record<CalendarPeriod, string>>;

/** The clients read -1 as no limit. */
const unlimited = -1;

function rateLimitJson({ limits }: ApiKey): JsonObject {
  return { requests: limits?.requestsPerMinute ?? unlimited, interval: "1m" };
}

function rateLimitsJson(limits: CallLimits = {}): JsonObject {
  return {
    requests_per_minute: limits.requestsPerMinute ?? null,
    tokens_per_minute: limits.tokensPerMinute ?? null,
    requests_per_window: { ...limits.requestsPerWindow },
    tokens_per_window: { ...limits.tokensPerWindow },
    concurrency: limits.concurrency ?? null,
  };
}

function spendingJson(spending: KeySpending): JsonObject {
  return {
    usage: numberOf(spending.totalNanoUsd),
    usage_daily: numberOf(spending.dayNanoUsd),
    usage_weekly: numberOf(spending.weekNanoUsd),
    usage_monthly: numberOf(spending.monthNanoUsd),
  };
}

function numberOf(nanoUsd: bigint | undefined): number | null {
  return nanoUsd === undefined ? null : Number(decimalUsd(nanoUsd));
}

function timeText(atMs: number | undefined): string | null {
  return atMs === undefined ? null : new Date(atMs).toISOString();
}
