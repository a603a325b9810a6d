import { assertEquals } from "@std/assert";
import {
  collect,
  eventsOf,
  type FinishReason,
  type FormatName,
  formatNames,
  isJsonObject,
  type JsonObject,
} from "../../../lib/canonical/mod.ts";
import { codecs } from "../../../lib/formats/mod.ts";
import { assertValid, contextOf, decoded, encoded } from "../codec_suite.ts";

/**
 * Whole answers with each member that vendors have added since the summer of 2026: decoded, kept in
 * their own format, expressed in every other.
 */

interface Case {
  readonly name: string;
  readonly format: FormatName;
  readonly body: JsonObject;
  readonly finish: FinishReason;
  /** The text that every format shows. */
  readonly text: string;
}

const message = {
  id: "msg_1",
  type: "message",
  role: "assistant",
  status: "completed",
  content: [{ type: "output_text", text: "Hi", annotations: [], logprobs: [] }],
};

function ofResponses(name: string, more: JsonObject, finish: FinishReason = "stop"): Case {
  const usage = { input_tokens: 10, output_tokens: 5, total_tokens: 15 };
  const head = { id: "resp_1", object: "response", created_at: 1, model: "m", status: "completed" };
  const body = { ...head, output: [message], usage, ...more };
  return { name, format: "responses", body, finish, text: "Hi" };
}

function ended(reason: string): JsonObject {
  return { status: "incomplete", incomplete_details: { reason } };
}

function ofMessages(
  name: string,
  more: JsonObject,
  { finish = "stop", text = "Hi" }: { finish?: FinishReason; text?: string } = {},
): Case {
  const usage = { input_tokens: 10, output_tokens: 5 };
  const head = { id: "msg_1", type: "message", role: "assistant", model: "m" };
  const end = { stop_reason: "end_turn", stop_sequence: null };
  const body = { ...head, content: [{ type: "text", text: "Hi" }], ...end, usage, ...more };
  return { name, format: "messages", body, finish, text };
}

const finishReasons: Readonly<Record<string, FinishReason>> = {
  FINISH_REASON_UNSPECIFIED: "stop",
  STOP: "stop",
  MAX_TOKENS: "length",
  SAFETY: "content-filter",
  RECITATION: "content-filter",
  LANGUAGE: "content-filter",
  OTHER: "stop",
  BLOCKLIST: "content-filter",
  PROHIBITED_CONTENT: "content-filter",
  SPII: "content-filter",
  MALFORMED_FUNCTION_CALL: "stop",
  IMAGE_SAFETY: "content-filter",
  UNEXPECTED_TOOL_CALL: "stop",
  TOO_MANY_TOOL_CALLS: "stop",
  IMAGE_PROHIBITED_CONTENT: "content-filter",
  NO_IMAGE: "stop",
  IMAGE_RECITATION: "content-filter",
  IMAGE_OTHER: "content-filter",
  MODEL_ARMOR: "content-filter",
  ESCALATION: "content-filter",
  PUP_LIMITED_DISABLED: "content-filter",
  CONTINUATION: "length",
  MALFORMED_RESPONSE: "stop",
  MISSING_THOUGHT_SIGNATURE: "stop",
  A_REASON_OF_TOMORROW: "stop",
};

function ofContents([reason, finish]: [string, FinishReason]): Case {
  const candidate = {
    content: { role: "model", parts: [{ text: "Hi" }] },
    finishReason: reason,
    index: 0,
  };
  const usageMetadata = {
    promptTokenCount: 10,
    initialPromptTokenCount: 4,
    candidatesTokenCount: 5,
    totalTokenCount: 15,
  };
  const body = { candidates: [candidate], usageMetadata, modelVersion: "m", responseId: "r" };
  return { name: `ended by ${reason}`, format: "generate-content", body, finish, text: "Hi" };
}

const mcpCall = {
  id: "mcp_1",
  type: "mcp_call",
  name: "find",
  server_label: "wiki",
  arguments: "{}",
};
const fallback = {
  type: "fallback",
  from: { model: "m" },
  to: { model: "n" },
  trigger: { type: "refusal", category: "cyber" },
};

