import type { Call } from "../http/call.ts";
import { gatewayErrorOf } from "../http/errors.ts";
import { decodeRelayed, type Relayed } from "../http/relayed.ts";
import { endpointNotServed, relayCandidate, relayTo } from "../upstreams/relay.ts";
import type { Candidate } from "../upstreams/upstream.ts";
import { admissionOf } from "./admission.ts";
import { ahead } from "./ahead.ts";
import { passageOf } from "./passage.ts";
import { refuse } from "./refuse.ts";
import { reply } from "./reply.ts";
import { reserve } from "./reserve.ts";
import { route } from "./route.ts";
import { sendTo } from "./send.ts";
import type { Gateway } from "./world.ts";

/**
 * One request that is passed on as it is, beside `generate` and along the same stages: an endpoint
 * that has no canonical form, such as embeddings or speech, answered by whichever upstream of the
 * model has it. Nothing is converted; limits, money and the log count as for any call.
 */
export async function relay(arrived: Call, gateway: Gateway): Promise<Response> {
  const passage = passageOf(arrived, gateway);
  const { call, trace } = passage;
  try {
    const caller = trace.caller = await gateway.whoCalls(call);
    const admission = admissionOf({ call, caller, gateway });
    const relayed = trace.decoded = await decodeRelayed(call, gateway.limits, admission);
    const { envelope } = relayed;
    const candidates = able(route({ call, caller, envelope }, gateway), relayed);
    const [candidate] = candidates;
    await ahead(caller, relayed);
    trace.hold = await reserve({ call, caller, decoded: relayed, candidate }, gateway);
    const attempt = (one: Candidate) => relayTo(one, call, relayed, gateway);
    return await reply(await sendTo(candidates, attempt, passage), passage);
  } catch (thrown) {
    return await refuse(gatewayErrorOf(thrown), passage);
  }
}

/** Those that have an address for it; at least one. */
function able(candidates: readonly Candidate[], relayed: Relayed): Candidate[] {
  const found = candidates.map(relayCandidate).filter((candidate) => candidate !== undefined);
  if (found.length > 0) return found;
  throw endpointNotServed(relayed);
}
