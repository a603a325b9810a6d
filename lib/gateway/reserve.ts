import type { Caller } from "../accounts/authorize.ts";
import { callerLeft } from "../canonical/mod.ts";
import type { Call } from "../http/call.ts";
import type { Decoded } from "../http/decode.ts";
import { costEstimateOf, type Hold, isCounted, type SizedPrompt } from "../ledger/mod.ts";
import type { Candidate } from "../upstreams/upstream.ts";
import type { GatewayDeps } from "./dependencies.ts";
import {
  estimatedCallOf,
  estimateLong,
  type SizeBesidesInput,
  sizeByLength,
  sizeOf,
} from "./size.ts";

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
export function reserve(reserved: Reserved, { ledger, prices }: GatewayDeps): Hold | Promise<Hold> {
  const { call: { startedAtMs: nowMs, signal }, caller, decoded, candidates } = reserved;
  const recent = ledger.recentTokens(caller, decoded.envelope.model);
  const estimate = (size: () => SizedPrompt) =>
    costEstimateOf(caller, estimatedCallOf(decoded, candidates, size), { prices, nowMs, recent });
  // First by the body's length, which costs nothing and is too high; without room for that, by the
  // estimate, of a long body in turns.
  const most = recent && isCounted(caller) ? sizeByLength(decoded, candidates) : undefined;
  const byLength = most && ledger.reserveIfPlenty(estimate(() => most));
  const byEstimate = (known: SizeBesidesInput | undefined = most) =>
    ledger.reserve(estimate(() => sizeOf(decoded, candidates, known)), signal);
  const hold = byLength ?? estimateLong(caller, decoded, candidates)?.then(byEstimate) ??
    byEstimate();
  return hold instanceof Promise
    ? hold.then((one) => unlessAborted(one, signal, ledger))
    : unlessAborted(hold, signal, ledger);
}

function unlessAborted(hold: Hold, signal: AbortSignal, ledger: GatewayDeps["ledger"]): Hold {
  if (!signal.aborted) return hold;
  ledger.release(hold);
  throw callerLeft();
}
