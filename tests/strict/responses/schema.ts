import { z } from "zod";
import type { JsonObject } from "../../../lib/canonical/mod.ts";

/** The body of a responses request, closed at every level. */

const json = z.custom<JsonObject>(
  (value) => typeof value === "object" && value !== null && !Array.isArray(value),
  { error: "Expected an object" },
);

const breakpoint = z.strictObject({
  mode: z.literal("explicit"),
  ttl: z.enum(["30m", "12h"]).optional(),
}).nullish();
const name = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/);
const callId = z.string().min(1).max(64, { error: "string_above_max_length" });
const status = z.enum(["in_progress", "completed", "incomplete"]).nullish();
const idOf = (prefix: string) => z.string().startsWith(prefix).nullish();

const inputText = z.strictObject({
  type: z.literal("input_text"),
  text: z.string(),
  prompt_cache_breakpoint: breakpoint,
});
const inputImage = z.strictObject({
  type: z.literal("input_image"),
  image_url: z.string().regex(/^(https?:\/\/|data:image\/(png|jpeg|gif|webp);base64,)/, {
    error: "Invalid image: expected an https URL or a data URL of a supported image type",
  }).nullish(),
  file_id: z.string().nullish(),
  detail: z.enum(["low", "high", "auto", "original"]).optional(),
  prompt_cache_breakpoint: breakpoint,
});
const inputFile = z.strictObject({
  type: z.literal("input_file"),
  file_id: z.string().nullish(),
  file_url: z.url().optional(),
  file_data: z.string().regex(/^data:[a-z]+\/[a-z.+-]+;base64,/).optional(),
  filename: z.string().optional(),
  detail: z.enum(["auto", "low", "high"]).optional(),
  prompt_cache_breakpoint: breakpoint,
});
const outputText = z.strictObject({
  type: z.literal("output_text"),
  text: z.string(),
  annotations: z.array(json).optional(),
  logprobs: z.array(json).optional(),
});
const refusal = z.strictObject({ type: z.literal("refusal"), refusal: z.string() });
const input = z.discriminatedUnion("type", [inputText, inputImage, inputFile]);

/** Metadata that the vendor's own agent adds to each item (Codex 0.169.0, 2026-11-21). */
const ofAgents = { internal_chat_message_metadata_passthrough: json.nullish() };
const phase = z.enum(["commentary", "final_answer"]).nullish();
const message = z.discriminatedUnion("role", [
  z.strictObject({
    ...ofAgents,
    type: z.literal("message").optional(),
    role: z.enum(["user", "system", "developer"]),
    content: z.union([z.string(), z.array(input)]),
    id: idOf("msg_"),
    status,
  }),
  z.strictObject({
    ...ofAgents,
    type: z.literal("message").optional(),
    role: z.literal("assistant"),
    content: z.union([z.string(), z.array(z.discriminatedUnion("type", [outputText, refusal]))]),
    id: idOf("msg_"),
    status,
    phase,
  }),
]);

const output = z.union([z.string(), z.array(input)], {
  error: "Missing required parameter: 'output'",
});
const item = z.discriminatedUnion("type", [
  z.strictObject({
    ...ofAgents,
    type: z.literal("function_call"),
    call_id: callId,
    name,
    arguments: z.string(),
    id: idOf("fc_"),
    status,
    namespace: z.string().optional(),
    caller: json.nullish(),
  }),
  z.strictObject({
    ...ofAgents,
    type: z.literal("function_call_output"),
    call_id: callId,
    output,
    id: idOf("fc"),
    status,
    caller: json.nullish(),
  }),
  z.strictObject({
    ...ofAgents,
    type: z.literal("custom_tool_call"),
    call_id: callId,
    name,
    input: z.string(),
    id: idOf("ctc_"),
    status,
    namespace: z.string().optional(),
    caller: json.nullish(),
  }),
  z.strictObject({
    ...ofAgents,
    type: z.literal("custom_tool_call_output"),
    call_id: callId,
    output,
    id: idOf("ct"),
    status,
    caller: json.nullish(),
  }),
  z.strictObject({
    ...ofAgents,
    type: z.literal("reasoning"),
    id: idOf("rs_"),
    summary: z.array(z.strictObject({ type: z.literal("summary_text"), text: z.string() })),
    content: z.array(z.strictObject({ type: z.literal("reasoning_text"), text: z.string() }))
      .nullish(),
    encrypted_content: z.string().nullish(),
    status,
  }),
]);

/** Items of the vendor's server tools and of Codex's sub-agents in the history. */
const hostedItem = z.discriminatedUnion("type", [
  z.strictObject({
    ...ofAgents,
    type: z.literal("agent_message"),
    id: idOf("amsg_"),
    author: z.string(),
    recipient: z.string(),
    content: z.array(z.discriminatedUnion("type", [
      z.strictObject({ type: z.literal("input_text"), text: z.string() }),
      z.strictObject({ type: z.literal("encrypted_content"), encrypted_content: z.string() }),
    ])),
  }),
  z.strictObject({
    ...ofAgents,
    type: z.literal("web_search_call"),
    id: z.string().regex(/^ws_/),
    status,
    action: json,
  }),
  z.strictObject({
    ...ofAgents,
    type: z.literal("code_interpreter_call"),
    id: z.string().regex(/^ci_/),
    status,
    container_id: z.string(),
    code: z.string().nullable(),
    outputs: z.array(json).nullable(),
  }),
  z.strictObject({
    ...ofAgents,
    type: z.literal("image_generation_call"),
    id: z.string().regex(/^ig_/),
    status,
    result: z.base64().nullable(),
  }),
  z.strictObject({
    ...ofAgents,
    type: z.literal("mcp_approval_request"),
    id: z.string().regex(/^mcpr_/),
    server_label: z.string(),
    name,
    arguments: z.string(),
  }),
  z.strictObject({
    ...ofAgents,
    type: z.literal("mcp_approval_response"),
    id: z.string().nullish(),
    approval_request_id: z.string().regex(/^mcpr_/),
    approve: z.boolean(),
    reason: z.string().nullish(),
  }),
]);

