import type { Caller } from "../accounts/authorize.ts";
import { GatewayError } from "../canonical/mod.ts";
import { admissionOf, failed, type GatewayDeps, route } from "../gateway.ts";
import type { Call } from "../http/call.ts";
import { decode, type Decoded } from "../http/decode.ts";
import { idHeaders } from "../http/errors.ts";
import { withHistory } from "../responses_state/mod.ts";
import { countRequestTokens } from "../tokens/mod.ts";
import { countAtUpstream } from "../upstreams/count.ts";
import type { Candidate } from "../upstreams/upstream.ts";

/**
 * How many tokens a request would put in, in the caller's format. The upstream's own counter
 * answers where it has one; else a tokenizer here does. Costs nothing, takes nothing of any limit or
 * budget (so nothing is reserved for it), is not logged as a call and never changes an upstream's health.
 */
export async function countTokens(call: Call, gateway: GatewayDeps): Promise<Response> {
  try {
    const caller = await gateway.whoCalls(call);
    const decoded = await decodeForCount(call, caller, gateway);
    const envelope = { ...decoded.envelope, vendorState: undefined }; // any upstream can count
    const [candidate] = route({ call, caller, envelope }, gateway);
    const inputTokens = await count(candidate, call, decoded, gateway);
    return Response.json(counterOf(call).encodeResponse(inputTokens), {
      headers: idHeaders(call.id),
    });
  } catch (thrown) {
    return failed(call, thrown, gateway);
  }
}

/** With all that the request goes on from. */
async function decodeForCount(call: Call, caller: Caller, gateway: GatewayDeps): Promise<Decoded> {
  const read = await decode(call, gateway.limits, admissionOf({ call, caller, gateway }));
  const { decoded } = await withHistory(gateway.state, { call, caller, decoded: read });
  return { ...decoded, canonical: () => counterOf(call).decodeRequest(decoded.wire) };
}

/** A counter that fails or that the upstream lacks is no failure of the caller's: an estimate is better than none. */
async function count(
  candidate: Candidate,
  call: Call,
  decoded: Decoded,
  gateway: GatewayDeps,
): Promise<number> {
  const request = { ...decoded.canonical(), model: candidate.upstreamModel };
  try {
    const counted = await countAtUpstream(candidate, request, call.signal, gateway);
    if (counted !== undefined) return counted;
  } catch (error) {
    if (!(error instanceof GatewayError) || error.code === "client_closed") throw error;
  }
  return countRequestTokens(request);
}

function counterOf({ codec }: Call) {
  if (codec.tokenCount) return codec.tokenCount;
  throw new GatewayError("unknown_endpoint", `The ${codec.name} format has no token counter`);
}
