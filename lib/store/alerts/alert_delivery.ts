import { keys } from "../keys.ts";
import { firstOrderedId } from "../kv/id.ts";
import type { Store } from "../kv/store.ts";
import { type Alert, type AlertDelivery, getAlert, putAlert } from "./alert.ts";

/** An alert that this process alone may send until the claim expires. */
export interface ClaimedAlert {
  readonly alert: Alert;
  readonly claim: Deno.AtomicCheck;
}

/** Adds the scheduled delivery of an alert to a commit. */
export function addDelivery(
  operation: Deno.AtomicOperation,
  { id, expiresAtMs }: Alert,
  { dueAtMs, nowMs }: { readonly dueAtMs: number; readonly nowMs: number },
): Deno.KvKey {
  const key = keys.alertDelivery(firstOrderedId(dueAtMs), id);
  operation.set(key, true, { expireIn: Math.max(1, expiresAtMs - nowMs) });
  return key;
}

/**
 * Claims the due alert that has waited longest; undefined if none is due. Only one of any
 * concurrent callers gets it, and it becomes due again for others after `claimMs` without
 * `endClaim`.
 */
export async function claimDueAlert(
  store: Store,
  { nowMs, claimMs }: { readonly nowMs: number; readonly claimMs: number },
): Promise<ClaimedAlert | undefined> {
  const due = {
    prefix: keys.alertDeliveries,
    end: keys.alertDelivery(firstOrderedId(nowMs + 1), ""),
  };
  for await (const entry of store.kv.list(due)) {
    const alert = await getAlert(store, String(entry.key.at(-1)));
    const operation = store.kv.atomic().check(entry).delete(entry.key);
    const key = alert && addDelivery(operation, alert, { dueAtMs: nowMs + claimMs, nowMs });
    const result = await operation.commit();
    if (alert && key && result.ok) {
      return { alert, claim: { key, versionstamp: result.versionstamp } };
    }
  }
  return undefined;
}

/**
 * Stores the result of a claimed delivery; `dueAtMs` schedules a retry. Returns false if the claim
 * had expired.
 */
export async function endClaim(
  store: Store,
  { alert, claim }: ClaimedAlert,
  { delivery, dueAtMs, nowMs }: {
    readonly delivery: AlertDelivery;
    readonly dueAtMs?: number;
    readonly nowMs: number;
  },
): Promise<boolean> {
  const operation = store.kv.atomic().check(claim).delete(claim.key);
  if (dueAtMs !== undefined) addDelivery(operation, alert, { dueAtMs, nowMs });
  return (await putAlert(operation, { ...alert, delivery }, nowMs).commit()).ok;
}
