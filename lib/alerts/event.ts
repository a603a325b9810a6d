import { type LimitOwner, usdText } from "../canonical/mod.ts";
import type { Alert, BalanceAlert, BudgetAlert, UsageAlert } from "../store/alerts/mod.ts";
import type { BudgetPeriod } from "../store/money/mod.ts";
import { percentUsed } from "./threshold.ts";

const eventTypes = {
  budget: { raised: "budget.threshold_reached", refused: "budget.calls_refused" },
  balance: { raised: "balance.low", refused: "balance.calls_refused" },
  usage: { raised: "usage.implausible", refused: "usage.implausible" },
} as const satisfies Record<Alert["type"], { readonly raised: string; readonly refused: string }>;

type EventTypes = typeof eventTypes[keyof typeof eventTypes];
/** The type of an alert: the `type` of its webhook, and the label of its metric. */
export type AlertEventType = EventTypes[keyof EventTypes];

/** All types; some may be there twice. */
export const alertEventTypes: readonly AlertEventType[] = Object.values(eventTypes)
  .flatMap(({ raised, refused }) => [raised, refused]);

export function eventTypeOf({ type, refused }: Alert): AlertEventType {
  return eventTypes[type][refused ? "refused" : "raised"];
}

/**
 * The body of an alert's webhook: JSON with `type`, `timestamp` and `data`, the same at every
 * attempt. Amounts are USD as decimal text, exact.
 */
export function eventBody(alert: Alert): string {
  const { id, atMs, owner, ownerId, name, accountId } = alert;
  return JSON.stringify({
    type: eventTypeOf(alert),
    timestamp: new Date(atMs).toISOString(),
    data: {
      id,
      message: messageOf(alert),
      owner: { type: owner, id: ownerId, name },
      accountId,
      ...dataOf(alert),
    },
  });
}

function dataOf(alert: Alert) {
  switch (alert.type) {
    case "budget":
      return budgetData(alert);
    case "balance":
      return balanceData(alert);
    case "usage":
      return usageData(alert);
    default:
      return alert satisfies never;
  }
}

/** The body of a test event, which concerns no account. */
export function testBody(id: string, atMs: number): string {
  const message = "This is a test alert from Tessera";
  return JSON.stringify({
    type: "test",
    timestamp: new Date(atMs).toISOString(),
    data: { id, message },
  });
}

const periodWords = {
  day: "daily",
  week: "weekly",
  month: "monthly",
  total: "total",
} as const satisfies Record<BudgetPeriod, string>;

const ownerWords = {
  key: "key",
  group: "group",
  account: "account",
} as const satisfies Record<LimitOwner, string>;

/** One English sentence, for receivers that pass the alert on as text. */
function messageOf(alert: Alert): string {
  const who = `${ownerWords[alert.owner]} ${alert.name}`;
  if (alert.type === "balance") {
    const left = usdText(alert.balanceNanoUsd);
    return alert.refused
      ? `Calls of ${who} are refused: ${left} of its balance is left`
      : `The balance of ${who} is low: ${left} is left`;
  }
  if (alert.type === "usage") return usageMessage(alert);
  const { period, spentNanoUsd, limitNanoUsd } = alert;
  const used = `${usdText(spentNanoUsd)} of ${usdText(limitNanoUsd)}`;
  const budget = `${periodWords[period]} budget`;
  return alert.refused
    ? `Calls of ${who} are refused: its ${budget} leaves too little for them, ${used} is used`
    : `The ${who} has used ${percentUsed(alert)} % of its ${budget}: ${used}`;
}

function usageMessage(alert: UsageAlert): string {
  const { upstreamId, model, statedTokens, countedTokens, charged } = alert;
  return `The upstream ${upstreamId} states ${statedTokens} tokens for a call of ${model} where ` +
    `${countedTokens} were counted; the call was charged as ${charged}`;
}

function usageData(alert: UsageAlert) {
  const { upstreamId, model, callId, statedTokens, countedTokens, charged } = alert;
  return { upstreamId, model, callId, statedTokens, countedTokens, charged };
}

function budgetData(alert: BudgetAlert) {
  const { threshold, period, periodId, timeZone, endsAtMs, limitNanoUsd, spentNanoUsd } = alert;
  return {
    threshold,
    period: {
      type: period,
      id: periodId,
      timeZone,
      endsAt: endsAtMs === undefined ? undefined : new Date(endsAtMs).toISOString(),
    },
    limitUsd: decimal(limitNanoUsd),
    spentUsd: decimal(spentNanoUsd),
  };
}

function balanceData({ lowNanoUsd, balanceNanoUsd }: BalanceAlert) {
  return { lowBalanceUsd: decimal(lowNanoUsd), balanceUsd: decimal(balanceNanoUsd) };
}

function decimal(nanoUsd: bigint): string {
  return usdText(nanoUsd).replace("$", "");
}
