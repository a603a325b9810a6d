import type { CanonicalRequest, JsonObject, Usage } from "../../../canonical/mod.ts";
import { objectOf } from "../../wire_value.ts";
import { ownFields } from "../native.ts";
import { Notes } from "../notes.ts";
import { encodeSettings } from "../settings.ts";
import { isMessagePart } from "../turn_encoder.ts";

/**
 * The members of a request that a response object repeats, with the vendor's defaults. The type
 * requires most of them.
 */
export function echoOf(request: CanonicalRequest): JsonObject {
  const own = ownFields(request);
  const settings = own ? encodeSettings(request, { notes: new Notes(), own: true }) : {};
  const { limits, sampling } = request;
  return {
    background: false,
    error: null,
    incomplete_details: null,
    instructions: instructionsOf(request),
    max_output_tokens: limits.maxOutputTokens ?? null,
    max_tool_calls: limits.maxToolCalls ?? null,
    metadata: request.metadata ?? {},
    parallel_tool_calls: request.parallelToolCalls ?? true,
    previous_response_id: null,
    prompt_cache_key: request.cacheKey ?? null,
    reasoning: { effort: null, summary: null, ...objectOf(settings.reasoning) },
    safety_identifier: request.endUser ?? null,
    service_tier: request.serviceTier ?? "default",
    store: false, // answers of other formats' upstreams are not stored
    temperature: sampling.temperature ?? 1,
    text: { format: { type: "text" }, ...objectOf(settings.text) },
    tool_choice: settings.tool_choice ?? "auto",
    tools: settings.tools ?? [],
    top_logprobs: sampling.topLogprobs ?? 0,
    top_p: sampling.topP ?? 1,
    truncation: own?.truncation ?? "disabled",
    user: null,
  };
}

/** The service tier that served the answer, by this format's name; `default` if it has none. */
export function servedTierOf(usage: Usage | undefined): JsonObject {
  return { service_tier: served.get(usage?.servedTier ?? "") ?? "default" };
}

const served: ReadonlyMap<string, string> = new Map([
  ["fast", "priority"],
  ["ultrafast", "ultrafast"],
  ["flex", "flex"],
  ["reserved", "scale"],
]);

function instructionsOf({ instructions }: CanonicalRequest): string | null {
  const texts = instructions.filter((part) => !isMessagePart(part)).map(({ text }) => text);
  return texts.length === 0 ? null : texts.join("\n\n");
}
