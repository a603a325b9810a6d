import { admissionOf } from "./gateway/admission.ts";
import { callContextOf } from "./gateway/call_context.ts";
import { deliver } from "./gateway/deliver.ts";
import type { GatewayDeps } from "./gateway/dependencies.ts";
import { refuse } from "./gateway/refuse.ts";
import { reserve } from "./gateway/reserve.ts";
import { route } from "./gateway/route.ts";
import type { Call } from "./http/call.ts";
import { decode } from "./http/decode.ts";
import { gatewayErrorOf } from "./http/errors.ts";
import { withHistory } from "./responses_state/mod.ts";

export { admissionOf, type Called } from "./gateway/admission.ts";
export { failed } from "./gateway/refuse.ts";
export { route } from "./gateway/route.ts";
export type { GatewayDeps } from "./gateway/dependencies.ts";

/**
 * One request for an answer, from the caller's bytes to the caller's bytes. Every stage may refuse
 * with a `GatewayError`, which is answered in the caller's own format; the usage of an answer is
 * durable before its end reaches the caller. Waits only for a stage that returned a promise: most
 * stages of most calls have nothing to wait for.
 */
export async function generate(arrived: Call, gateway: GatewayDeps): Promise<Response> {
  const context = callContextOf(arrived, gateway);
  const { call, record } = context;
  try {
    const known = gateway.whoCalls(call);
    const caller = record.caller = known instanceof Promise ? await known : known;
    const read = record.decoded = await decode(
      call,
      gateway.limits,
      admissionOf({ call, caller, gateway }),
    );
    gateway.assertRecording(); // behind the body: a client that still sends one may not read a refusal
    const continued = withHistory(gateway.state, { call, caller, decoded: read });
    const history = continued instanceof Promise ? await continued : continued;
    const decoded = record.decoded = history.decoded;
    const candidates = route({ call, caller, envelope: decoded.envelope }, gateway);
    const reserved = reserve({ call, caller, decoded, candidates }, gateway);
    record.hold = reserved instanceof Promise ? await reserved : reserved;
    return await deliver(candidates, { ...history, gateway, record });
  } catch (thrown) {
    return await refuse(gatewayErrorOf(thrown), context);
  }
}
