import { type Caller, mayUseModel } from "../accounts/authorize.ts";
import { GatewayError, vendorStateRefusal } from "../canonical/mod.ts";
import type { Envelope } from "../formats/codec.ts";
import type { Call } from "../http/call.ts";
import { candidatesFor } from "../routing/mod.ts";
import type { Candidate } from "../upstreams/upstream.ts";
import type { GatewayDeps } from "./dependencies.ts";

/** The input of routing. */
interface Routed {
  readonly call: Call;
  readonly caller: Caller;
  readonly envelope: Envelope;
}

/**
 * The candidates to try, in order; at least one. Refuses a model that is unknown or that the key may
 * not use, and state of a vendor that is not among the candidates.
 */
export function route(
  { call, caller, envelope: { model, conversation, vendorState } }: Routed,
  { upstreams, lists, health, clock, random }: GatewayDeps,
): readonly Candidate[] {
  const query = { model, conversation, format: call.codec.name, groupId: caller.group.id };
  const circumstances = { health, nowMs: clock.now(), random, lists: lists() };
  const candidates = candidatesFor(query, upstreams(), circumstances);
  if (!mayUseModel(caller, model)) {
    throw new GatewayError(
      "model_not_allowed",
      `The key may not use model '${model}'. List its models with GET /v1/models`,
    );
  }
  if (candidates.length === 0) {
    throw new GatewayError(
      "model_not_found",
      `Model '${model}' is not available on this gateway. List models with GET /v1/models`,
    );
  }
  if (!vendorState) return candidates;
  const able = candidates.filter(({ format }) => format === vendorState.format);
  if (able.length === 0) throw vendorStateRefusal(vendorState);
  return able;
}
