import type { Caller } from "../accounts/authorize.ts";
import { callerLeft } from "../canonical/mod.ts";
import type { Call } from "../http/call.ts";
import type { Decoded } from "../http/decode.ts";
import { costEstimateOf, type Hold } from "../ledger/mod.ts";
import type { Candidate } from "../upstreams/upstream.ts";
import type { GatewayDeps } from "./dependencies.ts";
import { estimatedCallOf } from "./size.ts";

interface Reserved {
  readonly call: Call;
  readonly caller: Caller;
  readonly decoded: Decoded;
  /** The candidates that may be tried; the most expensive one determines the reservation. */
  readonly candidates: readonly Candidate[];
}

/**
 * Reserves money and limits for a call until it settles, and bounds its answer accordingly. Refuses
 * a model without a price, and a call for which a limit or a wallet has no room.
 */
export async function reserve(
  { call, caller, decoded, candidates }: Reserved,
  { ledger, prices }: GatewayDeps,
): Promise<Hold> {
  const { model } = decoded.envelope;
  const recent = ledger.recentTokens(caller, model);
  const options = { prices, nowMs: call.startedAtMs, ...(recent && { recent }) };
  const hold = await ledger.reserve(
    costEstimateOf(caller, estimatedCallOf(decoded, candidates), options),
    call.signal,
  );
  if (!call.signal.aborted) return hold;
  ledger.release(hold);
  throw callerLeft();
}
