import { assert, assertEquals } from "@std/assert";
import { GatewayError, type JsonObject, type Usage } from "../../../lib/canonical/mod.ts";
import { responses } from "../../../lib/formats/responses/mod.ts";
import { contextOf } from "../codec_suite.ts";
import { call, hello, message, usage } from "./wire.ts";

const noContext = contextOf({});

const usages: readonly { name: string; wire: JsonObject; expected: Partial<Usage> }[] = [
  {
    name: "cached, written and reasoning tokens in disjoint buckets",
    wire: {
      input_tokens: 1050,
      input_tokens_details: { cached_tokens: 900, cache_write_tokens: 50 },
      output_tokens: 40,
      output_tokens_details: { reasoning_tokens: 10 },
      total_tokens: 1090,
    },
    expected: {
      inputTokens: 100,
      cacheReadTokens: 900,
      cacheWrite5mTokens: 50,
      outputTokens: 30,
      reasoningTokens: 10,
    },
  },
  {
    name: "no details",
    wire: { input_tokens: 3, output_tokens: 4 },
    expected: { inputTokens: 3, outputTokens: 4 },
  },
  {
    name: "audio and images",
    wire: {
      input_tokens: 100,
      input_tokens_details: {
        cached_tokens: 10,
        cache_write_tokens: 0,
        audio_tokens: 20,
        image_tokens: 30,
      },
      output_tokens: 50,
      output_tokens_details: { reasoning_tokens: 5, audio_tokens: 6, image_tokens: 7 },
      total_tokens: 150,
    },
    expected: {
      inputTokens: 40,
      cacheReadTokens: 10,
      audioInputTokens: 20,
      imageInputTokens: 30,
      outputTokens: 32,
      reasoningTokens: 5,
      audioOutputTokens: 6,
      imageOutputTokens: 7,
    },
  },
  {
    name: "more cached than there was",
    wire: {
      input_tokens: 3,
      input_tokens_details: { cached_tokens: 9 },
      output_tokens: 4,
      output_tokens_details: { reasoning_tokens: 9 },
    },
    expected: { cacheReadTokens: 3, reasoningTokens: 4 },
  },
  {
    name: "values that are no counts",
    wire: {
      input_tokens: "3",
      output_tokens: -4,
      input_tokens_details: null,
      output_tokens_details: [],
    },
    expected: {},
  },
];

const none: Usage = {
  inputTokens: 0,
  cacheReadTokens: 0,
  cacheWrite5mTokens: 0,
  cacheWrite1hTokens: 0,
  audioInputTokens: 0,
  imageInputTokens: 0,
  outputTokens: 0,
  reasoningTokens: 0,
  audioOutputTokens: 0,
  imageOutputTokens: 0,
  cacheWrite12hTokens: 0,
  hostedToolCalls: {},
};

for (const { name, wire, expected } of usages) {
  Deno.test(`decodeResponse reads usage: ${name}`, () => {
    assertEquals(responses.decodeResponse({ output: [], usage: wire }).usage, {
      ...none,
      ...expected,
    });
  });
}

Deno.test("encodeResponse states usage with totals and both details", () => {
  const answer = {
    id: "u",
    model: "u",
    alternatives: [{ finishReason: "stop" as const, parts: [] }],
  };
  const stated = {
    ...none,
    inputTokens: 100,
    cacheReadTokens: 900,
    cacheWrite5mTokens: 20,
    cacheWrite1hTokens: 30,
    outputTokens: 30,
    reasoningTokens: 10,
  };
  assertEquals(
    responses.encodeResponse({ ...answer, usage: stated }, noContext).usage,
    usages[0].wire,
  );
  const media = responses.decodeResponse({ output: [], usage: usages[2].wire }).usage;
  assertEquals(
    responses.encodeResponse({ ...answer, usage: media }, noContext).usage,
    usages[2].wire,
  );
  assertEquals(responses.encodeResponse(answer, noContext).usage, {
    input_tokens: 0,
    input_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
    output_tokens: 0,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: 0,
  });
});

