import type { CanonicalRequest } from "../../canonical/mod.ts";
import type { RequestContext } from "./request_context.ts";

/** A call that only fills the cache is refused where it asks how to answer. */
export function unanswered(request: CanonicalRequest, { own }: RequestContext): CanonicalRequest {
  const { output: _, toolChoice, reasoning: __, ...rest } = request;
  if (own || !request.caching?.prewarm) return request;
  const isForced = toolChoice?.type === "any" || toolChoice?.type === "tool";
  return { ...rest, stream: false, ...(toolChoice && !isForced && { toolChoice }) };
}
