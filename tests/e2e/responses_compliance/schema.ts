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

/** An answer as `POST` and `GET` state it. */
export const responseSchema = z.looseObject({
  id: z.string().min(1),
  object: z.literal("response"),
  created_at: z.int(),
  status: z.enum(["queued", "in_progress", "completed", "incomplete", "failed", "cancelled"]),
  model: z.string(),
  output: z.array(item),
  error: z.looseObject({ code: z.string(), message: z.string() }).nullable(),
  incomplete_details: z.looseObject({ reason: z.string() }).nullable(),
  instructions: z.string().nullable(),
  metadata: z.record(z.string(), z.string()).nullable(),
  parallel_tool_calls: z.boolean(),
  tools: z.array(z.looseObject({ type: z.string() })),
  usage: usage.nullable(),
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
