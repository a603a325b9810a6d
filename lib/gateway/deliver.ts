import { earlyResponse, isSilent } from "../http/stream/early_response.ts";
import { statesOf } from "../ledger/mod.ts";
import type { Candidate } from "../upstreams/upstream.ts";
import type { ResolvedCall } from "./call_context.ts";
import { respond } from "./respond.ts";
import { fail } from "./settle.ts";
import { firstAnswer } from "./try_candidates.ts";

/** Delivers the answer in the requested way: whole, as a stream, or in the background. */
export function deliver(
  candidates: readonly Candidate[],
  resolved: ResolvedCall,
): Promise<Response> {
  const { decoded, background } = resolved;
  const begin = () => respond(firstAnswer(candidates, resolved), resolved);
  if (background) return background.start({ begin, fail: (error) => fail(error, resolved) });
  return decoded.envelope.stream ? inTime(begin(), resolved) : begin();
}

/**
 * Responds to a streaming caller before the answer has started if the upstream stays silent, so
 * that keep-alives can be sent.
 */
async function inTime(answering: Promise<Response>, resolved: ResolvedCall): Promise<Response> {
  const { call, gateway, record, decoded: { envelope: { framing } } } = resolved;
  const keepAliveMs = gateway.limits.sseKeepAliveMs;
  if (!await isSilent(answering, keepAliveMs)) return await answering;
  const limitStates = statesOf(record.hold);
  return earlyResponse(call, answering, {
    framing,
    keepAliveMs,
    limitStates,
    fail: (error) => fail(error, resolved),
  });
}
