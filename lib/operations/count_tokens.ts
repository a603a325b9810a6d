import type { Caller } from "../accounts/authorize.ts";
import { GatewayError } from "../canonical/mod.ts";
import { admissionOf, type GatewayDeps, openedForCount, route, withRealModel } from "../gateway.ts";
import type { Call } from "../http/call.ts";
import { decode, type Decoded } from "../http/decode.ts";
import { Pace } from "../pace.ts";
import { withHistory } from "../responses_state/mod.ts";
import { requestTokenSteps } from "../tokens/mod.ts";
import { countAtUpstream } from "../upstreams/call_upstream.ts";
import type { Candidate } from "../upstreams/upstream.ts";
import { answerCaller } from "./answer.ts";

/**
 * Counts a request's input tokens, in the caller's format: by the upstream's own counter if it has
 * one, else by the local tokenizer. It is free, counts against no limit or budget, is not logged as
 * a call and does not affect an upstream's health.
 */
export function countTokens(call: Call, gateway: GatewayDeps): Promise<Response> {
  return answerCaller(call, gateway, async (caller) => {
    const decoded = await decodeForCount(call, caller, gateway);
    const envelope = { ...decoded.envelope, vendorState: undefined }; // any upstream can count
    const [candidate] = await route({ call, caller, decoded: { ...decoded, envelope } }, gateway);
    const inputTokens = await count(candidate, call, decoded, gateway);
    return counterOf(call).encodeResponse(inputTokens);
  });
}

/** Decodes the request with its stored history. */
async function decodeForCount(call: Call, caller: Caller, gateway: GatewayDeps): Promise<Decoded> {
  const asked = await decode(call, gateway.limits, admissionOf({ call, caller, gateway }));
  const read = withRealModel(asked, call.codec, gateway.upstreams);
  const history = await withHistory(gateway.state, { call, caller, decoded: read });
  const decoded = await openedForCount(history, caller.key.accountId, gateway);
  return { ...decoded, canonical: () => counterOf(call).decodeRequest(decoded.wire) };
}

/** Falls back to an estimate if the upstream's counter fails or does not exist. */
async function count(
  candidate: Candidate,
  call: Call,
  decoded: Decoded,
  gateway: GatewayDeps,
): Promise<number> {
  const pace = new Pace();
  const request = { ...decoded.canonical(), model: candidate.upstreamModel };
  await pace.giveWay();
  try {
    const counted = await countAtUpstream(candidate, request, call.signal, gateway);
    if (counted !== undefined) return counted;
  } catch (error) {
    if (!(error instanceof GatewayError) || error.code === "client_closed") throw error;
  }
  return await pace.through(requestTokenSteps(request));
}

function counterOf({ codec }: Call) {
  if (codec.tokenCount) return codec.tokenCount;
  throw new GatewayError("unknown_endpoint", `The ${codec.name} format has no token counter`);
}
