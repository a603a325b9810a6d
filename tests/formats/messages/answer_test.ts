import { assert, assertEquals } from "@std/assert";
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
  totalInputTokens,
  totalOutputTokens,
  type Usage,
} from "../../../lib/canonical/mod.ts";
import { messages } from "../../../lib/formats/messages/mod.ts";
import { contextOf } from "../codec_suite.ts";
import { eventsOf, objectOf } from "./wire.ts";

const message = {
  id: "msg_1",
  type: "message",
  role: "assistant",
  model: "claude",
  content: [],
  stop_reason: "end_turn",
  stop_sequence: null,
  usage: { input_tokens: 1, output_tokens: 1 },
};
const requestId = "req_1";

/** Wire usage, its buckets, and the encoding of the same usage from another format. */
const usages: {
  name: string;
  wire: JsonObject;
  usage: Partial<Usage>;
  totals: [number, number];
}[] = [
  {
    name: "the worked example: cache and thinking",
    wire: {
      input_tokens: 100,
      cache_read_input_tokens: 900,
      cache_creation_input_tokens: 50,
      output_tokens: 40,
      output_tokens_details: { thinking_tokens: 10 },
    },
    usage: {
      inputTokens: 100,
      cacheReadTokens: 900,
      cacheWrite5mTokens: 50,
      outputTokens: 30,
      reasoningTokens: 10,
    },
    totals: [1050, 40],
  },
  {
    name: "writes by lifetime are not charged twice",
    wire: {
      input_tokens: 1,
      cache_creation_input_tokens: 30,
      cache_creation: { ephemeral_5m_input_tokens: 10, ephemeral_1h_input_tokens: 20 },
      output_tokens: 1,
    },
    usage: { inputTokens: 1, cacheWrite5mTokens: 10, cacheWrite1hTokens: 20, outputTokens: 1 },
    totals: [31, 1],
  },
  {
    name: "writes that the lifetimes do not add up to",
    wire: {
      cache_creation_input_tokens: 30,
      cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 20 },
    },
    usage: { cacheWrite5mTokens: 10, cacheWrite1hTokens: 20 },
    totals: [30, 0],
  },
  {
    name: "lifetimes without their sum",
    wire: { cache_creation: { ephemeral_5m_input_tokens: 4, ephemeral_1h_input_tokens: 5 } },
    usage: { cacheWrite5mTokens: 4, cacheWrite1hTokens: 5 },
    totals: [9, 0],
  },
  {
    name: "more thinking than output, and numbers that are none",
    wire: {
      input_tokens: -4,
      cache_read_input_tokens: "9",
      output_tokens: 5,
      output_tokens_details: { thinking_tokens: 50 },
    },
    usage: { reasoningTokens: 5 },
    totals: [0, 5],
  },
  {
    name: "calls of hosted tools",
    wire: { server_tool_use: { web_search_requests: 2, web_fetch_requests: 1 } },
    usage: { hostedToolCalls: { "web-search": 2, "url-fetch": 1 } },
    totals: [0, 0],
  },
];

for (const { name, wire, usage, totals } of usages) {
  Deno.test(`messages usage: ${name}`, () => {
    const { usage: decoded } = messages.decodeResponse({ ...message, usage: wire });
    assert(decoded);
    const { native: _, ...buckets } = decoded;
    assertEquals(buckets, { ...noUsage, ...usage });
    assertEquals([totalInputTokens(decoded), totalOutputTokens(decoded)], totals);
    const again = objectOf(encode({ usage: decoded }).usage);
    const sum = Number(again.input_tokens) + Number(again.cache_read_input_tokens) +
      Number(again.cache_creation_input_tokens);
    assertEquals([sum, again.output_tokens], totals);
    assertEquals(messages.usageReader.usage({ ...message, usage: wire }), decoded);
  });
}

/** Samplings state no details, so the thinking of the answer is known only in total. */
const thoughtSamplings: readonly {
  readonly name: string;
  readonly details: JsonObject;
  readonly iterations: readonly JsonObject[];
  readonly thinking: readonly number[];
}[] = [
  {
    name: "a compaction before the answer",
    details: { thinking_tokens: 40 },
    iterations: [
      { type: "compaction", input_tokens: 900, output_tokens: 70 },
      { type: "message", input_tokens: 100, output_tokens: 60 },
    ],
    thinking: [0, 40],
  },
  {
    name: "a hop of another model, whose output holds less than the thinking",
    details: { thinking_tokens: 40 },
    iterations: [
      { type: "message", model: "claude", input_tokens: 60, output_tokens: 30 },
      { type: "fallback_message", model: "other", input_tokens: 40, output_tokens: 30 },
    ],
    thinking: [10, 30],
  },
  {
    name: "samplings that state theirs",
    details: { thinking_tokens: 40 },
    iterations: [
      { type: "compaction", input_tokens: 900, output_tokens: 70 },
      {
        type: "message",
        input_tokens: 100,
        output_tokens: 60,
        output_tokens_details: { thinking_tokens: 40 },
      },
    ],
    thinking: [0, 40],
  },
];

