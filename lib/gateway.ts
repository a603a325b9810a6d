import { tryCandidates } from "./gateway/attempts.ts";
import { callContextOf, type CallRecord, showsSpending } from "./gateway/call_context.ts";
import { withBodySession } from "./gateway/call_session.ts";
import { withCompaction } from "./gateway/compaction.ts";
import { deliver, respond } from "./gateway/deliver.ts";
import type { GatewayDeps } from "./gateway/dependencies.ts";
import { withRealModel } from "./gateway/model_alias.ts";
import { refusalResponse } from "./gateway/settle.ts";
import { admissionOf, noteLimit, reserve, route } from "./gateway/stages.ts";
import type { Call } from "./http/call.ts";
import { decode } from "./http/decode.ts";
import { gatewayErrorOf } from "./http/errors.ts";
import { decodeRelayed, type Relayed } from "./http/relayed.ts";
import { withHistory } from "./responses_state/mod.ts";
import { endpointNotServed, relayCandidate, relayTo } from "./upstreams/relay.ts";
import type { Candidate } from "./upstreams/upstream.ts";

export { admissionOf, type IdentifiedCall, route } from "./gateway/stages.ts";
export { aliasedModel, aliasOf, withRealModel } from "./gateway/model_alias.ts";
export { openedForCount } from "./gateway/compaction.ts";
export { failureResponse } from "./gateway/settle.ts";
export type { GatewayDeps } from "./gateway/dependencies.ts";
export { IdempotentCalls } from "./gateway/idempotent_calls.ts";

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
    const identified = gateway.identify(call);
    const known = record.caller = identified instanceof Promise ? await identified : identified;
    if (known.key.recordUntilMs) record.recording = gateway.recordings?.begin(call, known);
    const asked = await decode(call, gateway.limits, admissionOf({ call, caller: known, gateway }));
    record.recording?.asked(asked);
    const caller = record.caller = withBodySession(known, asked.wire.body, call.request.headers);
    const read = record.decoded = withRealModel(asked, call.codec, gateway.upstreams);
    gateway.assertRecording(); // behind the body: a client that still sends one may not read a refusal
    const continued = withHistory(gateway.state, { call, caller, decoded: read });
    const history = continued instanceof Promise ? await continued : continued;
    record.decoded = history.decoded;
    const found = route({ call, caller, decoded: history.decoded, record }, gateway);
    const routed = { ...history, candidates: found instanceof Promise ? await found : found };
    if (gateway.state.memory?.preparesOnly && history.keeping) {
      return record.answered(await history.keeping.prepared(call, read.wire.body));
    }
    const compacted = withCompaction(routed, caller.key.accountId, gateway);
    const { candidates, ...resolved } = compacted instanceof Promise ? await compacted : compacted;
    const decoded = record.decoded = resolved.decoded;
    const reserved = reserve({ call, caller, decoded, candidates }, gateway);
    record.hold = reserved instanceof Promise ? await reserved : reserved;
    if (call.codec.spending?.headers && showsSpending(call, caller)) {
      record.budgets = gateway.ownBudgets(caller);
    }
    return record.answered(await deliver(candidates, { ...resolved, gateway, record }));
  } catch (thrown) {
    return record.answered(await refusalResponse(gatewayErrorOf(thrown), context));
  }
}

/**
 * Passes one request through unconverted: for endpoints without a canonical form, such as
 * embeddings or speech. It takes the same stages as `generate`, and limits, money and the log apply
 * as to any call. Any upstream of the model that has the endpoint may answer.
 */
export async function relay(arrived: Call, gateway: GatewayDeps): Promise<Response> {
  const context = callContextOf(arrived, gateway);
  const { call, record } = context;
  try {
    const known = record.caller = await gateway.identify(call);
    const admission = admissionOf({ call, caller: known, gateway });
    if (known.key.recordUntilMs) record.recording = gateway.recordings?.begin(call, known);
    const relayed = record.decoded = await decodeRelayed(call, gateway.limits, admission);
    record.recording?.asked(relayed);
    const caller = record.caller = withBodySession(known, relayed.wire.body, call.request.headers);
    gateway.assertRecording(); // after the body is read: a client that is still sending may not read a refusal
    const found = await route({ call, caller, decoded: relayed, record }, gateway);
    const candidates = able(found, relayed);
    record.hold = await reserve({ call, caller, decoded: relayed, candidates }, gateway);
    const limited = limitedRelay(relayed, call, record);
    const attempt = (one: Candidate) => relayTo(one, call, limited, gateway);
    return record.answered(await respond(tryCandidates(candidates, attempt, context), context));
  } catch (thrown) {
    return record.answered(await refusalResponse(gatewayErrorOf(thrown), context));
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
