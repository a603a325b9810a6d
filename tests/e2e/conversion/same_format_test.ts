import { assertEquals } from "@std/assert";
import type { FormatName, JsonObject } from "../../../lib/canonical/mod.ts";
import { newFields } from "../../formats/requests/fields.ts";
import { chatAnswer, messagesAnswer } from "../../formats/whole_answer.ts";
import { startUpstream } from "../fake_upstream.ts";
import { oneUpstream, startGateway, testKey } from "../gateway.ts";

/**
 * Requests, answers and streams with every new field, through a gateway to an upstream of their own
 * format: byte for byte.
 */

/** The bulk of real requests: a history of some 60 KB, spelled with spaces and escapes. */
const ballast = Array.from(
  { length: 600 },
  (_, line) => `${line}: \u00e9t\u00e9 \\ "quoted" \ud83d\ude80 `.repeat(2),
)
  .join("\n");

interface Exchange {
  readonly format: FormatName;
  readonly path: string;
  /** Members beside those of the table that a request of the format needs. */
  readonly base: JsonObject;
  readonly answer: JsonObject;
  readonly stream: readonly (readonly [event: string | undefined, data: JsonObject | string])[];
  /** The member that says that the answer is to be streamed. */
  readonly streamed: JsonObject;
}

const responsesUsage = {
  input_tokens: 6000,
  input_tokens_details: {
    cached_tokens: 512,
    cache_write_tokens: 5120,
    cache_write_tokens_details: { ttl_30m_tokens: 1024, ttl_12h_tokens: 4096 },
  },
  output_tokens: 90,
  output_tokens_details: { reasoning_tokens: 40 },
  total_tokens: 6090,
};

const responsesAnswer: JsonObject = {
  id: "resp_1",
  object: "response",
  created_at: 1_763_800_000,
  model: "m",
  status: "incomplete",
  incomplete_details: { reason: "max_messages" },
  error: null,
  store: false,
  output: [
    {
      id: "mcp_1",
      type: "mcp_call",
      name: "find",
      server_label: "wiki",
      arguments: "{}",
      error: { type: "http_error", code: 503, message: "no" },
    },
    { id: "q_1", type: "quantum", state: "both" },
    {
      id: "msg_1",
      type: "message",
      role: "assistant",
      status: "completed",
      content: [{ type: "output_text", text: "Hi", annotations: [], logprobs: [] }],
    },
  ],
  prompt_cache_options: { mode: "explicit", ttl: "12h", comparison_response_id: "resp_0" },
  prompt_cache_diagnostics: {
    type: "cache_miss",
    reason: "tools_changed",
    cache_missed_tokens: 5120,
    comparison_reusable_tokens: 512,
  },
  service_tier: "priority",
  usage: responsesUsage,
  tool_usage: {
    image_gen: { input_tokens: 0, output_tokens: 0, total_tokens: 0 },
    web_search: { num_requests: 2 },
  },
  input_transformations: [
    { id: "rs_4", type: "reasoning", action: "removed", reason: "organization_mismatch" },
  ],
};

const numbered = (events: readonly JsonObject[]) =>
  events.map((event, at) =>
    [String(event.type), { ...event, sequence_number: at, obfuscation: "x9" }] as const
  );

const messagesUsage = {
  input_tokens: 120,
  output_tokens: 60,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
  cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 0 },
  service_tier: "standard",
  speed: "standard",
  inference_geo: "us",
  output_tokens_details: { thinking_tokens: 0 },
  iterations: [
    { type: "message", model: "m", input_tokens: 100, output_tokens: 5 },
    { type: "fallback_message", model: "n", input_tokens: 120, output_tokens: 60 },
  ],
  fallback_credit: { type: "not_applied", reason: "expired", remove_to_redeem: true },
};

const fallbackBlock = {
  type: "fallback",
  from: { model: "m" },
  to: { model: "n" },
  trigger: { type: "refusal", category: "cyber" },
};

const transformed = messagesAnswer({
  content: [{ type: "text", text: "I" }, fallbackBlock, { type: "text", text: "can" }],
  stop_reason: "model_context_window_exceeded",
  usage: messagesUsage,
  diagnostics: { cache_miss_reason: { type: "tools_changed" } },
  input_transformations: [
    { type: "thinking_dropped", path: "messages.1.content.0", reason: "model_binding_mismatch" },
  ],
  container: { id: "container_1", expires_at: "2026-11-23T00:00:00Z" },
});

const chunk = { id: "c", object: "chat.completion.chunk", created: 1, model: "m" };
const chatUsage = {
  prompt_tokens: 10,
  completion_tokens: 5,
  total_tokens: 15,
  prompt_tokens_details: { text_tokens: 6, image_tokens: 4, cached_tokens: 0 },
  completion_tokens_details: { text_tokens: 5 },
};

const candidate = (finishReason: string) => ({
  candidates: [{
    content: { role: "model", parts: [{ text: "Hi" }, { quantum: {} }] },
    finishReason,
    index: 0,
  }],
  usageMetadata: {
    promptTokenCount: 10,
    initialPromptTokenCount: 4,
    candidatesTokenCount: 5,
    totalTokenCount: 15,
    serviceTier: "flex",
  },
  modelVersion: "m",
  responseId: "r1",
});