const functionTool = z.strictObject({
  type: z.literal("function"),
  name,
  description: z.string().nullish(),
  parameters: json.nullish(),
  strict: z.boolean().nullish(),
  defer_loading: z.boolean().optional(),
  output_schema: json.nullish(),
});
const customTool = z.strictObject({
  type: z.literal("custom"),
  name,
  description: z.string().optional(),
  format: z.discriminatedUnion("type", [
    z.strictObject({ type: z.literal("text") }),
    z.strictObject({
      type: z.literal("grammar"),
      syntax: z.enum(["lark", "regex"]),
      definition: z.string(),
    }),
  ]).optional(),
  defer_loading: z.boolean().optional(),
});
const namespaceTool = z.strictObject({
  type: z.literal("namespace"),
  name,
  description: z.string().optional(),
  tools: z.array(z.discriminatedUnion("type", [functionTool, customTool])).min(1),
});
const webSearchTool = z.strictObject({
  type: z.literal("web_search"),
  filters: json.nullish(),
  search_context_size: z.enum(["low", "medium", "high"]).nullish(),
  user_location: json.nullish(),
  external_web_access: z.boolean().nullish(),
  search_content_types: z.array(z.string()).nullish(),
});
/** Finds deferred tools; the caller searches itself where it is its execution. */
const toolSearchTool = z.strictObject({
  type: z.literal("tool_search"),
  execution: z.enum(["server", "client"]).optional(),
  description: z.string().nullish(),
  parameters: json.nullish(),
});
const tools = z.array(
  z.discriminatedUnion("type", [
    functionTool,
    customTool,
    namespaceTool,
    webSearchTool,
    toolSearchTool,
  ]),
);
/** Tools that come with the conversation instead of the request. */
const additionalTools = z.strictObject({
  type: z.literal("additional_tools"),
  id: idOf("at_"),
  role: z.literal("developer"),
  tools,
});
const namedChoice = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("function"), name }),
  z.strictObject({ type: z.literal("custom"), name }),
]);

export const responsesBody = z.strictObject({
  model: z.string().min(1),
  input: z.union([
    z.string(),
    z.array(z.union([item, hostedItem, additionalTools, message])).min(1),
  ]),
  instructions: z.string().nullish(),
  stream: z.boolean().nullish(),
  stream_options: z.strictObject({ include_obfuscation: z.boolean().optional() }).nullish(),
  max_output_tokens: z.int().min(16).nullish(),
  max_tool_calls: z.int().min(1).nullish(),
  temperature: z.number().min(0).max(2).nullish(),
  top_p: z.number().min(0).max(1).nullish(),
  top_logprobs: z.int().min(0).max(20).nullish(),
  reasoning: z.strictObject({
    effort: z.enum(["none", "minimal", "low", "medium", "high", "xhigh", "max"]).nullish(),
    summary: z.enum(["auto", "concise", "detailed"]).nullish(),
    generate_summary: z.enum(["auto", "concise", "detailed"]).nullish(),
    mode: z.enum(["standard", "pro"]).nullish(),
    context: z.enum(["auto", "current_turn", "all_turns"]).nullish(),
  }).nullish(),
  text: z.strictObject({
    format: z.discriminatedUnion("type", [
      z.strictObject({ type: z.literal("text") }),
      z.strictObject({ type: z.literal("json_object") }),
      z.strictObject({
        type: z.literal("json_schema"),
        name,
        schema: json,
        description: z.string().optional(),
        strict: z.boolean().nullish(),
      }),
    ]).optional(),
    verbosity: z.enum(["low", "medium", "high"]).nullish(),
  }).nullish(),
  tools: tools.nullish(),
  tool_choice: z.union([
    z.enum(["none", "auto", "required"]),
    namedChoice,
    z.strictObject({
      type: z.literal("allowed_tools"),
      mode: z.enum(["auto", "required"]),
      tools: z.array(namedChoice).min(1),
    }),
  ]).nullish(),
  parallel_tool_calls: z.boolean().nullish(),
  store: z.boolean().nullish(),
  background: z.literal(false).nullish(),
  include: z.array(z.enum([
    "web_search_call.results",
    "web_search_call.action.sources",
    "reasoning.encrypted_content",
    "message.output_text.logprobs",
    "message.input_image.image_url",
  ])).nullish(),
  truncation: z.enum(["auto", "disabled"]).nullish(),
  metadata: z.record(z.string().max(64), z.string().max(512)).nullish(),
  service_tier: z.enum(["auto", "default", "flex", "scale", "priority"]).nullish(),
  prompt_cache_key: z.string().nullish(),
  prompt_cache_options: json.nullish(),
  prompt_cache_retention: z.enum(["in_memory", "24h"]).nullish(),
  safety_identifier: z.string().max(64).nullish(),
  user: z.string().nullish(),
  client_metadata: z.record(z.string(), z.string()).nullish(),
});

export type ResponsesBody = z.infer<typeof responsesBody>;
export type Item = Exclude<ResponsesBody["input"], string>[number];
export type Message = z.infer<typeof message>;

/** The items of an input, a string being one message of the user. */
export function itemsOf({ input }: ResponsesBody): readonly Item[] {
  return typeof input === "string" ? [{ role: "user", content: input }] : input;
}

export function isMessage(item: Item): item is Message {
  return "role" in item && "content" in item;
}
