import { assert, assertEquals, assertThrows } from "@std/assert";
import {
  type CanonicalResponse,
  errorCatalog,
  type ErrorCode,
  type FinishReason,
  finishReasons,
  GatewayError,
  type JsonObject,
  noUsage,
  type Part,
  type Usage,
} from "../../../lib/canonical/mod.ts";
import { chatCompletions } from "../../../lib/formats/chat_completions/mod.ts";
import { contextOf } from "../codec_suite.ts";

function choice(message: JsonObject, besides: JsonObject = {}): JsonObject {
  return {
    index: 0,
    message: { role: "assistant", ...message },
    finish_reason: "stop",
    ...besides,
  };
}

function decode(...choices: JsonObject[]): CanonicalResponse {
  return chatCompletions.decodeResponse({ id: "x", model: "m", created: 1, choices });
}

function encode(parts: readonly Part[], finishReason: FinishReason = "stop", changes = {}) {
  const response = {
    id: "msg_1",
    model: "up",
    alternatives: [{ parts, finishReason }],
    ...changes,
  };
  const body = chatCompletions.encodeResponse(response, contextOf({}));
  const [{ message, finish_reason }] = body.choices as unknown as {
    message: JsonObject;
    finish_reason: string;
  }[];
  return { body, message, reason: finish_reason };
}

const usages: Record<string, [JsonObject, Partial<Usage>]> = {
  "the oracle of all formats": [
    {
      prompt_tokens: 1050,
      completion_tokens: 40,
      total_tokens: 1090,
      prompt_tokens_details: { cached_tokens: 900, audio_tokens: 0, cache_write_tokens: 50 },
      completion_tokens_details: {
        reasoning_tokens: 10,
        audio_tokens: 0,
        accepted_prediction_tokens: 0,
        rejected_prediction_tokens: 0,
      },
    },
    {
      inputTokens: 100,
      cacheReadTokens: 900,
      cacheWrite5mTokens: 50,
      outputTokens: 30,
      reasoningTokens: 10,
    },
  ],
  "audio and prediction tokens": [
    {
      prompt_tokens: 10,
      completion_tokens: 20,
      total_tokens: 30,
      prompt_tokens_details: { cached_tokens: 0, audio_tokens: 4 },
      completion_tokens_details: {
        reasoning_tokens: 0,
        audio_tokens: 5,
        accepted_prediction_tokens: 2,
        rejected_prediction_tokens: 1,
      },
    },
    { inputTokens: 6, audioInputTokens: 4, outputTokens: 15, audioOutputTokens: 5 },
  ],
  "image tokens": [
    {
      prompt_tokens: 100,
      completion_tokens: 50,
      total_tokens: 150,
      prompt_tokens_details: { cached_tokens: 10, audio_tokens: 0, image_tokens: 60 },
      completion_tokens_details: {
        reasoning_tokens: 5,
        audio_tokens: 0,
        image_tokens: 40,
        accepted_prediction_tokens: 0,
        rejected_prediction_tokens: 0,
      },
    },
    {
      inputTokens: 30,
      cacheReadTokens: 10,
      imageInputTokens: 60,
      outputTokens: 5,
      reasoningTokens: 5,
      imageOutputTokens: 40,
    },
  ],
  "a written zero of images": [
    {
      prompt_tokens: 3,
      completion_tokens: 4,
      total_tokens: 7,
      prompt_tokens_details: { cached_tokens: 0, audio_tokens: 0, image_tokens: 0 },
      completion_tokens_details: {
        reasoning_tokens: 0,
        audio_tokens: 0,
        image_tokens: 0,
        accepted_prediction_tokens: 0,
        rejected_prediction_tokens: 0,
      },
    },
    { inputTokens: 3, outputTokens: 4 },
  ],
};

for (const [name, [wire, buckets]] of Object.entries(usages)) {
  Deno.test(`chat-completions usage: ${name}`, () => {
    const { usage } = chatCompletions.decodeResponse({
      choices: [choice({ content: "x" })],
      usage: wire,
    });
    const { native: _, ...counted } = usage ?? noUsage;
    assertEquals(counted, { ...noUsage, ...buckets });
    assertEquals(encode([], "stop", { usage }).body.usage, wire);
  });
}

