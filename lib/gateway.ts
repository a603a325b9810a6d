import type { Caller } from "./accounts/authorize.ts";
import { admissionOf } from "./gateway/admission.ts";
import { ahead } from "./gateway/ahead.ts";
import { deliver } from "./gateway/deliver.ts";
import { type CallContext, callContextOf } from "./gateway/call_context.ts";
import { refuse } from "./gateway/refuse.ts";
import { reserve } from "./gateway/reserve.ts";
import { route } from "./gateway/route.ts";
import type { Gateway } from "./gateway/world.ts";
import type { Call } from "./http/call.ts";
import { decode, type Decoded } from "./http/decode.ts";
import { gatewayErrorOf } from "./http/errors.ts";
import { type WithHistory, withHistory } from "./responses_state/mod.ts";

export { admissionOf, type Called } from "./gateway/admission.ts";
export { failed } from "./gateway/refuse.ts";
export { route } from "./gateway/route.ts";
export type { Gateway } from "./gateway/world.ts";

/**
 * One request for an answer, from the caller's bytes to the caller's bytes. Every stage may refuse
 * with a `GatewayError`, which is answered in the caller's own format; the usage of an answer is
 * durable before its end reaches the caller.
 */
export async function generate(arrived: Call, gateway: Gateway): Promise<Response> {
  const context = callContextOf(arrived, gateway);
  const { call, trace } = context;
  try {
    const caller = trace.caller = await gateway.whoCalls(call);
    const read = trace.decoded = await decode(
      call,
      gateway.limits,
      admissionOf({ call, caller, gateway }),
    );
    gateway.assertRecording(); // behind the body: a client that still sends one may not read a refusal
    const whole = await complete(context, caller, read);
    const { decoded } = whole;
    const candidates = route({ call, caller, envelope: decoded.envelope }, gateway);
    await ahead(caller, decoded);
    trace.hold = await reserve({ call, caller, decoded, candidates }, gateway);
    return await deliver(candidates, whole);
  } catch (thrown) {
    return await refuse(gatewayErrorOf(thrown), context);
  }
}

/** The context with all that its call goes on from, and what is to become of its answer. Refuses one whose past is not there. */
async function complete(
  context: CallContext,
  caller: Caller,
  decoded: Decoded,
): Promise<CallContext & WithHistory> {
  const { call, gateway, trace } = context;
  const whole = await withHistory(gateway.state, { call, caller, decoded });
  trace.decoded = whole.decoded;
  return { ...context, ...whole };
}
