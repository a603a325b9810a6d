import type { Caller } from "../accounts/authorize.ts";
import { callerLeft } from "../canonical/mod.ts";
import type { Call } from "../http/call.ts";
import type { Decoded } from "../http/decode.ts";
import { type Hold, wantedOf } from "../ledger/mod.ts";
import type { Candidate } from "../upstreams/upstream.ts";
import type { Gateway } from "./world.ts";

interface Reserved {
  readonly call: Call;
  readonly caller: Caller;
  readonly decoded: Decoded;
  /** Whose price counts. */
  readonly candidate: Candidate;
}

/**
 * What is set aside for a call until it settles. Refuses a model without a price, and a call that a
 * limit or a wallet has no room for.
 */
export async function reserve(
  { call, caller, decoded, candidate }: Reserved,
  { ledger, prices }: Gateway,
): Promise<Hold> {
  const { model } = decoded.envelope;
  const recentOutputTokens = ledger.recentOutputTokens(caller, model);
  const options = { prices, nowMs: call.startedAtMs, recentOutputTokens };
  const hold = await ledger.reserve(wantedOf(caller, decoded, candidate, options), call.signal);
  if (!call.signal.aborted) return hold;
  ledger.release(hold);
  throw callerLeft();
}
