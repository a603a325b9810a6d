import { totalInputTokens, totalOutputTokens, type Usage } from "../canonical/mod.ts";
import { raiseAlertOnce, type UsageAlert } from "../store/alerts/mod.ts";
import type { RequestLogRow } from "../store/log/mod.ts";
import { alertAbout, type CheckOptions } from "./owner.ts";

/** A call whose upstream reports more usage than its request allows. */
export type DoubtedCall = RequestLogRow & { readonly upstreamId: string };

const dayMs = 86_400_000;

/** Returns the call if its row marks the upstream's usage as implausible, else undefined. */
export function doubtedCall(row: RequestLogRow): DoubtedCall | undefined {
  const { upstreamId, statedUsage, countedUsage } = row;
  const isDoubted = statedUsage !== undefined || countedUsage !== undefined;
  return isDoubted && upstreamId !== undefined ? { ...row, upstreamId } : undefined;
}

/** Raises an alert about the call's upstream, once a day. Returns undefined if there was one today. */
export async function checkUsage(
  call: DoubtedCall,
  options: CheckOptions,
): Promise<UsageAlert | undefined> {
  const { store, now } = options;
  const alert = alertOf(call, options);
  const day = new Date(alert.atMs).toISOString().slice(0, "2026-11-22".length);
  const mark = { id: `${alert.allowanceId}:${day}`, expiresAtMs: alert.atMs + 2 * dayMs };
  return await raiseAlertOnce(store, mark, { alert, nowMs: now() }) ? alert : undefined;
}

function alertOf(call: DoubtedCall, options: CheckOptions): UsageAlert {
  const { id: callId, upstreamId, model, usage, statedUsage, countedUsage } = call;
  return {
    ...alertAbout({ owner: "key", id: call.keyId }, { name: call.keyName }, options),
    type: "usage",
    allowanceId: `usage:${upstreamId}`,
    refused: false,
    upstreamId,
    model,
    callId,
    statedTokens: tokensOf(statedUsage ?? usage),
    countedTokens: tokensOf(countedUsage ?? usage),
    charged: statedUsage ? "counted" : "stated",
  };
}

function tokensOf(usage: Usage | undefined): number {
  return usage ? totalInputTokens(usage) + totalOutputTokens(usage) : 0;
}
