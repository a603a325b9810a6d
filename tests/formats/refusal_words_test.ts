import { assert, assertEquals } from "@std/assert";
import { GatewayError, type JsonObject } from "../../lib/canonical/mod.ts";
import { codecs } from "../../lib/formats/mod.ts";
import { assertRelayable, relayedEndpoints } from "../../lib/formats/relayed/mod.ts";
import type { WireRequest } from "../../lib/formats/wire.ts";

/** Terms of the validation library that mean nothing to a caller. */
const foreignWords =
  /Invalid (input|option|string|key|element)|expected|received|Unrecognized|Too (small|big)|nan\b|ZodError|zod/i;

const png = "iVBORw0KGgo=";
const schema = { type: "object", properties: { city: { type: "string" } } };
const requests: Readonly<Record<keyof typeof codecs, Omit<WireRequest, "headers" | "search">>> = {
  "chat-completions": {
    path: "/chat/completions",
    body: {
      model: "m",
      messages: [
        { role: "system", content: "s" },
        {
          role: "user",
          content: [
            { type: "text", text: "t" },
            {
              type: "image_url",
              image_url: { url: `data:image/png;base64,${png}`, detail: "low" },
            },
            { type: "input_audio", input_audio: { data: png, format: "wav" } },
            { type: "file", file: { file_data: png, filename: "a.pdf" } },
          ],
        },
        {
          role: "assistant",
          content: null,
          tool_calls: [{ id: "c", type: "function", function: { name: "f", arguments: "{}" } }],
        },
        { role: "tool", tool_call_id: "c", content: "r" },
      ],
      tools: [{ type: "function", function: { name: "f", description: "d", parameters: schema } }],
      tool_choice: { type: "function", function: { name: "f" } },
      response_format: { type: "json_schema", json_schema: { name: "n", schema, strict: true } },
      stop: ["x"],
      max_tokens: 9,
      temperature: 1,
      top_p: 1,
      n: 1,
      seed: 1,
      logprobs: true,
      top_logprobs: 1,
      stream: true,
      stream_options: { include_usage: true },
      reasoning_effort: "low",
      metadata: { a: "b" },
      parallel_tool_calls: true,
      user: "u",
    },
  },
  responses: {
    path: "/responses",
    body: {
      model: "m",
      instructions: "i",
      input: [
        { role: "user", content: [{ type: "input_text", text: "t" }] },
        { type: "function_call", call_id: "c", name: "f", arguments: "{}" },
        { type: "function_call_output", call_id: "c", output: "r" },
        { type: "reasoning", id: "r", summary: [{ type: "summary_text", text: "s" }] },
      ],
      tools: [{ type: "function", name: "f", parameters: schema, strict: false }],
      tool_choice: { type: "function", name: "f" },
      text: { format: { type: "json_schema", name: "n", schema }, verbosity: "low" },
      reasoning: { effort: "low", summary: "auto" },
      max_output_tokens: 9,
      include: ["reasoning.encrypted_content"],
      metadata: { a: "b" },
      store: false,
      stream: true,
      truncation: "auto",
      temperature: 1,
    },
  },
  messages: {
    path: "/v1/messages",
    body: {
      model: "m",
      max_tokens: 9,
      system: [{ type: "text", text: "s", cache_control: { type: "ephemeral", ttl: "1h" } }],
      messages: [
        {
          role: "user",
          content: [
            { type: "text", text: "t" },
            { type: "image", source: { type: "base64", media_type: "image/png", data: png } },
          ],
        },
        {
          role: "assistant",
          content: [
            { type: "thinking", thinking: "t", signature: "s" },
            { type: "tool_use", id: "c", name: "f", input: {} },
          ],
        },
        { role: "user", content: [{ type: "tool_result", tool_use_id: "c", content: "r" }] },
      ],
      tools: [{ name: "f", description: "d", input_schema: schema }],
      tool_choice: { type: "tool", name: "f" },
      thinking: { type: "enabled", budget_tokens: 1024 },
      stop_sequences: ["x"],
      temperature: 1,
      top_k: 1,
      stream: true,
      metadata: { user_id: "u" },
    },
  },
  "generate-content": {
    path: "/models/m:generateContent",
    body: {
      contents: [
        {
          role: "user",
          parts: [{ text: "t" }, { inlineData: { mimeType: "image/png", data: png } }],
        },
        { role: "model", parts: [{ functionCall: { id: "c", name: "f", args: {} } }] },
        { role: "user", parts: [{ functionResponse: { id: "c", name: "f", response: {} } }] },
      ],
      systemInstruction: { parts: [{ text: "s" }] },
      tools: [{ functionDeclarations: [{ name: "f", description: "d", parameters: schema }] }],
      toolConfig: { functionCallingConfig: { mode: "ANY", allowedFunctionNames: ["f"] } },
      generationConfig: {
        maxOutputTokens: 9,
        temperature: 1,
        stopSequences: ["x"],
        responseMimeType: "application/json",
        responseSchema: schema,
        thinkingConfig: { includeThoughts: true, thinkingBudget: 9 },
      },
    },
  },
};

