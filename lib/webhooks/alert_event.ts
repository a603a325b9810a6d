import { cacheAdviceText, limitedName, usdText } from "../canonical/mod.ts";
import {
  type Alert,
  type BalanceAlert,
  type BudgetAlert,
  type CacheAlert,
  percentUsed,
  type RetirementAlert,
  type UsageAlert,
} from "../store/alerts/mod.ts";
import type { WebhookEvent } from "../store/webhooks/mod.ts";
import { eventBody, type EventType } from "./event_types.ts";

const types = {
  budget: { raised: "budget.threshold_reached", refused: "budget.calls_refused" },
  balance: { raised: "balance.low", refused: "balance.calls_refused" },
  usage: { raised: "usage.implausible", refused: "usage.implausible" },
  retirement: { raised: "model.retiring", refused: "model.retiring" },
  cache: { raised: "cache.never_read", refused: "cache.never_read" },
} as const satisfies Record<Alert["type"], Readonly<Record<"raised" | "refused", EventType>>>;

type AlertTypes = typeof types[keyof typeof types];
/** The type of an alert's event, and the label of its metric. */
export type AlertEventType = AlertTypes[keyof AlertTypes];

/** All types of alerts. */
export const alertEventTypes: readonly AlertEventType[] = [
  ...new Set(Object.values(types).flatMap(({ raised, refused }) => [raised, refused])),
];

export function eventTypeOf({ type, refused }: Alert): AlertEventType {
  return types[type][refused ? "refused" : "raised"];
}

/** The event of an alert. Amounts are USD as decimal text, exact. */
export function eventOfAlert(alert: Alert): WebhookEvent {
  const { id, atMs, owner, ownerId, name, accountId } = alert;
  const type = eventTypeOf(alert);
  const body = eventBody(type, atMs, {
    id,
    message: messageOf(alert),
    owner: { type: owner, id: ownerId, name },
    accountId,
    ...dataOf(alert),
  });
  return { id, type, atMs, body };
}

function dataOf(alert: Alert) {
  switch (alert.type) {
    case "budget":
      return budgetData(alert);
    case "balance":
      return balanceData(alert);
    case "usage":
      return usageData(alert);
    case "retirement":
      return retirementData(alert);
    case "cache":
      return cacheData(alert);
    default:
      return alert satisfies never;
  }
}

/** One English sentence, for receivers that pass the alert on as text. */
function messageOf(alert: Alert): string {
  const who = `${alert.owner} ${alert.name}`;
  if (alert.type === "balance") {
    const left = usdText(alert.balanceNanoUsd);
    return alert.refused
      ? `Calls of ${who} are refused: ${left} of its balance is left`
      : `The balance of ${who} is low: ${left} is left`;
  }
  if (alert.type === "usage") return usageMessage(alert);
  if (alert.type === "retirement") return retirementMessage(alert);
  if (alert.type === "cache") return cacheMessage(alert);
  const { period, spentNanoUsd, limitNanoUsd } = alert;
  const used = `${usdText(spentNanoUsd)} of ${usdText(limitNanoUsd)}`;
  const budget = limitedName(period);
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

function retirementMessage({ model, retires, successor }: RetirementAlert): string {
  const instead = successor === undefined ? "" : `; the vendor recommends ${successor}`;
  return `The model ${model}, which was called in the last week, is shut down on ${retires}${instead}`;
}

function retirementData({ model, retires, successor }: RetirementAlert) {
  return { model, retires, successor };
}

function cacheMessage(alert: CacheAlert): string {
  const { name, sessionId, calls, writtenTokens, lostNanoUsd, miss, advice } = alert;
  const whose = sessionId === undefined ? `key ${name}` : `session ${sessionId} of key ${name}`;
  const cause = miss === undefined ? "" : ` Cause: ${miss}.`;
  return `${calls} calls of ${whose} wrote ${writtenTokens} tokens to caches in 24 hours and read ` +
    `none, which cost ${usdText(lostNanoUsd)} more than no cache.${cause} ${
      cacheAdviceText[advice]
    }`;
}

function cacheData(alert: CacheAlert) {
  const { sessionId, model, callId, calls, writtenTokens, lostNanoUsd, miss, advice } = alert;
  return {
    sessionId,
    model,
    callId,
    calls,
    writtenTokens,
    lostUsd: decimal(lostNanoUsd),
    miss,
    advice,
  };
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