for (const { name, details, iterations, thinking } of thoughtSamplings) {
  Deno.test(`messages usage: thinking beside iterations, ${name}`, () => {
    const counts = { input_tokens: 100, output_tokens: 60, output_tokens_details: details };
    const wire = { ...counts, iterations };
    const streamed = messages.usageReader.stream();
    streamed.push({ data: JSON.stringify({ type: "message_start", message: { usage: counts } }) });
    streamed.push({ data: JSON.stringify({ type: "message_delta", delta: {}, usage: wire }) });
    const { usage } = messages.decodeResponse({ ...message, usage: wire });
    assert(usage);
    assertEquals(streamed.result().usage, usage);
    assertEquals(usage.samplings?.map(({ tokens }) => tokens.reasoningTokens), thinking);
    assertEquals(usage.reasoningTokens, 40);
    assertEquals(totalOutputTokens(usage), sum(iterations.map((one) => one.output_tokens)));
    assertEquals(objectOf(encode({ usage }).usage).output_tokens_details, details);
  });
}

function sum(counts: readonly unknown[]): number {
  return counts.reduce<number>((total, count) => total + Number(count), 0);
}

Deno.test("messages usage: what another format counted, audio and images among it", () => {
  const usage = {
    ...noUsage,
    inputTokens: 5,
    audioInputTokens: 2,
    imageInputTokens: 10,
    outputTokens: 3,
    audioOutputTokens: 4,
    imageOutputTokens: 20,
  };
  assertEquals(encode({ usage: { ...usage, cacheWrite1hTokens: 6, reasoningTokens: 1 } }).usage, {
    input_tokens: 17,
    cache_creation_input_tokens: 6,
    cache_read_input_tokens: 0,
    cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 6 },
    output_tokens: 28,
    output_tokens_details: { thinking_tokens: 1 },
  });
});

const call = { type: "tool-call", id: "t", name: "f", arguments: "{}", kind: "function" } as const;

const reasons = {
  stop: "end_turn",
  "stop-sequence": "stop_sequence",
  "tool-calls": "tool_use",
  length: "max_tokens",
  "context-full": "model_context_window_exceeded",
  "content-filter": "refusal",
  refusal: "refusal",
  pause: "pause_turn",
  compaction: "compaction",
} as const satisfies Record<FinishReason, string>;

for (const finishReason of finishReasons) {
  Deno.test(`messages finish reason ${finishReason} both ways`, () => {
    const parts: Part[] = finishReason === "tool-calls" ? [call] : [];
    const ending = { finishReason, ...(finishReason === "stop-sequence" && { stopSequence: "X" }) };
    const wire = encode({ alternatives: [{ ...ending, parts }] });
    assertEquals(wire.stop_reason, reasons[finishReason]);
    assertEquals(wire.stop_sequence, ending.stopSequence ?? null);
    const [decoded] = messages.decodeResponse(wire).alternatives;
    assertEquals(
      decoded?.finishReason,
      finishReason === "refusal" ? "content-filter" : finishReason,
    );
  });
}

/** Reasons that depend on the parts. */
const decided: { name: string; finishReason: FinishReason; parts: Part[]; wire: string }[] = [
  { name: "a call makes a stop a tool use", finishReason: "stop", parts: [call], wire: "tool_use" },
  {
    name: "a call does not hide a limit",
    finishReason: "length",
    parts: [call],
    wire: "max_tokens",
  },
  { name: "no call, no tool use", finishReason: "tool-calls", parts: [], wire: "end_turn" },
  {
    name: "words that refuse make a stop a refusal",
    finishReason: "stop",
    parts: [{ type: "refusal", text: "no" }],
    wire: "refusal",
  },
  {
    name: "an unknown sequence is a plain end",
    finishReason: "stop-sequence",
    parts: [],
    wire: "end_turn",
  },
];

for (const { name, finishReason, parts, wire } of decided) {
  Deno.test(`messages finish reason: ${name}`, () => {
    assertEquals(encode({ alternatives: [{ finishReason, parts }] }).stop_reason, wire);
  });
}

Deno.test("messages finish reason: what only the vendor knows comes back, also why it refused", () => {
  const details = { type: "refusal", category: "bio", explanation: "because" };
  for (
    const wire of [
      { ...message, stop_reason: "future_reason" },
      { ...message, stop_reason: "refusal", stop_details: details },
    ]
  ) {
    assertEquals(encode(messages.decodeResponse(wire)).stop_reason, wire.stop_reason);
  }
  const refused = messages.decodeResponse({
    ...message,
    stop_reason: "refusal",
    stop_details: details,
  });
  assertEquals(refused.alternatives[0]?.parts.map((part) => part.type === "refusal" && part.text), [
    "because",
  ]);
  const wire = encode(refused);
  assertEquals([wire.stop_details, wire.content], [details, []]);
});

