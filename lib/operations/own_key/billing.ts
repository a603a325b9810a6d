import { decimalUsd, type JsonObject } from "../../canonical/mod.ts";
import type { Call } from "../../http/call.ts";
import { keySpending, keyUsage, type KeyUsageDay } from "../../ledger/mod.ts";
import { answerOwnKey, moneyOf, type OwnKeySource } from "./answer.ts";
import { periodIn } from "./days.ts";

/** The limit of a key without limits: clients of this address read a number, and this one as none. */
const unlimitedUsd = 100_000_000;

/**
 * `GET /dashboard/billing/subscription`: `hard_limit_usd` is what the key has spent in total and
 * what remains, so that a client can subtract the usage from it. `access_until` is in seconds, 0
 * for a key that does not expire.
 */
export function answerSubscription(call: Call, source: OwnKeySource): Promise<Response> {
  return answerOwnKey(call, source, async (caller) => {
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
  return answerOwnKey(call, source, async ({ key }) => {
    const period = periodIn(call.url, { nowMs: call.startedAtMs });
    const days = await keyUsage(source.store, key, period);
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
