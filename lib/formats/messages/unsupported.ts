import { asksLogprobs, type CanonicalRequest } from "../../canonical/mod.ts";
import { unsupported } from "../error.ts";
import type { RequestContext } from "./request_context.ts";

/** Members of other formats that refer to a conversation stored by their vendor. */
const heldState = ["previous_response_id", "conversation"];

export function assertExpressible({ sampling, native }: CanonicalRequest): void {
  if ((sampling.alternatives ?? 1) > 1) {
    throw unsupported(
      "sampling.alternatives",
      "is more than 1, but the messages format returns one answer",
    );
  }
  for (const key of heldState) {
    if (native?.fields[key] === undefined || native.fields[key] === null) continue;
    throw unsupported(
      key,
      "refers to content that another vendor stores. Send the content itself in the messages format",
    );
  }
}

export function noteDropped(
  request: CanonicalRequest,
  { notes, automaticCaching }: RequestContext,
): void {
  const { sampling, limits } = request;
  if (sampling.seed !== undefined) notes.add("seed");
  if (sampling.presencePenalty) notes.add("presencePenalty");
  if (sampling.frequencyPenalty) notes.add("frequencyPenalty");
  if (Object.keys(sampling.logitBias ?? {}).length > 0) notes.add("logitBias");
  if (asksLogprobs(sampling)) notes.add("logprobs");
  if (limits.maxToolCalls !== undefined) notes.add("maxToolCalls");
  if (request.verbosity !== undefined) notes.add("verbosity");
  if (Object.keys(request.metadata ?? {}).length > 0) notes.add("metadata");
  if (request.store) notes.add("store");
  if (request.cacheKey !== undefined && !automaticCaching) notes.add("cacheKey");
  if (request.safety?.length) notes.add("safety");
  notes.foreign(request.native, "native");
}
