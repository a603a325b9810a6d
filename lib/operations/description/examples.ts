import {
  type CanonicalRequest,
  type FormatName,
  type JsonObject,
  noUsage,
} from "../../canonical/mod.ts";
import type { Codec } from "../../formats/codec.ts";

const model = "gpt-5-mini";
const prompt = "Write a haiku about Deno.";
const message = { role: "user", content: prompt };

/** The shortest useful request of each format. */
export const requestExamples: Readonly<Record<FormatName, JsonObject>> = {
  "chat-completions": { model, messages: [message] },
  responses: { model, input: prompt },
  messages: { model: "claude-haiku-4-5", max_tokens: 1024, messages: [message] },
  "generate-content": { contents: [{ parts: [{ text: prompt }] }] },
};

/** The answer to it, as the format's codec writes it. */
export function answerExample(codec: Codec): JsonObject {
  const asked = requestExamples[codec.name].model;
  const name = typeof asked === "string" ? asked : "gemini-2.5-flash";
  return codec.encodeResponse({
    id: "01K0000000000000000000000",
    model: name,
    alternatives: [{
      parts: [{ type: "text", text: "Small runtime wakes up" }],
      finishReason: "stop",
    }],
    usage: { ...noUsage, inputTokens: 14, outputTokens: 6 },
  }, {
    requestId: "req_01K0000000000000000000000",
    model: name,
    createdAtMs: Date.UTC(2026, 0, 31),
    request: requested(name),
  });
}

function requested(model: string): CanonicalRequest {
  return { model, stream: false, instructions: [], turns: [], tools: [], sampling: {}, limits: {} };
}
