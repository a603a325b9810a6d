import type { Caller } from "../accounts/authorize.ts";
import { forbiddingRule, mayUseModel } from "../accounts/model_rules.ts";
import {
  callerLeft,
  clamped,
  GatewayError,
  refuserTitle,
  vendorStateRefusal,
} from "../canonical/mod.ts";
import type { Envelope } from "../formats/codec.ts";
import type { Admission } from "../http/body/body.ts";
import type { Call } from "../http/call.ts";
import type { Decoded } from "../http/decode.ts";
import { assertNotesAllowed } from "../http/respond.ts";
import { costEstimateOf, type Hold, isCounted, type SizedPrompt } from "../ledger/mod.ts";
import { candidatesFor } from "../routing/mod.ts";
import type { Candidate } from "../upstreams/upstream.ts";
import type { CallRecord } from "./call_context.ts";
import { type ChainCall, routeChain } from "./chain_route.ts";
import { circumstancesOf } from "./circumstances.ts";
import { isCompaction } from "./compaction.ts";
import type { GatewayDeps } from "./dependencies.ts";
import {
  estimatedCallOf,
  estimateLong,
  type SizeBesidesInput,
  sizeByLength,
  sizeOf,
} from "./size.ts";

/** A call with a known caller, whose body has not been read yet. */
export interface IdentifiedCall {
  readonly call: Call;
  readonly caller: Caller;
  readonly gateway: GatewayDeps;
}

/**
 * Admits a call's body in parts. A large body needs a caller whose limits leave room for a call,
 * and waits for memory, which it holds until the answer ends. Throws `insufficient_quota`,
 * `rate_limit_exceeded` or `gateway_overloaded`.
 */
export function admissionOf({ call, caller, gateway }: IdentifiedCall): Admission {
  const { bodies, limits } = gateway;
  const place = bodies.place(caller.key.accountId);
  const { completed } = call;
  completed?.then(place.release, place.release);
  let isFunded = false;
  const grow = (bytes: number) => completed && place.grow(bytes); // a console call's body is bounded by its form
  return {
    take: (bytes) => {
      if (isFunded || bytes <= limits.unfundedBodyBytesMax) return grow(bytes);
      isFunded = true;
      return assertRoom({ call, caller, gateway }).then(() => grow(bytes));
    },
  };
}

/**
 * Refuses a caller whose limits leave no room for the cheapest possible call. Keeps no reservation.
 */
async function assertRoom({ call, caller, gateway: { ledger } }: IdentifiedCall): Promise<void> {
  const smallest = { caller, model: "", boundNanoUsd: 1n, leastNanoUsd: 1n, tokens: 1 };
  ledger.release(await ledger.reserve(smallest, call.signal));
}

interface Routed {
  readonly call: Call;
  readonly caller: Caller;
  readonly decoded: Decoded;
  /** Gets the members of a virtual model. */
  readonly record?: CallRecord;
}

/**
 * The candidates to try, in order; at least one. Those of a virtual model are its members'. Refuses a
 * model that is unknown or that the key may not use, and state of a vendor that is not among the
 * candidates, except for compactions.
 */
export function route(
  { call, caller, decoded, record }: Routed,
  gateway: GatewayDeps,
): readonly Candidate[] | Promise<readonly Candidate[]> {
  const { envelope } = decoded;
  const { model, conversation } = envelope;
  assertMayUse(caller, model);
  const members = gateway.chains.membersOf(model);
  if (!members) {
    const query = { model, conversation, format: call.codec.name, groupId: caller.group.id };
    const found = candidatesFor(query, gateway.upstreams(), circumstancesOf(gateway));
    return ableFor(envelope, found);
  }
  const planned = (chain: ChainCall) => {
    if (record) record.chain = chain;
    return ableFor(envelope, chain.members.flatMap(({ candidates }) => candidates));
  };
  const chain = routeChain(members, { call, caller, decoded }, gateway);
  return chain instanceof Promise ? chain.then(planned) : planned(chain);
}

/** Throws `model_not_allowed` for a model that the key, its group or its project does not allow. */
export function assertMayUse(caller: Caller, model: string): void {
  if (mayUseModel(caller, model)) return;
  const { owner = "key", id = caller.key.id } = forbiddingRule(caller, model) ?? {};
  const refuser = { owner, id } as const;
  const who = owner === "key" && caller.child ? "The parent key" : refuserTitle(refuser);
  throw new GatewayError(
    "model_not_allowed",
    `${who} does not allow model '${model}'. List the key's models with GET /v1/models`,
    { refuser },
  );
}

/** The candidates that can serve a call's vendor state; at least one. */
function ableFor(
  { model, vendorState }: Envelope,
  candidates: readonly Candidate[],
): readonly Candidate[] {
  if (candidates.length === 0) {
    throw new GatewayError(
      "model_not_found",
      `Model '${model}' is not available on this gateway. List models with GET /v1/models`,
    );
  }
  if (!vendorState || isCompaction(vendorState)) return candidates;
  const able = candidates.filter(({ format }) => format === vendorState.format);
  if (able.length === 0) throw vendorStateRefusal(vendorState);
  return able;
}

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
export function reserve(reserved: Reserved, gateway: GatewayDeps): Hold | Promise<Hold> {
  const { ledger, prices } = gateway;
  const { call: { startedAtMs: nowMs, signal }, caller, decoded, candidates } = reserved;
  const recent = ledger.recentTokens(caller, decoded.envelope.model);
  const estimate = (size: () => SizedPrompt) =>
    costEstimateOf(caller, estimatedCallOf(decoded, candidates, size), { prices, nowMs, recent });
  // A size by the body's length is found at once and too high: it is reserved if there is plenty of
  // room. Else the tokens are estimated; those of a long body with turns for other work.
  const longest = recent && isCounted(caller) ? sizeByLength(decoded, candidates) : undefined;
  const byLength = longest && ledger.reserveIfPlenty(estimate(() => longest));
  const byEstimate = (known: SizeBesidesInput | undefined = longest) =>
    ledger.reserve(estimate(() => sizeOf(decoded, candidates, known)), signal);
  const hold = byLength ?? estimateLong(caller, decoded, candidates)?.then(byEstimate) ??
    byEstimate();
  return hold instanceof Promise
    ? hold.then((one) => unlessAborted(one, reserved, gateway))
    : unlessAborted(hold, reserved, gateway);
}

function unlessAborted(
  hold: Hold,
  { call: { signal }, decoded: { envelope } }: Reserved,
  { ledger, repeatable }: GatewayDeps,
): Hold {
  if (signal.aborted) {
    ledger.release(hold);
    throw callerLeft();
  }
  repeatable?.reserved(hold, envelope);
  return hold;
}

/** The note of a call whose answer is limited to what the remaining money pays for. */
export const limitNote = clamped(
  "limits.maxOutputTokens",
  "The balance or budget does not pay for a longer answer, so the output limit was lowered",
);

/**
 * Notes for the caller that the call's reservation pays for fewer output tokens than requested, and
 * returns their number; undefined if it pays for the longest answer. Throws `conversion_lossy` if the caller allows no notes.
 */
export function noteLimit({ request }: Call, record: CallRecord): number | undefined {
  const tokens = record.hold?.outputTokens;
  if (tokens === undefined) return undefined;
  if (!record.notes.includes(limitNote)) record.notes = [...record.notes, limitNote];
  assertNotesAllowed(request.headers, [limitNote]);
  return tokens;
}