const counted: Record<string, [JsonObject, Partial<Usage>]> = {
  "reasoning that only the total has": [
    {
      prompt_tokens: 10,
      completion_tokens: 5,
      total_tokens: 115,
      completion_tokens_details: { reasoning_tokens: 100 },
    },
    { inputTokens: 10, outputTokens: 5, reasoningTokens: 100 },
  ],
  "cache hits by a vendor's own name": [
    { prompt_tokens: 10, completion_tokens: 5, prompt_cache_hit_tokens: 8 },
    { inputTokens: 2, cacheReadTokens: 8, outputTokens: 5 },
  ],
  "subsets larger than their total": [
    { prompt_tokens: 10, prompt_tokens_details: { cached_tokens: 8, audio_tokens: 9 } },
    { cacheReadTokens: 8, audioInputTokens: 2 },
  ],
  "a cache beside the prompt": [
    { prompt_tokens: 10, prompt_tokens_details: { cached_tokens: 50, audio_tokens: 9 } },
    { cacheReadTokens: 50, audioInputTokens: 9, inputTokens: 1 },
  ],
  "images that the cache served are not counted again": [
    { prompt_tokens: 100, prompt_tokens_details: { cached_tokens: 80, image_tokens: 60 } },
    { cacheReadTokens: 80, imageInputTokens: 20 },
  ],
  "counts that are none": [
    { prompt_tokens: "7", completion_tokens: -3, total_tokens: null, prompt_tokens_details: [] },
    {},
  ],
};

for (const [name, [wire, buckets]] of Object.entries(counted)) {
  Deno.test(`chat-completions usage: ${name}`, () => {
    const { native: _, ...usage } = chatCompletions.usageReader.usage({ usage: wire }) ?? noUsage;
    assertEquals(usage, { ...noUsage, ...buckets });
  });
}

Deno.test("chat-completions usage: both lifetimes of cache writes are one number", () => {
  const usage = { ...noUsage, cacheWrite5mTokens: 3, cacheWrite1hTokens: 4 };
  const wire = encode([], "stop", { usage }).body.usage as JsonObject;
  assertEquals(wire.prompt_tokens, 7);
  assertEquals((wire.prompt_tokens_details as JsonObject).cache_write_tokens, 7);
});

const decodedReasons: [string | null, JsonObject, FinishReason][] = [
  ["stop", { content: "x" }, "stop"],
  ["length", { content: "x" }, "length"],
  ["content_filter", { content: null }, "content-filter"],
  ["tool_calls", { tool_calls: [call("a")] }, "tool-calls"],
  ["stop", { tool_calls: [call("a")] }, "tool-calls"],
  ["length", { tool_calls: [call("a")] }, "length"],
  ["tool_calls", { content: "no call" }, "stop"],
  ["function_call", { function_call: { name: "f", arguments: "" } }, "tool-calls"],
  ["stop", { content: null, refusal: "No." }, "refusal"],
  ["model_length", { content: "x" }, "context-full"],
  ["eos", { content: "x" }, "stop"],
  ["nonsense", { content: "x" }, "stop"],
  [null, { content: "x" }, "stop"],
];

for (const [wire, message, reason] of decodedReasons) {
  Deno.test(`chat-completions finish: ${wire} with ${Object.keys(message)} is ${reason}`, () => {
    const [ending] = decode(choice(message, { finish_reason: wire })).alternatives;
    assertEquals(ending.finishReason, reason);
  });
}

const wireReasons: Record<FinishReason, string> = {
  stop: "stop",
  "stop-sequence": "stop",
  "tool-calls": "tool_calls",
  length: "length",
  "context-full": "length",
  "content-filter": "content_filter",
  refusal: "stop",
  pause: "stop",
  compaction: "stop",
};

for (const reason of finishReasons) {
  Deno.test(`chat-completions finish: ${reason} is ${wireReasons[reason]}`, () => {
    assertEquals(encode([], reason).reason, wireReasons[reason]);
  });
}

Deno.test("chat-completions finish: a stop sequence that an upstream names", () => {
  const [ending] = decode(choice({ content: "x" }, { stop_reason: "END" })).alternatives;
  assertEquals([ending.finishReason, ending.stopSequence], ["stop-sequence", "END"]);
});

Deno.test("chat-completions finish: a call overrides a plain stop", () => {
  const parts = [{
    type: "tool-call",
    id: "a",
    name: "f",
    arguments: "",
    kind: "function",
  }] as const;
  const { message, reason } = encode(parts);
  assertEquals([message.content, reason], [null, "tool_calls"]);
  assertEquals(message.tool_calls, [call("a")]);
});

function call(id: string): JsonObject {
  return { id, type: "function", function: { name: "f", arguments: "{}" } };
}

Deno.test("chat-completions answer: keys that the SDK needs are always there", () => {
  const { body, message } = encode([]);
  assertEquals(message, { role: "assistant", content: "", refusal: null });
  assertEquals(body.object, "chat.completion");
  assertEquals((body.choices as JsonObject[])[0].logprobs, null);
});

