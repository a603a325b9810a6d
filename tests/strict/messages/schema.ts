import { z } from "zod";
import type { JsonObject } from "../../../lib/canonical/mod.ts";

/** The body of a messages request, closed at every level: an unknown field is refused. */

export const json = z.custom<JsonObject>(
  (value) => typeof value === "object" && value !== null && !Array.isArray(value),
  { error: "Input should be a valid dictionary" },
);

const cache = z.strictObject({
  type: z.literal("ephemeral"),
  ttl: z.enum(["5m", "1h"]).optional(),
}).nullish();

const text = z.strictObject({
  type: z.literal("text"),
  text: z.string(),
  cache_control: cache,
  citations: z.array(json).nullish(),
});

const imageType = z.enum(["image/jpeg", "image/png", "image/gif", "image/webp"]);
const image = z.strictObject({
  type: z.literal("image"),
  source: z.discriminatedUnion("type", [
    z.strictObject({ type: z.literal("base64"), media_type: imageType, data: z.base64() }),
    z.strictObject({ type: z.literal("url"), url: z.url() }),
    z.strictObject({ type: z.literal("file"), file_id: z.string().min(1) }),
  ]),
  cache_control: cache,
  transformations: json.optional(),
});

const document = z.strictObject({
  type: z.literal("document"),
  source: z.discriminatedUnion("type", [
    z.strictObject({
      type: z.literal("base64"),
      media_type: z.literal("application/pdf"),
      data: z.base64(),
    }),
    z.strictObject({
      type: z.literal("text"),
      media_type: z.literal("text/plain"),
      data: z.string(),
    }),
    z.strictObject({ type: z.literal("content"), content: z.unknown() }),
    z.strictObject({ type: z.literal("url"), url: z.url() }),
    z.strictObject({ type: z.literal("file"), file_id: z.string().min(1) }),
  ]),
  title: z.string().nullish(),
  context: z.string().nullish(),
  citations: z.strictObject({ enabled: z.boolean() }).nullish(),
  cache_control: cache,
});

const searchResult = z.strictObject({
  type: z.literal("search_result"),
  content: z.array(text),
  source: z.string(),
  title: z.string(),
  citations: z.strictObject({ enabled: z.boolean() }).optional(),
  cache_control: cache,
});

const toolReference = z.strictObject({ type: z.literal("tool_reference"), tool_name: z.string() });

const id = z.string().regex(/^[a-zA-Z0-9_-]+$/, "String should match pattern '^[a-zA-Z0-9_-]+$'");

const toolResult = z.strictObject({
  type: z.literal("tool_result"),
  tool_use_id: id,
  content: z.union([
    z.string(),
    z.array(z.discriminatedUnion("type", [text, image, document, searchResult, toolReference])),
  ]).optional(),
  is_error: z.boolean().optional(),
  toolset_name: z.string().optional(),
  cache_control: cache,
});

const toolUse = z.strictObject({
  type: z.literal("tool_use"),
  id,
  name: z.string().regex(/^[a-zA-Z0-9_-]{1,128}$/),
  input: json,
  caller: json.optional(),
  toolset_name: z.string().optional(),
  cache_control: cache,
});

const thinking = z.strictObject({
  type: z.literal("thinking"),
  thinking: z.string(),
  signature: z.string(),
});
const redactedThinking = z.strictObject({
  type: z.literal("redacted_thinking"),
  data: z.string(),
});

/** Calls and results of the vendor's server tools in the history. */
const serverToolUse = z.strictObject({
  type: z.literal("server_tool_use"),
  id: z.string().regex(/^srvtoolu_[a-zA-Z0-9_]+$/),
  name: z.enum(["web_search", "code_execution"]),
  input: json,
  caller: json.optional(),
  cache_control: cache,
});
const serverToolResult = {
  tool_use_id: z.string().regex(/^srvtoolu_[a-zA-Z0-9_]+$/),
  caller: json.optional(),
  cache_control: cache,
};
const webSearchResult = z.strictObject({
  type: z.literal("web_search_tool_result"),
  content: z.union([json, z.array(json)]),
  ...serverToolResult,
});
const codeExecutionResult = z.strictObject({
  type: z.literal("code_execution_tool_result"),
  content: json,
  ...serverToolResult,
});