Deno.test("messages answer that is none is the upstream's fault", () => {
  for (const body of [null, 7, "x", [], {}, { content: "x" }, { content: null }]) {
    assertCode(() => messages.decodeResponse(body), "upstream_invalid_response");
  }
  const overloaded = { type: "error", error: { type: "overloaded_error", message: "m" } };
  assertCode(() => messages.decodeResponse(overloaded), "upstream_overloaded");
});

Deno.test("messages answer whose members are wild is read without a throw", () => {
  const wild = [null, 7, "x", [], {}, true];
  for (const value of wild) {
    const blocks = ["text", "thinking", "redacted_thinking", "tool_use", "image", "document"].map(
      (type) => ({ type, text: value, thinking: value, data: value, input: value, source: value }),
    );
    messages.decodeResponse({ ...message, content: [value, ...blocks], usage: value, id: value });
  }
});

const wireTypes: Partial<Record<ErrorCode, [number, string]>> = {
  invalid_request: [400, "invalid_request_error"],
  unsupported_parameter: [400, "invalid_request_error"],
  invalid_api_key: [401, "authentication_error"],
  insufficient_quota: [402, "billing_error"],
  model_not_allowed: [403, "permission_error"],
  model_not_found: [404, "not_found_error"],
  body_too_large: [413, "request_too_large"],
  rate_limit_exceeded: [429, "rate_limit_error"],
  internal_error: [500, "api_error"],
  upstream_unauthorized: [502, "api_error"],
  upstream_overloaded: [529, "overloaded_error"],
  compaction_failed: [529, "api_error"],
  no_upstream: [503, "overloaded_error"],
  upstream_timeout: [504, "timeout_error"],
};

// sound: the catalog's own keys
for (const code of Object.keys(errorCatalog) as ErrorCode[]) {
  Deno.test(`messages error ${code}`, () => {
    const error = new GatewayError(code, "Cannot do it", { retryAfterSeconds: 1.2, param: "p" });
    const { status, headers, body } = messages.encodeError(error, requestId);
    const wire = objectOf(objectOf(body as JsonObject).error);
    const [expectedStatus, type] = wireTypes[code] ?? [error.status, wire.type];
    assertEquals([status, wire.type], [expectedStatus, type]);
    assertEquals(objectOf(body as JsonObject).type, "error");
    assertEquals([wire.code, wire.request_id, wire.param], [code, requestId, "p"]);
    assertEquals(typeof wire.message, "string");
    assertEquals(headers["x-should-retry"], error.retryable ? undefined : "false");
    assertEquals(headers["retry-after"], "2");
    const [event] = messages.encodeStreamError(error, requestId);
    assertEquals([event?.event, JSON.parse(event?.data ?? "")], ["error", body]);
  });
}

/** An upstream's answer and its error code. */
const upstream: [number, unknown, ErrorCode][] = [
  [
    400,
    { type: "error", error: { type: "invalid_request_error", message: "no" } },
    "invalid_request",
  ],
  [
    400,
    {
      error: { type: "invalid_request_error", message: "prompt is too long: 2 tokens > 1 maximum" },
    },
    "context_length_exceeded",
  ],
  [
    400,
    { error: { message: "input length and `max_tokens` exceed context limit: 9 + 9 > 10" } },
    "context_length_exceeded",
  ],
  [400, { error: { message: "Your credit balance is too low" } }, "upstream_unauthorized"],
  [
    401,
    { error: { type: "authentication_error", message: "sk-ant-secret" } },
    "upstream_unauthorized",
  ],
  [402, {}, "upstream_unauthorized"],
  [403, "forbidden", "upstream_unauthorized"],
  [404, { error: { type: "not_found_error", message: "model: x" } }, "model_not_found"],
  [408, null, "upstream_timeout"],
  [409, [], "upstream_error"],
  [413, { error: { type: "request_too_large" } }, "body_too_large"],
  [422, { error: "wrong" }, "invalid_request"],
  [429, { error: { type: "rate_limit_error", message: "slow" } }, "rate_limit_exceeded"],
  [500, { error: { type: "api_error" } }, "upstream_error"],
  [500, { error: { type: "overloaded_error" } }, "upstream_overloaded"],
  [503, "<html>", "upstream_overloaded"],
  [504, 7, "upstream_timeout"],
  [529, { error: { type: "overloaded_error" } }, "upstream_overloaded"],
  [302, "", "upstream_invalid_response"],
];