Deno.test("chat-completions answer: texts are joined and their citations move along", () => {
  const cite = (url: string, start: number, end: number) => ({ url, title: "t", start, end });
  const { message } = encode([
    { type: "text", text: "One. ", citations: [cite("https://a.test", 0, 3)] },
    {
      type: "text",
      text: "Two.",
      citations: [cite("https://b.test", 0, 3), { quote: "no address" }],
    },
  ]);
  assertEquals(message.content, "One. Two.");
  const places = (message.annotations as { url_citation: JsonObject }[]).map(({ url_citation }) =>
    url_citation.start_index
  );
  assertEquals(places, [0, 5]);
});

Deno.test("chat-completions answer: reasoning is shown and its proof sealed", () => {
  const { message } = encode([
    {
      type: "reasoning",
      text: "hm",
      visibility: "raw",
      continuation: { issuer: "messages", data: "sig" },
    },
    {
      type: "reasoning",
      text: "",
      visibility: "redacted",
      continuation: { issuer: "messages", data: "red" },
    },
    { type: "text", text: "x" },
  ]);
  assertEquals(message.reasoning_content, "hm");
  const body = { model: "m", messages: [{ role: "user", content: "q" }, message] };
  const { turns } = chatCompletions.decodeRequest({ path: "", search: {}, headers: {}, body });
  assertEquals(turns[1].parts.map((part) => [part.type, part.continuation?.data]), [
    ["reasoning", "sig"],
    ["reasoning", "red"],
    ["text", undefined],
  ]);
});

Deno.test("chat-completions answer: audio, images and refusals", () => {
  const { message } = encode([
    { type: "refusal", text: "No." },
    { type: "audio", source: { type: "base64", data: "AA" }, transcript: "x" },
    { type: "image", source: { type: "base64", data: "BB" }, mediaType: "image/png" },
    { type: "image", source: { type: "file-id", id: "f", format: "responses" } },
  ]);
  assertEquals(message.refusal, "No.");
  assertEquals((message.audio as JsonObject).data, "AA");
  assertEquals(message.images, [
    { type: "image_url", image_url: { url: "data:image/png;base64,BB" } },
  ]);
});

Deno.test("chat-completions answer: parts that another vendor sends in content", () => {
  const content = [{ type: "thinking", thinking: [{ type: "text", text: "hm" }] }, {
    type: "text",
    text: "yes",
  }];
  const [{ parts }] = decode(choice({ content })).alternatives;
  assertEquals(parts.map(({ type }) => type), ["reasoning", "text"]);
});

const notAnswers: [unknown, ErrorCode][] = [
  [null, "upstream_invalid_response"],
  ["<html>", "upstream_invalid_response"],
  [[], "upstream_invalid_response"],
  [{}, "upstream_invalid_response"],
  [{ choices: [] }, "upstream_invalid_response"],
  [{ choices: [null] }, "upstream_invalid_response"],
  [{ choices: [{ message: "x" }] }, "upstream_invalid_response"],
  [{ error: { message: "Busy", code: 429 } }, "rate_limit_exceeded"],
  [{ choices: [{ error: { message: "No", code: 502 } }] }, "upstream_error"],
  [{ choices: [choice({ content: "" }, { finish_reason: "error" })] }, "upstream_error"],
];

for (const [body, code] of notAnswers) {
  Deno.test(`chat-completions answer refuses ${JSON.stringify(body).slice(0, 60)}`, () => {
    const error = assertThrows(() => chatCompletions.decodeResponse(body), GatewayError);
    assertEquals(error.code, code);
  });
}

Deno.test("chat-completions answer survives hostile members", () => {
  const hostile = [null, 0, "", true, [], [null], {}, { x: [null] }];
  const names = "content refusal tool_calls function_call annotations audio images " +
    "reasoning_content reasoning_details thinking_blocks extra_content later";
  for (const name of names.split(" ")) {
    for (const value of hostile) {
      const response = decode(choice({ content: "x", [name]: value }, { logprobs: value }));
      chatCompletions.encodeResponse(response, contextOf({}));
    }
  }
});

for (const code of Object.keys(errorCatalog) as ErrorCode[]) {
  Deno.test(`chat-completions error: ${code} has its status, type, code and request id`, () => {
    const error = new GatewayError(code, "Cannot do it", { retryAfterSeconds: 1.2, param: "x" });
    const { status, headers, body } = chatCompletions.encodeError(error, "req_1");
    const { error: wire } = body as { error: JsonObject };
    assertEquals(status, errorCatalog[code].status);
    assertEquals([wire.code, wire.message, wire.request_id], [code, "Cannot do it", "req_1"]);
    assertEquals([typeof wire.type, wire.param, headers["retry-after"]], ["string", "x", "2"]);
    assertEquals(headers["x-should-retry"], error.retryable ? undefined : "false");
  });
}

