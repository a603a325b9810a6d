import type { FormatName, JsonObject, NativeFields } from "../../canonical/mod.ts";
import type { AnswerPlaces } from "../answer/places.ts";
import { harmless, type HarmlessFields, nativeKeeper } from "../native.ts";
import { comparesNothing } from "../request/cache.ts";
import { isUnnamedTier } from "../request/settings.ts";
import { isEmpty, objectOf, restOf } from "../wire_value.ts";

export const format = "responses" satisfies FormatName;

export const { ownFields, keep, mark } = nativeKeeper(format);

/** The member that Codex adds to each item for its vendor (0.171.0, 2026-11-30). */
export const agentMember = "internal_chat_message_metadata_passthrough";

/** `include` repeats canonical fields, and so does `user`. Deferred tools are sent at once. */
export const harmlessFields: HarmlessFields = {
  ...harmless("include", "client_metadata", "user", "stream_options"),
  ...harmless("prompt_cache_retention"),
  prompt_cache_options: comparesNothing,
  ...harmless("phase", "caller", "name", "namespace", "defer_loading", agentMember),
  item: (value) => isEmpty(restOf(objectOf(value), [agentMember])),
  service_tier: isUnnamedTier,
  async: (value) => value === false,
  background: (value) => value === false,
  truncation: (value) => value === "disabled",
};

/** Members of a message item that its parts keep in `native`, beside their own. */
const itemKeys = ["id", "status", "phase", "item", "role", "continues"];

/** The fields of a message's part itself, without the item's. */
export function ownInput(part: { readonly native?: NativeFields }): JsonObject {
  return restOf(ownFields(part) ?? {}, itemKeys);
}

/** An image becomes an item of the image generation tool, which holds bytes only. */
export const answerPlaces: AnswerPlaces = {
  media: { image: ["base64"], audio: [], video: [], file: [] },
  transcripts: false,
  textProofs: Infinity,
  addresses: true,
  alternatives: false,
  objectArguments: false,
  pauses: false,
  refusals: true,
  stopSequences: false,
  regions: false,
  audioTypes: false,
  logprobs: ["text"],
  tokenBytes: true,
  tokenIds: false,
};

/** Members that repeat the request, or that canonical fields repeat. */
export const harmlessAnswerFields: HarmlessFields = {
  ...harmless("background", "store", "metadata", "instructions", "prompt", "previous_response_id"),
  ...harmless("conversation", "tools", "tool_choice", "parallel_tool_calls", "max_tool_calls"),
  ...harmless("temperature", "top_p", "top_logprobs", "presence_penalty", "frequency_penalty"),
  ...harmless("text", "reasoning", "max_output_tokens", "truncation", "service_tier", "user"),
  ...harmless("prompt_cache_key", "prompt_cache_retention", "prompt_cache_options", "include"),
  ...harmless("safety_identifier", "completed_at", "output_text", "incomplete_details", "error"),
  ...harmless("billing", "tool_usage", "context_management"),
  // members of items and their parts
  ...harmless("phase", "caller", "namespace", "summary", "content", "encrypted_content"),
  ...harmless("output_format", "quality", "size", "action"),
  item: (value) => isEmpty(objectOf(value)),
};
