import type { Caller } from "../../accounts/authorize.ts";
import type { JsonObject } from "../../canonical/mod.ts";
import { failed, type GatewayDeps } from "../../gateway.ts";
import type { Call } from "../../http/call.ts";
import { answerHeaders } from "../../http/errors.ts";
import { leastRemaining, type RemainingMoney, remainingMoney } from "../../ledger/mod.ts";
import type { Store } from "../../store/mod.ts";

/** The sources of what a key may read about itself. */
export interface OwnKeySource {
  readonly gateway: GatewayDeps;
  readonly store: Store;
  /** IANA name of the zone of budgets that name none. */
  readonly timeZone: string;
}

/** Answers with what the calling key may know of itself. Errors have the caller's format. */
export async function answerOwnKey(
  call: Call,
  { gateway }: OwnKeySource,
  bodyFor: (caller: Caller) => Promise<JsonObject>,
): Promise<Response> {
  try {
    const caller = await gateway.whoCalls(call);
    return Response.json(await bodyFor(caller), {
      headers: answerHeaders(call.id),
    });
  } catch (thrown) {
    return failed(call, thrown, gateway);
  }
}

/** The limits in money that bind a caller, and the one with the least left of the caller's own. */
export async function moneyOf(
  caller: Caller,
  { store, timeZone }: OwnKeySource,
  nowMs: number,
): Promise<{ readonly limits: readonly RemainingMoney[]; readonly least?: RemainingMoney }> {
  const limits = await remainingMoney(store, caller, { nowMs, timeZone });
  return { limits, least: leastRemaining(limits.filter(isOwn)) };
}

/**
 * Returns true for a limit of the key or its account. Amounts of the others, such as the
 * organization's, would show every holder of a key what everybody spends.
 */
export function isOwn({ owner }: Pick<RemainingMoney, "owner">): boolean {
  return owner === "key" || owner === "account";
}
