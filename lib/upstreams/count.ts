import type { CanonicalRequest } from "../canonical/mod.ts";
import { codecs } from "../formats/mod.ts";
import { outboundOf } from "./prepare_request.ts";
import { readAnswer, type WholeLimits } from "./reply.ts";
import type { Send } from "./send.ts";
import type { Candidate } from "./upstream.ts";

/** The upstream's count of a request's input tokens; undefined if its format has no counter. */
export async function countAtUpstream(
  candidate: Candidate,
  request: CanonicalRequest,
  caller: AbortSignal,
  { send, limits }: { readonly send: Send; readonly limits: WholeLimits },
): Promise<number | undefined> {
  const codec = candidate.format && codecs[candidate.format];
  if (!codec?.tokenCount) return undefined;
  const wire = codec.tokenCount.encodeRequest(request);
  const outbound = outboundOf(candidate, codec, { wire, body: JSON.stringify(wire.body) });
  const inbound = await send(outbound, candidate.upstream.timeouts, caller);
  return codec.tokenCount.decodeResponse(await readAnswer(inbound, codec, limits));
}