const relayed: Readonly<Record<string, JsonObject>> = {
  embed: { model: "m", input: ["a"], dimensions: 3, encoding_format: "float", user: "u" },
  complete: { model: "m", prompt: ["a"], max_tokens: 9, n: 1, best_of: 1, stream: true },
  "generate-image": { model: "m", prompt: "p", n: 1, size: "auto", stream: true },
  "edit-image": { model: "m", prompt: "p", n: 1, image: ["x"] },
  speak: { model: "m", input: "i", voice: "v", speed: 1, stream_format: "sse" },
  transcribe: { model: "m", file: {}, stream: true, response_format: "json" },
  translate: { model: "m", file: {}, response_format: "json" },
  moderate: { model: "m", input: ["a"] },
  rerank: { model: "m", query: "q", documents: ["a"], top_n: 1 },
  decide: { model: "m", input: ["a"], questions: [{ type: "predicate" }] },
};

const wrongValues = [null, 1, -1.5, "x", "", true, [], {}, [1], [null], [{ type: "nonsense" }], {
  type: "nonsense",
}];

/** Copies of a body, each without one member or with a wrong value for it. */
function* spoiled(value: unknown): Generator<unknown> {
  yield* wrongValues;
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      for (const other of spoiled(item)) yield value.with(index, other);
    }
  } else if (typeof value === "object" && value !== null) {
    for (const [name, member] of Object.entries(value)) {
      const { [name]: _, ...rest } = value as JsonObject; // an object, as checked above
      yield rest;
      for (const other of spoiled(member)) yield { ...rest, [name]: other };
    }
  }
}

/** The messages of a reader's refusals. */
function refusals(body: JsonObject, read: (body: JsonObject) => void): string[] {
  const messages = new Set<string>();
  for (const other of spoiled(body)) {
    if (typeof other !== "object" || other === null || Array.isArray(other)) continue;
    try {
      read(other as JsonObject); // an object, as checked above
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error;
      messages.add(error.message);
    }
  }
  return [...messages];
}

for (const codec of Object.values(codecs)) {
  const { path, body } = requests[codec.name];
  Deno.test(`refusal words: ${codec.name} says what a member must be in words of the gateway`, () => {
    const messages = refusals(body, (body) => {
      const wire = { path, body, search: {}, headers: {} };
      codec.envelope(wire);
      codec.decodeRequest(wire);
    });
    assert(messages.length > 20, `${messages.length}`);
    assertEquals(messages.filter((message) => foreignWords.test(message)), []);
  });
}

for (const endpoint of relayedEndpoints) {
  Deno.test(`refusal words: ${endpoint.path} says what a member must be in words of the gateway`, () => {
    const messages = refusals(
      relayed[endpoint.operation],
      (body) => assertRelayable(endpoint, body),
    );
    assert(messages.length > 0);
    assertEquals(messages.filter((message) => foreignWords.test(message)), []);
  });
}
