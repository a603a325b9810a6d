import type { Caller } from "../accounts/authorize.ts";
import { GatewayError, type JsonObject } from "../canonical/mod.ts";
import { failureResponse, type GatewayDeps } from "../gateway.ts";
import type { Call } from "../http/call.ts";
import { answerHeaders } from "../http/errors.ts";
import type { Owner } from "../responses_state/mod.ts";

/** The answer to a caller: an object, or a whole HTTP response. */
type CallerAnswer = JsonObject | Response;

/** Answers a caller with a valid key. Errors have the format of the call. */
export async function answerCaller(
  call: Call,
  gateway: GatewayDeps,
  answerFor: (caller: Caller) => CallerAnswer | Promise<CallerAnswer>,
): Promise<Response> {
  try {
    const answer = await answerFor(await gateway.identify(call));
    if (answer instanceof Response) return answer;
    return Response.json(answer, { headers: answerHeaders(call.id) });
  } catch (thrown) {
    return failureResponse(call, thrown, gateway);
  }
}

/** Answers an operation on an account's stored state: only for its keys. */
export function answerStateful(
  call: Call,
  gateway: GatewayDeps,
  operation: (owner: Owner, id: string, caller: Caller) => Promise<CallerAnswer>,
): Promise<Response> {
  return answerCaller(call, gateway, async (caller) => {
    const { state } = call.codec;
    if (!state) throw noState(call);
    const owner = { accountId: caller.key.accountId, state };
    return await operation(owner, (call.parameter ?? "").slice(0, idCharsMax), caller);
  });
}

/** The longest id: ids are parts of store keys, whose length is limited. */
const idCharsMax = 512;

function noState({ codec }: Call): GatewayError {
  return new GatewayError("unknown_endpoint", `The ${codec.name} format does not store responses`);
}