const userBlock = z.discriminatedUnion("type", [text, image, document, searchResult, toolResult]);
const assistantBlock = z.discriminatedUnion("type", [
  text,
  thinking,
  redactedThinking,
  toolUse,
  serverToolUse,
  webSearchResult,
  codeExecutionResult,
]);

const message = z.discriminatedUnion("role", [
  z.strictObject({ role: z.literal("user"), content: z.union([z.string(), z.array(userBlock)]) }),
  z.strictObject({
    role: z.literal("assistant"),
    content: z.union([z.string(), z.array(assistantBlock)]),
  }),
  z.strictObject({ role: z.literal("system"), content: z.union([z.string(), z.array(text)]) }),
]);

const tool = z.strictObject({
  type: z.literal("custom").optional(),
  name: z.string().regex(/^[a-zA-Z0-9_-]{1,128}$/),
  description: z.string().optional(),
  input_schema: json,
  strict: z.boolean().optional(),
  cache_control: cache,
  input_examples: z.array(json).optional(),
  eager_input_streaming: z.boolean().nullish(),
  defer_loading: z.boolean().optional(),
  allowed_callers: z.array(z.string()).optional(),
});

const webSearch = z.strictObject({
  type: z.literal("web_search_20250305"),
  name: z.literal("web_search"),
  max_uses: z.int().min(1).optional(),
  allowed_domains: z.array(z.string()).optional(),
  blocked_domains: z.array(z.string()).optional(),
  user_location: json.optional(),
  cache_control: cache,
});

const parallel = { disable_parallel_tool_use: z.boolean().optional() };

export const messagesBody = z.strictObject({
  model: z.string().min(1),
  max_tokens: z.int().min(0), // 0 only fills the cache
  messages: z.array(message).min(1, "messages: at least one message is required"),
  system: z.union([z.string(), z.array(text)]).optional(),
  stream: z.boolean().optional(),
  stop_sequences: z.array(z.string().regex(/\S/)).optional(),
  temperature: z.number().min(0).max(1).optional(),
  top_p: z.number().min(0).max(1).optional(),
  top_k: z.int().min(0).optional(),
  tools: z.array(z.union([tool, webSearch])).optional(),
  tool_choice: z.discriminatedUnion("type", [
    z.strictObject({ type: z.literal("auto"), ...parallel }),
    z.strictObject({ type: z.literal("any"), ...parallel }),
    z.strictObject({ type: z.literal("tool"), name: z.string(), ...parallel }),
    z.strictObject({ type: z.literal("none") }),
  ]).optional(),
  thinking: z.discriminatedUnion("type", [
    z.strictObject({
      type: z.literal("enabled"),
      budget_tokens: z.int().min(1024),
      display: z.enum(["summarized", "omitted"]).optional(),
    }),
    z.strictObject({
      type: z.literal("adaptive"),
      display: z.enum(["summarized", "omitted"]).optional(),
    }),
    z.strictObject({ type: z.literal("disabled") }),
  ]).optional(),
  output_config: z.strictObject({
    effort: z.enum(["low", "medium", "high", "xhigh", "max"]).optional(),
    format: z.strictObject({ type: z.literal("json_schema"), schema: json }).optional(),
  }).optional(),
  metadata: z.strictObject({ user_id: z.string().max(256).nullish() }).optional(),
  service_tier: z.enum(["auto", "standard_only"]).optional(),
  cache_control: cache,
  /** A rule wants its beta header. */
  context_management: json.optional(),
});

export type MessagesBody = z.infer<typeof messagesBody>;
export type Message = MessagesBody["messages"][number];
export type Block =
  | z.infer<typeof userBlock>
  | z.infer<typeof assistantBlock>;

/** The blocks of a message, a string being one text. */
export function blocksOf({ content }: Message): readonly Block[] {
  return typeof content === "string" ? [{ type: "text", text: content }] : content;
}
