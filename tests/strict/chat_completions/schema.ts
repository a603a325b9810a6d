import { z } from "zod";
import type { JsonObject } from "../../../lib/canonical/mod.ts";

/** The body of a chat-completions request, closed at every level. `null` means absent. */

const json = z.custom<JsonObject>(
  (value) => typeof value === "object" && value !== null && !Array.isArray(value),
  { error: "Expected an object" },
);

const breakpoint = z.strictObject({
  mode: z.literal("explicit"),
  ttl: z.enum(["30m", "12h"]).optional(),
}).nullish();
const text = z.strictObject({
  type: z.literal("text"),
  text: z.string(),
  prompt_cache_breakpoint: breakpoint,
});
const image = z.strictObject({
  type: z.literal("image_url"),
  image_url: z.strictObject({
    url: z.string().regex(/^(https?:\/\/|data:image\/(png|jpeg|gif|webp);base64,)/, {
      error: "Invalid image: expected an https URL or a data URL of a supported image type",
    }),
    detail: z.enum(["auto", "low", "high"]).nullish(),
  }),
  prompt_cache_breakpoint: breakpoint,
});
const audio = z.strictObject({
  type: z.literal("input_audio"),
  input_audio: z.strictObject({ data: z.base64(), format: z.enum(["wav", "mp3"]) }),
  prompt_cache_breakpoint: breakpoint,
});
const file = z.strictObject({
  type: z.literal("file"),
  file: z.union([
    z.strictObject({ file_id: z.string().min(1) }),
    z.strictObject({
      file_data: z.string().regex(/^data:application\/pdf;base64,/),
      filename: z.string().min(1),
    }),
  ]),
  prompt_cache_breakpoint: breakpoint,
});
const refusal = z.strictObject({ type: z.literal("refusal"), refusal: z.string() });

const textContent = z.union([z.string(), z.array(text).min(1)]);
const name = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/);
const callId = z.string().min(1).max(40, { error: "string_above_max_length" });

const call = z.discriminatedUnion("type", [
  z.strictObject({
    type: z.literal("function"),
    id: callId,
    function: z.strictObject({ name, arguments: z.string() }),
    /** Carries call signatures of one compatible endpoint; a rule refuses it for other vendors. */
    extra_content: json.optional(),
  }),
  z.strictObject({
    type: z.literal("custom"),
    id: callId,
    custom: z.strictObject({ name, input: z.string() }),
  }),
]);

const message = z.discriminatedUnion("role", [
  z.strictObject({
    role: z.literal("developer"),
    content: textContent,
    name: z.string().optional(),
  }),
  z.strictObject({ role: z.literal("system"), content: textContent, name: z.string().optional() }),
  z.strictObject({
    role: z.literal("user"),
    content: z.union([
      z.string(),
      z.array(z.discriminatedUnion("type", [text, image, audio, file])).min(1),
    ]),
    name: z.string().optional(),
  }),
  z.strictObject({
    role: z.literal("assistant"),
    content: z.union([
      z.string(),
      z.array(z.discriminatedUnion("type", [text, refusal])).min(1),
    ]).nullish(),
    refusal: z.string().nullish(),
    tool_calls: z.array(call).min(1, { error: "tool_calls: array too short" }).optional(),
    audio: z.strictObject({ id: z.string() }).nullish(),
    name: z.string().optional(),
    annotations: z.array(json).optional(),
    /** Returned reasoning of open-reasoning models; a rule refuses it for other models. */
    reasoning_content: z.string().optional(),
    /** Reasoning as multi-vendor routers return and accept it. */
    reasoning: z.string().optional(),
    reasoning_details: z.array(json).optional(),
  }),
  z.strictObject({
    role: z.literal("tool"),
    content: textContent,
    tool_call_id: callId,
    /** Undocumented; LangChain has always sent it. */
    name: z.string().optional(),
  }),
]);

const functionTool = z.strictObject({
  type: z.literal("function"),
  function: z.strictObject({
    name,
    description: z.string().optional(),
    parameters: json.optional(),
    strict: z.boolean().nullish(),
  }),
});
const customTool = z.strictObject({
  type: z.literal("custom"),
  custom: z.strictObject({
    name,
    description: z.string().optional(),
    format: z.discriminatedUnion("type", [
      z.strictObject({ type: z.literal("text") }),
      z.strictObject({
        type: z.literal("grammar"),
        grammar: z.strictObject({ definition: z.string(), syntax: z.enum(["lark", "regex"]) }),
      }),
    ]).optional(),
  }),
});
const namedChoice = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("function"), function: z.strictObject({ name }) }),
  z.strictObject({ type: z.literal("custom"), custom: z.strictObject({ name }) }),
]);

export const chatBody = z.strictObject({
  model: z.string().min(1),
  messages: z.array(message).min(1),
  stream: z.boolean().nullish(),
  stream_options: z.strictObject({
    include_usage: z.boolean().optional(),
    include_obfuscation: z.boolean().optional(),
  }).nullish(),
  max_completion_tokens: z.int().min(1).nullish(),
  max_tokens: z.int().min(1).nullish(),
  temperature: z.number().min(0).max(2).nullish(),
  top_p: z.number().min(0).max(1).nullish(),
  n: z.int().min(1).max(128).nullish(),
  stop: z.union([z.string(), z.array(z.string()).max(4)]).nullish(),
  presence_penalty: z.number().min(-2).max(2).nullish(),
  frequency_penalty: z.number().min(-2).max(2).nullish(),
  logit_bias: z.record(z.string(), z.number().min(-100).max(100)).nullish(),
  logprobs: z.boolean().nullish(),
  top_logprobs: z.int().min(0).max(20).nullish(),
  seed: z.int().nullish(),
  tools: z.array(z.discriminatedUnion("type", [functionTool, customTool])).min(1).max(128)
    .optional(),
  tool_choice: z.union([
    z.enum(["none", "auto", "required"]),
    namedChoice,
    z.strictObject({
      type: z.literal("allowed_tools"),
      allowed_tools: z.strictObject({
        mode: z.enum(["auto", "required"]),
        tools: z.array(namedChoice).min(1),
      }),
    }),
  ]).optional(),
  parallel_tool_calls: z.boolean().optional(),
  response_format: z.discriminatedUnion("type", [
    z.strictObject({ type: z.literal("text") }),
    z.strictObject({ type: z.literal("json_object") }),
    z.strictObject({
      type: z.literal("json_schema"),
      json_schema: z.strictObject({
        name,
        description: z.string().optional(),
        schema: json.optional(),
        strict: z.boolean().nullish(),
      }),
    }),
  ]).optional(),
  reasoning_effort: z.enum(["none", "minimal", "low", "medium", "high", "xhigh", "max"]).nullish(),
  verbosity: z.enum(["low", "medium", "high"]).nullish(),
  modalities: z.array(z.enum(["text", "audio"])).nullish(),
  audio: json.nullish(),
  prediction: json.nullish(),
  web_search_options: json.optional(),
  metadata: z.record(z.string().max(64), z.string().max(512)).nullish(),
  store: z.boolean().nullish(),
  service_tier: z.enum(["auto", "default", "flex", "scale", "priority"]).nullish(),
  user: z.string().optional(),
  safety_identifier: z.string().max(64).nullish(),
  prompt_cache_key: z.string().nullish(),
  prompt_cache_options: json.optional(),
  prompt_cache_retention: z.enum(["in_memory", "24h"]).nullish(),
  moderation: json.nullish(),
});

export type ChatBody = z.infer<typeof chatBody>;
export type ChatMessage = ChatBody["messages"][number];
