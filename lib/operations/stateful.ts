import type { Caller } from "../accounts/authorize.ts";
import { GatewayError, type JsonObject } from "../canonical/mod.ts";
import { failed, type GatewayDeps } from "../gateway.ts";
import type { Call } from "../http/call.ts";
import { answerHeaders } from "../http/errors.ts";
import type { Owner } from "../responses_state/mod.ts";

/** An operation on stored state. It returns an object, or its own HTTP response. */
type Stateful = (
  owner: Owner,
  id: string,
  caller: Caller,
) => Promise<JsonObject | Response>;

/**
 * Answers an operation on an account's stored state: only for its keys, with errors in their
 * format.
 */
export async function answerStateful(
  call: Call,
  gateway: GatewayDeps,
  operation: Stateful,
): Promise<Response> {
  try {
    const caller = await gateway.whoCalls(call);
    const { state } = call.codec;
    if (!state) throw noState(call);
    const owner = { accountId: caller.key.accountId, state };
    const result = await operation(owner, (call.parameter ?? "").slice(0, idCharsMax), caller);
    if (result instanceof Response) return result;
    return Response.json(result, { headers: answerHeaders(call.id) });
  } catch (thrown) {
    return failed(call, thrown, gateway);
  }
}

/** The longest id: ids are parts of store keys, whose length is limited. */
const idCharsMax = 512;

function noState({ codec }: Call): GatewayError {
  return new GatewayError("unknown_endpoint", `The ${codec.name} format does not store responses`);
}