Deno.test("decodeResponse counts searches as the vendor bills them", () => {
  const search = (action?: JsonObject) => ({
    type: "web_search_call",
    id: "ws",
    ...(action && { action }),
  });
  const output = [search(), search({ type: "search" }), search({ type: "open_page" }), {
    type: "code_interpreter_call",
    id: "ci",
  }, { type: "constructor" }];
  const counted = (more: JsonObject) =>
    responses.decodeResponse({ output, usage, ...more }).usage?.hostedToolCalls;
  assertEquals(counted({}), { "web-search": 2, "code-execution": 1 });
  assertEquals(counted({ tool_usage: { web_search: { num_requests: 7 } } }), {
    "web-search": 7,
    "code-execution": 1,
  });
});

const endings = [
  { body: { status: "completed", output: [] }, reason: "stop" },
  { body: { status: "completed", output: [hello, call("a", "{}")] }, reason: "tool-calls" },
  {
    body: {
      status: "completed",
      output: [{ ...message, content: [{ type: "refusal", refusal: "no" }] }],
    },
    reason: "refusal",
  },
  {
    body: {
      status: "incomplete",
      incomplete_details: { reason: "max_output_tokens" },
      output: [call("a", "{")],
    },
    reason: "length",
  },
  {
    body: { status: "incomplete", incomplete_details: { reason: "content_filter" }, output: [] },
    reason: "content-filter",
  },
  {
    body: { status: "incomplete", incomplete_details: { reason: "max_messages" }, output: [] },
    reason: "length",
  },
  {
    body: { status: "incomplete", incomplete_details: { reason: "steered" }, output: [] },
    reason: "stop",
  },
  { body: { status: "incomplete", output: [] }, reason: "length" },
  { body: { output: [{ type: "reasoning", summary: [] }] }, reason: "stop" },
] as const;

for (const { body, reason } of endings) {
  Deno.test(`decodeResponse reads ${reason} from ${JSON.stringify(body).slice(0, 80)}`, () => {
    assertEquals(responses.decodeResponse(body).alternatives[0].finishReason, reason);
  });
}

const finishes = [
  { reason: "stop", status: "completed", why: null },
  { reason: "stop-sequence", status: "completed", why: null },
  { reason: "tool-calls", status: "completed", why: null },
  { reason: "length", status: "incomplete", why: { reason: "max_output_tokens" } },
  { reason: "context-full", status: "incomplete", why: { reason: "max_output_tokens" } },
  { reason: "content-filter", status: "incomplete", why: { reason: "content_filter" } },
  { reason: "refusal", status: "incomplete", why: { reason: "content_filter" } },
  { reason: "pause", status: "completed", why: null },
  { reason: "compaction", status: "completed", why: null },
] as const;

for (const { reason, status, why } of finishes) {
  Deno.test(`encodeResponse writes ${reason}`, () => {
    const answer = { id: "u", model: "u", alternatives: [{ finishReason: reason, parts: [] }] };
    const body = responses.encodeResponse(answer, noContext);
    assertEquals([body.status, body.incomplete_details], [status, why]);
  });
}

Deno.test("encodeResponse writes a refusal with words as completed", () => {
  const answer = {
    id: "u",
    model: "u",
    alternatives: [{
      finishReason: "refusal" as const,
      parts: [{ type: "refusal" as const, text: "no" }],
    }],
  };
  assertEquals(responses.encodeResponse(answer, noContext).status, "completed");
});

for (const body of [null, [], "x", 7, {}, { output: {} }, { output: null }]) {
  Deno.test(`decodeResponse refuses ${JSON.stringify(body)}`, () => {
    assertEquals(codeOf(() => responses.decodeResponse(body)), "upstream_invalid_response");
  });
}