const exchanges: readonly Exchange[] = [
  {
    format: "responses",
    path: "/v1/responses",
    base: {
      model: "m",
      store: false,
      include: ["reasoning.encrypted_content"],
      instructions: ballast,
    },
    streamed: { stream: true },
    answer: responsesAnswer,
    stream: numbered([
      {
        type: "response.created",
        response: { ...responsesAnswer, status: "in_progress", output: [] },
      },
      { type: "response.compaction.compacting", output_index: 0, item_id: "cmp_1" },
      { type: "response.shell_call_command.delta", output_index: 0, command_index: 0, delta: "ls" },
      { type: "response.quantum.flip", output_index: 0 },
      {
        type: "response.function_call_arguments.done",
        output_index: 1,
        item_id: "f",
        arguments: "{}",
      },
      { type: "response.incomplete", response: responsesAnswer },
    ]),
  },
  {
    format: "chat-completions",
    path: "/v1/chat/completions",
    base: {
      model: "m",
      messages: [{ role: "user", content: ballast }],
      stream_options: { include_usage: true, include_obfuscation: true },
    },
    streamed: { stream: true },
    answer: chatAnswer({ content: "Hi" }, {
      usage: chatUsage,
      metadata: { run: "1" },
      service_tier: "fast",
    }),
    stream: [
      [undefined, {
        ...chunk,
        choices: [{
          index: 0,
          delta: {
            tool_calls: [{
              index: 0,
              id: "call_1",
              type: "custom",
              custom: { name: "patch", input: "*** Be" },
            }],
          },
        }],
        obfuscation: "k1",
      }],
      [undefined, {
        ...chunk,
        choices: [{ index: 0, delta: { tool_calls: [{ index: 0, custom: { input: "gin" } }] } }],
      }],
      [undefined, { ...chunk, choices: [{ index: 0, delta: {}, finish_reason: "tool_calls" }] }],
      [undefined, { ...chunk, choices: [], usage: chatUsage, metadata: { run: "1" } }],
      [undefined, "[DONE]"],
    ],
  },
  {
    format: "messages",
    path: "/v1/messages",
    base: { model: "m", max_tokens: 100, system: ballast },
    streamed: { stream: true },
    answer: transformed,
    stream: [
      ["message_start", {
        type: "message_start",
        message: { ...transformed, content: [], stop_reason: null },
      }],
      ["content_block_start", {
        type: "content_block_start",
        index: 0,
        content_block: fallbackBlock,
      }],
      ["content_block_stop", { type: "content_block_stop", index: 0 }],
      ["quantum", { type: "quantum", index: 0 }],
      ["message_delta", {
        type: "message_delta",
        delta: { stop_reason: "a_reason_of_tomorrow", stop_sequence: null },
        usage: messagesUsage,
      }],
      ["message_stop", { type: "message_stop" }],
    ],
  },
  {
    format: "generate-content",
    path: "/v1beta/models/m",
    base: { systemInstruction: { parts: [{ text: ballast }] } },
    streamed: {},
    answer: candidate("MALFORMED_RESPONSE"),
    stream: [[undefined, candidate("CONTINUATION")]],
  },
];

/** Spelled as no `JSON.stringify` spells it, so that a body that was read and written again shows. */
function spelled(body: JsonObject): string {
  return JSON.stringify(body, undefined, 1).replaceAll("é", "\\u00e9").replace(
    /\}$/,
    ' , "tail" :1.0}',
  );
}

function sse(events: Exchange["stream"]): string {
  return events.map(([event, data]) =>
    `${event === undefined ? "" : `event: ${event}\n`}data: ${
      typeof data === "string" ? data : JSON.stringify(data)
    }\n\n`
  ).join("");
}

const keys: Readonly<Record<string, string>> = {
  authorization: `Bearer ${testKey}`,
  "content-type": "application/json",
  "anthropic-version": "2026-10-21",
  "anthropic-beta": "message-threads-2026-08-12,a-beta-of-tomorrow",
};

for (const { format, path, base, answer, stream, streamed } of exchanges) {
  const verb = (name: string) => format === "generate-content" ? `:${name}` : "";
  const bodies = newFields.filter((field) => field.format === format).map(({ name, wire }) => ({
    name,
    body: { ...wire.body, ...base, ...(wire.body.model !== undefined && { model: "m" }) },
  }));

  Deno.test(`${format}: requests with new fields reach an upstream of the format byte for byte`, async () => {
    await using upstream = startUpstream(() => Response.json(answer));
    await using gateway = await startGateway(oneUpstream({ [format]: upstream.base }));
    for (const { name, body } of bodies) {
      const text = spelled(body);
      const url = `${gateway.base}${path}${verb("generateContent")}`;
      const called = await fetch(url, { method: "POST", headers: keys, body: text });
      const said = await called.text();
      assertEquals(called.status, 200, `${name}: ${said}`);
      assertEquals(upstream.seen.at(-1)?.body === text, true, `${name} went out otherwise`);
      assertEquals(said, JSON.stringify(answer), name);
    }
    const { headers } = upstream.seen[0];
    if (format === "messages") {
      assertEquals(headers.get("anthropic-version"), keys["anthropic-version"]);
      assertEquals(headers.get("anthropic-beta"), keys["anthropic-beta"]);
    }
  });

  Deno.test(`${format}: a stream with new events reaches the caller byte for byte`, async () => {
    const type = { "content-type": "text/event-stream" };
    await using upstream = startUpstream(() => new Response(sse(stream), { headers: type }));
    await using gateway = await startGateway(oneUpstream({ [format]: upstream.base }));
    const [{ body }] = bodies;
    const url = `${gateway.base}${path}${verb("streamGenerateContent?alt=sse")}`;
    const text = spelled({ ...body, ...streamed });
    const called = await fetch(url, { method: "POST", headers: keys, body: text });
    assertEquals(await called.text(), sse(stream));
    assertEquals(upstream.seen[0].body === text, true, "the request went out otherwise");
  });
}
