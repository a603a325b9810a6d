import { z } from "zod";

/** Answers and streams by the public specification of the responses format, as of 2026-04-24. */

const status = z.enum(["in_progress", "completed", "incomplete"]);

const outputText = z.looseObject({
  type: z.literal("output_text"),
  text: z.string(),
  annotations: z.array(z.looseObject({ type: z.string() })),
});
const refusal = z.looseObject({ type: z.literal("refusal"), refusal: z.string() });

const items = {
  message: z.looseObject({
    id: z.string().min(1),
    type: z.literal("message"),
    status,
    role: z.literal("assistant"),
    content: z.array(z.union([outputText, refusal])),
    phase: z.enum(["commentary", "final_answer"]).optional(),
  }),
  function_call: z.looseObject({
    id: z.string().min(1),
    type: z.literal("function_call"),
    call_id: z.string().min(1).max(64),
    name: z.string().min(1),
    arguments: z.string(),
    status,
  }),
  reasoning: z.looseObject({
    id: z.string().min(1),
    type: z.literal("reasoning"),
    summary: z.array(z.looseObject({ type: z.literal("summary_text"), text: z.string() })),
    content: z.array(z.looseObject({ type: z.literal("reasoning_text"), text: z.string() }))
      .optional(),
    encrypted_content: z.string().nullish(),
  }),
};

const item = z.discriminatedUnion("type", [items.message, items.function_call, items.reasoning]);

const count = z.int().min(0);

const usage = z.looseObject({
  input_tokens: count,
  input_tokens_details: z.looseObject({ cached_tokens: count }),
  output_tokens: count,
  output_tokens_details: z.looseObject({ reasoning_tokens: count }),
  total_tokens: count,
}).refine((used) => used.total_tokens === used.input_tokens + used.output_tokens);

const functionTool = z.looseObject({
  type: z.literal("function"),
  name: z.string(),
  description: z.string().nullable(),
  parameters: z.looseObject({}).nullable(),
  strict: z.boolean().nullable(),
});

const text = z.looseObject({
  format: z.looseObject({ type: z.enum(["text", "json_object", "json_schema"]) }),
  verbosity: z.enum(["low", "medium", "high"]).optional(),
});

/** An answer as `POST` and `GET` state it. Members that may be null must be present. */
export const responseSchema = z.looseObject({
  id: z.string().min(1),
  object: z.literal("response"),
  created_at: z.int(),
  completed_at: z.int().nullable(),
  status: z.enum(["queued", "in_progress", "completed", "incomplete", "failed", "cancelled"]),
  model: z.string(),
  output: z.array(item),
  error: z.looseObject({ code: z.string(), message: z.string() }).nullable(),
  incomplete_details: z.looseObject({ reason: z.string() }).nullable(),
  previous_response_id: z.string().nullable(),
  instructions: z.string().nullable(),
  metadata: z.record(z.string(), z.string()),
  parallel_tool_calls: z.boolean(),
  tools: z.array(functionTool),
  tool_choice: z.union([z.enum(["none", "auto", "required"]), z.looseObject({ type: z.string() })]),
  truncation: z.enum(["auto", "disabled"]),
  text,
  reasoning: z.looseObject({ effort: z.string().nullable(), summary: z.string().nullable() })
    .nullable(),
  temperature: z.number(),
  top_p: z.number(),
  presence_penalty: z.number(),
  frequency_penalty: z.number(),
  top_logprobs: z.int(),
  max_output_tokens: z.int().nullable(),
  max_tool_calls: z.int().nullable(),
  store: z.boolean(),
  background: z.boolean(),
  service_tier: z.string(),
  safety_identifier: z.string().nullable(),
  prompt_cache_key: z.string().nullable(),
  usage: usage.nullable(),
});

/** The answer of a compaction: items of the history that remain, and the capsule. */
export const compactionSchema = z.looseObject({
  id: z.string().min(1),
  object: z.literal("response.compaction"),
  created_at: z.int(),
  output: z.array(z.looseObject({ type: z.string() })),
  usage,
});

/** A frame that refuses a request over a WebSocket. */
export const errorFrameSchema = z.looseObject({
  type: z.literal("error"),
  status: z.int(),
  error: z.looseObject({ code: z.string().min(1), message: z.string().min(1) }),
});

/** An error's body. */
export const errorSchema = z.looseObject({
  error: z.looseObject({
    message: z.string().min(1),
    type: z.string().min(1),
    code: z.string().min(1),
    param: z.string().nullable(),
  }),
});

export type ResponseObject = z.infer<typeof responseSchema>;
export type OutputItem = z.infer<typeof item>;

/** Every event that a stream, or a WebSocket, may send. */
export const eventTypes: ReadonlySet<string> = new Set([
  "error",
  ...[
    ...["created", "queued", "in_progress", "completed", "failed", "incomplete"],
    ...["output_item.added", "output_item.done", "content_part.added", "content_part.done"],
    ...["output_text.delta", "output_text.done", "output_text.annotation.added"],
    ...["refusal.delta", "refusal.done", "reasoning.delta", "reasoning.done"],
    ...["reasoning_summary_part.added", "reasoning_summary_part.done"],
    ...["reasoning_summary_text.delta", "reasoning_summary_text.done"],
    ...["function_call_arguments.delta", "function_call_arguments.done"],
  ].map((name) => `response.${name}`),
]);