Deno.test("decodeResponse throws the error of a failed answer", () => {
  const body = { status: "failed", error: { code: "server_error", message: "m" }, output: [] };
  assertEquals(codeOf(() => responses.decodeResponse(body)), "upstream_error");
  assertEquals(
    codeOf(() => responses.decodeResponse({ status: "cancelled", output: [] })),
    "upstream_error",
  );
});

function codeOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (error instanceof GatewayError) return error.code;
    throw error;
  }
  return "nothing was thrown";
}

const upstreamErrors = [
  {
    status: 400,
    body: { error: { code: null, message: "bad", param: "input" } },
    code: "invalid_request",
  },
  {
    status: 400,
    body: { error: { code: "context_length_exceeded", message: "long" } },
    code: "context_length_exceeded",
  },
  {
    status: 400,
    body: { error: { message: "exceeds the context window" } },
    code: "context_length_exceeded",
  },
  {
    status: 400,
    body: { error: { code: "unsupported_parameter", message: "no" } },
    code: "unsupported_parameter",
  },
  {
    status: 401,
    body: { error: { code: "invalid_api_key", message: "sk-secret" } },
    code: "upstream_unauthorized",
  },
  { status: 402, body: "", code: "rate_limit_exceeded" },
  { status: 403, body: {}, code: "upstream_unauthorized" },
  {
    status: 404,
    body: { error: { code: "model_not_found", message: "m" } },
    code: "model_not_found",
  },
  { status: 408, body: null, code: "upstream_timeout" },
  { status: 413, body: [], code: "body_too_large" },
  { status: 422, body: { detail: "bad" }, code: "invalid_request" },
  {
    status: 429,
    body: { error: { code: "insufficient_quota", message: "q" } },
    code: "rate_limit_exceeded",
  },
  { status: 429, body: { error: "slow" }, code: "rate_limit_exceeded" },
  { status: 500, body: "<html>", code: "upstream_error" },
  { status: 502, body: { message: "m" }, code: "upstream_error" },
  { status: 503, body: {}, code: "upstream_overloaded" },
  { status: 504, body: {}, code: "upstream_timeout" },
  { status: 529, body: {}, code: "upstream_overloaded" },
  { status: 302, body: {}, code: "upstream_invalid_response" },
] as const;

for (const { status, body, code } of upstreamErrors) {
  Deno.test(`decodeError reads ${status} ${JSON.stringify(body)} as ${code}`, () => {
    const error = responses.decodeError({ status, headers: {}, body });
    assertEquals([error.code, error.upstreamStatus], [code, status]);
    assert(error.message !== "" && !error.message.includes("sk-"));
  });
}

Deno.test("decodeError reads how long to wait", () => {
  const seconds = (headers: Record<string, string>, message = "") =>
    responses.decodeError({ status: 429, headers, body: { error: { message } } }).retryAfterSeconds;
  assertEquals(seconds({ "retry-after": "7" }), 7);
  assertEquals(seconds({ "retry-after-ms": "1500", "retry-after": "7" }), 1.5);
  assertEquals(seconds({}, "Please try again in 20ms."), 0.02);
  assertEquals(seconds({ "retry-after": "Wed, 21 Oct 2026 07:28:00 GMT" }), undefined);
});

Deno.test("encodeError writes strings, the request's id and what to do next", () => {
  const wire = responses.encodeError(
    new GatewayError("invalid_api_key", "The API key is incorrect"),
    "req_1",
  );
  assertEquals(wire, {
    status: 401,
    headers: { "x-should-retry": "false" },
    body: {
      error: {
        message: "The API key is incorrect",
        type: "authentication_error",
        code: "invalid_api_key",
        param: null,
        request_id: "req_1",
      },
    },
  });
  const limited = responses.encodeError(
    new GatewayError("rate_limit_exceeded", "Slow down", { retryAfterSeconds: 1.2 }),
    "req_1",
  );
  assertEquals([limited.status, limited.headers], [429, { "retry-after": "2" }]);
});