const cases: readonly Case[] = [
  ofResponses("ended by max_messages", ended("max_messages"), "length"),
  ofResponses("ended by steered", ended("steered")),
  ofResponses("ended by a reason of tomorrow", ended("tired"), "length"),
  ofResponses("with a status of tomorrow", { status: "resting" }),
  ofResponses("with diagnostics and transformations", {
    prompt_cache_options: { mode: "explicit", ttl: "12h", comparison_response_id: "resp_0" },
    prompt_cache_diagnostics: {
      type: "cache_miss",
      reason: "tools_changed",
      cache_missed_tokens: 9,
    },
    input_transformations: [
      { id: "rs_4", type: "reasoning", action: "removed", reason: "organization_mismatch" },
    ],
    tool_usage: { web_search: { num_requests: 2 } },
    service_tier: "fast",
  }),
  ofResponses("with a call of an MCP server that failed", {
    output: [
      { ...mcpCall, error: { type: "mcp_protocol_error", code: -32600, message: "no" } },
      { ...mcpCall, id: "mcp_2", error: { type: "http_error", code: 503, message: "no" } },
      { ...mcpCall, id: "mcp_3", error: "as before" },
      message,
    ],
  }),
  ofResponses("with items of tomorrow", { output: [{ id: "q_1", type: "quantum" }, message] }),
  ofMessages("with a fallback of models", {
    content: [{ type: "text", text: "I" }, fallback, { type: "text", text: " can" }],
  }, { text: "I can" }),
  ofMessages("with transformations, diagnostics and a container", {
    input_transformations: [{ type: "thinking_mismatch_allowed", path: "messages.1", reason: "x" }],
    diagnostics: { cache_miss_reason: { type: "tools_changed" } },
    container: { id: "container_1", expires_at: "2026-11-23T00:00:00Z" },
  }),
  ofMessages("ended by a full context", { stop_reason: "model_context_window_exceeded" }, {
    finish: "context-full",
  }),
  ofMessages("ended by a compaction", { stop_reason: "compaction" }, { finish: "compaction" }),
  ofMessages("ended by a reason of tomorrow", { stop_reason: "tired" }),
  ...Object.entries(finishReasons).map(ofContents),
];

function textOf(parts: ReturnType<typeof collect>["alternatives"][0]["parts"]): string {
  return parts.flatMap((part) => part.type === "text" ? [part.text] : []).join("");
}

/** Members that an encoder derives itself. */
const derived = ["usage", "usageMetadata", "output", "content", "candidates", "stop_details"];

for (const { name, format, body, finish, text } of cases) {
  const answer = () => codecs[format].decodeResponse(body);

  Deno.test(`${format}: an answer ${name} is read`, () => {
    const [first] = answer().alternatives;
    assertEquals([first.finishReason, textOf(first.parts)], [finish, text]);
  });

  Deno.test(`${format}: an answer ${name} keeps its members in its own format`, () => {
    const again = codecs[format].encodeResponse(answer(), contextOf({}));
    const kept = JSON.parse(JSON.stringify(again));
    for (const [member, value] of Object.entries(body)) {
      if (!derived.includes(member)) assertEquals(kept[member], value, member);
    }
    const blocks = [body.output, body.content].find(Array.isArray) ?? [];
    const written = [kept.output, kept.content].find(Array.isArray) ?? [];
    for (const block of blocks.filter(isJsonObject)) {
      if (block.type === "message" || block.type === "text") continue;
      assertEquals(written.some((one: unknown) => sameJson(one, block)), true, String(block.type));
    }
  });

  for (const to of formatNames) {
    Deno.test(`${format}: an answer ${name} reaches callers of ${to}, whole and streamed`, () => {
      const whole = codecs[to].encodeResponse(answer(), contextOf({}));
      const stream = encoded(codecs[to], eventsOf(answer()), contextOf({}));
      assertValid(codecs[to], stream);
      for (const one of [codecs[to].decodeResponse(whole), collect(decoded(codecs[to], stream))]) {
        assertEquals(textOf(one.alternatives[0].parts), text);
        assertEquals(one.usage?.outputTokens, 5);
      }
    });
  }
}

function sameJson(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