Deno.test("chat-completions error: a bad key is an authentication error", () => {
  const { status, body } = chatCompletions.encodeError(
    new GatewayError("invalid_api_key", "x"),
    "r",
  );
  assertEquals([status, (body as { error: JsonObject }).error.type], [401, "authentication_error"]);
});

const upstreamErrors: [number, unknown, ErrorCode][] = [
  [
    400,
    { error: { message: "Bad", type: "invalid_request_error", code: null } },
    "invalid_request",
  ],
  [400, { error: { message: "x", code: "context_length_exceeded" } }, "context_length_exceeded"],
  [400, { error: "This model's maximum context length is 9" }, "context_length_exceeded"],
  [400, { error: { message: "x", code: "unsupported_parameter" } }, "unsupported_parameter"],
  [
    401,
    { error: { message: "Incorrect API key sk-abc", code: "invalid_api_key" } },
    "upstream_unauthorized",
  ],
  [402, { error: { message: "Pay" } }, "rate_limit_exceeded"],
  [403, "Forbidden", "upstream_unauthorized"],
  [404, { detail: "Not found" }, "model_not_found"],
  [408, "", "upstream_timeout"],
  [409, {}, "upstream_error"],
  [413, null, "body_too_large"],
  [418, [], "invalid_request"],
  [422, { detail: [{ loc: ["x"] }] }, "invalid_request"],
  [429, { error: { message: "x", type: "tokens" } }, "rate_limit_exceeded"],
  [429, { error: { message: "x", code: "insufficient_quota" } }, "rate_limit_exceeded"],
  [500, { error: { message: "x", type: "invalid_request_error" } }, "upstream_error"],
  [502, "<html>", "upstream_error"],
  [503, "", "upstream_overloaded"],
  [504, "", "upstream_timeout"],
  [529, "", "upstream_overloaded"],
];

for (const [status, body, code] of upstreamErrors) {
  Deno.test(`chat-completions error: ${status} ${JSON.stringify(body).slice(0, 40)} is ${code}`, () => {
    const error = chatCompletions.decodeError({ status, headers: {}, body });
    assertEquals([error.code, error.upstreamStatus], [code, status]);
    assert(error.message !== "" && !error.message.includes("sk-abc"));
  });
}

Deno.test("chat-completions error: waits are read from headers and from words", () => {
  const wait = (headers: Record<string, string>, message = "") =>
    chatCompletions.decodeError({ status: 429, headers, body: { error: { message } } })
      .retryAfterSeconds;
  assertEquals(wait({ "retry-after": "3" }), 3);
  assertEquals(wait({ "retry-after": "3", "retry-after-ms": "1500" }), 1.5);
  assertEquals(wait({}, "Please try again in 20ms."), 0.02);
  assertEquals(wait({ "retry-after": "Wed, 21 Oct 2026 07:28:00 GMT" }), undefined);
});

Deno.test("chat-completions usage reader: an error ends the stream as failed", () => {
  const usageReader = chatCompletions.usageReader.stream();
  assertEquals(
    usageReader.push({ data: '{"choices":[{"delta":{"content":"an \\"error\\""}}]}' }),
    "open",
  );
  assertEquals(usageReader.push({ data: '{"error":{"message":"Busy","code":503}}' }), "terminal");
  assertEquals([usageReader.result().outcome, usageReader.result().error?.code], [
    "failed",
    "upstream_overloaded",
  ]);
  usageReader.push({ data: "[DONE]" });
  assertEquals(usageReader.result().outcome, "failed");
});

Deno.test("chat-completions usage reader: malformed events are ignored", () => {
  const usageReader = chatCompletions.usageReader.stream();
  for (const data of ["", "{", '"error"', 'x "usage":{', "null", "[1]"]) usageReader.push({ data });
  assertEquals(usageReader.result(), { outcome: "open" });
});

Deno.test("chat-completions metered stream: usage is requested once, and hidden from callers that did not request it", () => {
  const metered = chatCompletions.meteredStream;
  assert(metered);
  assertEquals(metered.members({ stream: true, stream_options: { include_obfuscation: false } }), {
    stream_options: { include_obfuscation: false, include_usage: true },
  });
  assertEquals(
    metered.members({ stream: true, stream_options: { include_usage: true } }),
    undefined,
  );
  assertEquals(metered.members({ stream: false }), undefined);
  const extra = [
    '{"choices":[],"usage":{"total_tokens":1}}',
    '{"choices":[{"index":0}],"usage":{"total_tokens":1}}',
    '{"choices":[],"usage":null}',
    "[DONE]",
  ].map((data) => metered.isExtra({ data }));
  assertEquals(extra, [true, false, false, false]);
});
