import {
  type CanonicalRequest,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type Usage,
} from "../../../canonical/mod.ts";
import { listOf, objectOf } from "../../wire_value.ts";
import { ownFields } from "../native.ts";
import { Notes } from "../notes.ts";
import { encodeSettings } from "../settings.ts";
import { isMessagePart } from "../turn_encoder.ts";

/** The members that every response object has, with the vendor's defaults (Open Responses, 2026-04-24). */
const usualMembers = {
  background: false,
  completed_at: null,
  error: null,
  frequency_penalty: 0,
  incomplete_details: null,
  instructions: null,
  max_output_tokens: null,
  max_tool_calls: null,
  metadata: {},
  parallel_tool_calls: true,
  presence_penalty: 0,
  previous_response_id: null,
  prompt_cache_key: null,
  reasoning: { effort: null, summary: null },
  safety_identifier: null,
  service_tier: "default",
  store: false, // answers of other formats' upstreams are not stored
  temperature: 1,
  text: { format: { type: "text" } },
  tool_choice: "auto",
  tools: [],
  top_logprobs: 0,
  top_p: 1,
  truncation: "disabled",
  user: null,
} as const satisfies JsonObject;

/** These members as a request sets them. */
export function echoOf(request: CanonicalRequest): JsonObject {
  const own = ownFields(request);
  const settings = own ? encodeSettings(request, { notes: new Notes(), own: true }) : {};
  const { limits, sampling } = request;
  return withUsual({
    instructions: instructionsOf(request),
    max_output_tokens: limits.maxOutputTokens,
    max_tool_calls: limits.maxToolCalls,
    metadata: request.metadata,
    parallel_tool_calls: request.parallelToolCalls,
    prompt_cache_key: request.cacheKey,
    reasoning: settings.reasoning,
    safety_identifier: request.endUser,
    service_tier: request.serviceTier,
    temperature: sampling.temperature,
    text: settings.text,
    tool_choice: settings.tool_choice,
    tools: settings.tools,
    top_logprobs: sampling.topLogprobs,
    top_p: sampling.topP,
    truncation: own?.truncation,
  });
}

/** The members that every response object has, as `said` sets them; other members are left out. */
export function withUsual(said: Readonly<Record<string, JsonValue | undefined>>): JsonObject {
  const named = Object.entries(usualMembers).map(([name, usual]) => {
    const value = said[name] ?? usual;
    return [name, isJsonObject(value) ? { ...objectOf(usual), ...value } : value];
  });
  return { ...Object.fromEntries(named), tools: listOf(said.tools).map(wholeTool) };
}

/** A tool with the members that functions must state. */
function wholeTool(tool: JsonValue): JsonValue {
  return isJsonObject(tool) && tool.type === "function"
    ? { description: null, parameters: null, strict: null, ...tool }
    : tool;
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

function instructionsOf({ instructions }: CanonicalRequest): string | undefined {
  const texts = instructions.filter((part) => !isMessagePart(part)).map(({ text }) => text);
  return texts.length === 0 ? undefined : texts.join("\n\n");
}
