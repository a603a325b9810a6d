import {
  decimalUsd,
  type JsonObject,
  totalInputTokens,
  totalOutputTokens,
} from "../../canonical/mod.ts";
import type { Call } from "../../http/call.ts";
import {
  keyUsage,
  type KeyUsageDay,
  type ModelUsage,
  type RemainingMoney,
  totalOfModels,
} from "../../ledger/mod.ts";
import { addCounts, type Counts, noCounts } from "../../store/usage/mod.ts";
import { answerOwnKey, isOwn, moneyOf, type OwnKeySource } from "./answer.ts";
import { dateOf, periodIn } from "./days.ts";

/** The number of days that are answered if the query names none. */
const usageDays = 30;

/** `GET /v1/usage`: the key's usage by day and model, its limits, and what remains of them. */
export function answerUsage(call: Call, source: OwnKeySource): Promise<Response> {
  return answerOwnKey(call, source, async (caller) => {
    const nowMs = call.startedAtMs;
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
    output_tokens: totalOutputTokens(counts),
    cost: decimalUsd(counts.costNanoUsd),
  };
}
