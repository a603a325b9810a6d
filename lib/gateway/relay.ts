import type { Call } from "../http/call.ts";
import { gatewayErrorOf } from "../http/errors.ts";
import { decodeRelayed, type Relayed } from "../http/relayed.ts";
import { endpointNotServed, relayCandidate, relayTo } from "../upstreams/relay.ts";
import type { Candidate } from "../upstreams/upstream.ts";
import { admissionOf } from "./admission.ts";
import { tryCandidates } from "./attempt.ts";
import { callContextOf } from "./call_context.ts";
import type { CallRecord } from "./call_record.ts";
import { respond } from "./deliver.ts";
import type { GatewayDeps } from "./dependencies.ts";
import { noteLimit } from "./noted_limit.ts";
import { refuse } from "./refuse.ts";
import { reserve } from "./reserve.ts";
import { route } from "./route.ts";

/**
 * Passes one request through unconverted: for endpoints without a canonical form, such as
 * embeddings or speech. It takes the same stages as `generate`, and limits, money and the log apply
 * as to any call. Any upstream of the model that has the endpoint may answer.
 */
export async function relay(arrived: Call, gateway: GatewayDeps): Promise<Response> {
  const context = callContextOf(arrived, gateway);
  const { call, record } = context;
  try {
    const caller = record.caller = await gateway.whoCalls(call);
    const admission = admissionOf({ call, caller, gateway });
    const relayed = record.decoded = await decodeRelayed(call, gateway.limits, admission);
    gateway.assertRecording(); // after the body is read: a client that is still sending may not read a refusal
    const { envelope } = relayed;
    const candidates = able(route({ call, caller, envelope }, gateway), relayed);
    record.hold = await reserve({ call, caller, decoded: relayed, candidates }, gateway);
    const limited = limitedRelay(relayed, call, record);
    const attempt = (one: Candidate) => relayTo(one, call, limited, gateway);
    return await respond(tryCandidates(candidates, attempt, context), context);
  } catch (thrown) {
    return await refuse(gatewayErrorOf(thrown), context);
  }
}

/** Lowers the call's output limit to the length that its reservation pays for. */
function limitedRelay(relayed: Relayed, call: Call, record: CallRecord): Relayed {
  const { limitMember } = relayed.endpoint;
  const tokens = limitMember === undefined ? undefined : noteLimit(call, record);
  if (limitMember === undefined || tokens === undefined) return relayed;
  return { ...relayed, sets: { [limitMember]: tokens } };
}

/** The candidates that have the endpoint; at least one. */
function able(candidates: readonly Candidate[], relayed: Relayed): Candidate[] {
  const found = candidates.map(relayCandidate).filter((candidate) => candidate !== undefined);
  if (found.length > 0) return found;
  throw endpointNotServed(relayed);
}