for (const [status, body, code] of upstream) {
  Deno.test(`messages upstream error ${status} ${JSON.stringify(body)} is ${code}`, () => {
    const error = messages.decodeError({ status, headers: { "retry-after": "3" }, body });
    assertEquals([error.code, error.upstreamStatus, error.retryAfterSeconds], [code, status, 3]);
    assert(error.message !== "" && !error.message.includes("sk-ant"));
  });
}

Deno.test("messages upstream error: back-off in milliseconds, and none that cannot be read", () => {
  const read = (headers: Record<string, string>) =>
    messages.decodeError({ status: 429, headers, body: null }).retryAfterSeconds;
  assertEquals(read({ "retry-after-ms": "1500", "retry-after": "9" }), 1.5);
  assertEquals(read({ "retry-after": "Wed, 21 Oct 2026 07:28:00 GMT" }), undefined);
  assertEquals(read({ "retry-after": "-1" }), undefined);
  assertEquals(read({}), undefined);
});

/** An overflow in other vendors' messages, and in the form that agents of this format recognise. */
const overflows = [
  [
    "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens.",
    "prompt is too long: 9000 tokens > 8192 maximum",
  ],
  [
    "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
    "prompt is too long: 1200000 tokens > 1048576 maximum",
  ],
  ["prompt is too long: 3 tokens > 2 maximum", "prompt is too long: 3 tokens > 2 maximum"],
  [
    "Your input exceeds the context window",
    "prompt is too long: Your input exceeds the context window",
  ],
];

for (const [said, sent] of overflows) {
  Deno.test(`messages error: an overflow is said as "${sent}"`, () => {
    const { body } = messages.encodeError(
      new GatewayError("context_length_exceeded", said ?? ""),
      requestId,
    );
    assertEquals(objectOf(objectOf(body as JsonObject).error).message, sent);
  });
}

const start = { type: "message_start", message };
const end = {
  type: "message_delta",
  delta: { stop_reason: "end_turn" },
  usage: { output_tokens: 4 },
};

Deno.test("messages usage reader: the terminal event is message_stop, and usage is the last one", () => {
  const usageReader = messages.usageReader.stream();
  const stream = eventsOf([
    { type: "ping" },
    start,
    {
      type: "content_block_delta",
      index: 0,
      delta: { type: "text_delta", text: '"message_stop"' },
    },
    end,
    { type: "message_stop" },
  ]);
  assertEquals(stream.map((event) => usageReader.push(event)), [
    "open",
    "open",
    "open",
    "open",
    "terminal",
  ]);
  assertEquals(usageReader.result().outcome, "completed");
  assertEquals(usageReader.result().usage?.outputTokens, 4);
  assertEquals(usageReader.result().usage?.inputTokens, 1);
});

Deno.test("messages usage reader: events without a name are found, words in a text are not", () => {
  const usageReader = messages.usageReader.stream();
  const data = eventsOf([start, end]).map(({ data }) => ({ data }));
  for (const event of data) usageReader.push(event);
  const text = JSON.stringify({
    type: "content_block_delta",
    delta: { text: JSON.stringify({ type: "message_stop" }) },
  });
  assertEquals(usageReader.push({ data: text }), "open");
  assertEquals(usageReader.result().outcome, "open");
  assertEquals(usageReader.push({ data: '{"type":"message_stop"}' }), "terminal");
});

Deno.test("messages usage reader: an error fails the answer, a cut leaves it open", () => {
  const usageReader = messages.usageReader.stream();
  usageReader.push(eventsOf([start])[0] ?? { data: "" });
  assertEquals(usageReader.result().outcome, "open");
  const [error] = messages.encodeStreamError(new GatewayError("upstream_error", "m"), requestId);
  assert(error);
  assertEquals(usageReader.push(error), "terminal");
  assertEquals(usageReader.result().outcome, "failed");
  assertEquals(usageReader.result().error?.code, "upstream_error");
  assertEquals(
    usageReader.push({ event: "message_stop", data: '{"type":"message_stop"}' }),
    "open",
  );
  assertEquals(usageReader.result().outcome, "failed");
  assertEquals(messages.usageReader.stream().push({ event: "error", data: "{oops" }), "open");
});

function encode(response: Partial<CanonicalResponse>): JsonObject {
  const whole = {
    id: "x",
    model: "y",
    alternatives: [{ finishReason: "stop", parts: [] }],
    ...response,
  } as const;
  return messages.encodeResponse(whole, contextOf({}));
}

function assertCode(run: () => unknown, code: ErrorCode): void {
  try {
    run();
  } catch (error) {
    assert(error instanceof GatewayError, String(error));
    return assertEquals(error.code, code);
  }
  throw new Error(`nothing was thrown, not ${code}`);
}
