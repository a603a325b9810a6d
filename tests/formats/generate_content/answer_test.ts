import { assert, assertEquals, assertThrows } from "@std/assert";
import {
  type CanonicalEvent,
  type CanonicalResponse,
  collect,
  errorCatalog,
  type ErrorCode,
  eventsOf,
  type FinishReason,
  finishReasons,
  GatewayError,
  type JsonObject,
  noUsage,
  type Part,
  sealContinuation,
  type Usage,
} from "../../../lib/canonical/mod.ts";
import { generateContent } from "../../../lib/formats/generate_content/mod.ts";
import type { ServerSentEvent } from "../../../lib/formats/wire.ts";
import { threadCpuTimeMs } from "../../cpu_time.ts";
import { assertLaws, assertValid, contextOf, decoded, encoded } from "../codec_suite.ts";
import { streamValidators } from "../validators/mod.ts";

const context = contextOf({ model: "the-model" });

function chunk(parts: readonly JsonObject[], rest: JsonObject = {}): JsonObject {
  return {
    candidates: [{ content: { role: "model", parts }, index: 0, ...rest }],
    responseId: "r",
  };
}

function events(chunks: readonly (JsonObject | string)[]): ServerSentEvent[] {
  return chunks.map((one) => ({ data: typeof one === "string" ? one : JSON.stringify(one) }));
}

function streamed(...chunks: readonly (JsonObject | string)[]): CanonicalEvent[] {
  const canonical = decoded(generateContent, events(chunks));
  assertLaws(canonical);
  return canonical;
}

function partsOf(...chunks: readonly JsonObject[]): readonly Part[] {
  return collect(streamed(...chunks)).alternatives[0].parts;
}

const stop = { finishReason: "STOP" };

/** An answer from another format's codec. */
function answer(parts: readonly Part[], finishReason: FinishReason = "stop"): CanonicalResponse {
  return { id: "x", model: "upstream-name", alternatives: [{ parts, finishReason }] };
}

/** The wire parts that a client has at the end, from the whole answer and from the stream. */
function written(parts: readonly Part[], finishReason?: FinishReason) {
  const response = answer(parts, finishReason);
  const whole = generateContent.encodeResponse(response, context);
  const chunks = encoded(generateContent, eventsOf(response), context);
  assertValid(generateContent, chunks);
  return {
    whole: candidateOf(whole),
    chunks: chunks.map(({ data }) => candidateOf(JSON.parse(data))),
  };
}

function candidateOf(body: JsonObject): JsonObject {
  const [candidate] = body.candidates as readonly JsonObject[]; // sound: the caller expects one
  return JSON.parse(JSON.stringify(candidate));
}

const usages: readonly {
  readonly name: string;
  readonly wire: JsonObject;
  readonly usage: Usage;
}[] = [
  {
    name: "nothing but text",
    wire: { promptTokenCount: 9, candidatesTokenCount: 5, totalTokenCount: 14 },
    usage: { ...noUsage, inputTokens: 9, outputTokens: 5 },
  },
  {
    name: "cache and thoughts",
    wire: {
      promptTokenCount: 1050,
      cachedContentTokenCount: 900,
      candidatesTokenCount: 30,
      thoughtsTokenCount: 10,
      totalTokenCount: 1090,
    },
    usage: {
      ...noUsage,
      inputTokens: 150,
      cacheReadTokens: 900,
      outputTokens: 30,
      reasoningTokens: 10,
    },
  },
  {
    name: "results of hosted tools",
    wire: {
      promptTokenCount: 4,
      toolUsePromptTokenCount: 110,
      candidatesTokenCount: 43,
      thoughtsTokenCount: 628,
      totalTokenCount: 785,
    },
    usage: {
      ...noUsage,
      inputTokens: 114,
      outputTokens: 43,
      reasoningTokens: 628,
      native: { format: "generate-content", fields: { toolUsePromptTokenCount: 110 } },
    },
  },
  {
    name: "audio",
    wire: {
      promptTokenCount: 20,
      promptTokensDetails: [{ modality: "TEXT", tokenCount: 8 }, {
        modality: "AUDIO",
        tokenCount: 12,
      }],
      candidatesTokenCount: 7,
      candidatesTokensDetails: [{ modality: "AUDIO", tokenCount: 7 }],
      totalTokenCount: 27,
    },
    usage: {
      ...noUsage,
      inputTokens: 8,
      audioInputTokens: 12,
      audioOutputTokens: 7,
      native: {
        format: "generate-content",
        fields: {
          promptTokensDetails: [
            { modality: "TEXT", tokenCount: 8 },
            { modality: "AUDIO", tokenCount: 12 },
          ],
          candidatesTokensDetails: [{ modality: "AUDIO", tokenCount: 7 }],
        },
      },
    },
  },
  {
    name: "images",
    wire: {
      promptTokenCount: 273,
      promptTokensDetails: [
        { modality: "TEXT", tokenCount: 15 },
        { modality: "IMAGE", tokenCount: 258 },
      ],
      candidatesTokenCount: 1290,
      candidatesTokensDetails: [{ modality: "IMAGE", tokenCount: 1290 }],
      totalTokenCount: 1563,
    },
    usage: {
      ...noUsage,
      inputTokens: 15,
      imageInputTokens: 258,
      imageOutputTokens: 1290,
      native: {
        format: "generate-content",
        fields: {
          promptTokensDetails: [
            { modality: "TEXT", tokenCount: 15 },
            { modality: "IMAGE", tokenCount: 258 },
          ],
          candidatesTokensDetails: [{ modality: "IMAGE", tokenCount: 1290 }],
        },
      },
    },
  },
];
for (const { name, wire, usage } of usages) {
  Deno.test(`usage both ways: ${name}`, () => {
    const body = { ...chunk([{ text: "a" }], stop), usageMetadata: wire };
    const response = generateContent.decodeResponse(body);
    assertEquals(response.usage, usage);
    const { usageMetadata } = generateContent.encodeResponse(response, context);
    assertEquals(
      JSON.parse(JSON.stringify({ candidatesTokenCount: 0, ...usageMetadata as JsonObject })),
      wire,
    ); // sound: an object
  });
}

Deno.test("usage of another format: cache writes are part of the prompt", () => {
  const usage: Usage = {
    ...noUsage,
    inputTokens: 100,
    cacheReadTokens: 900,
    cacheWrite5mTokens: 30,
    cacheWrite1hTokens: 20,
    outputTokens: 30,
    reasoningTokens: 10,
  };
  const { usageMetadata } = generateContent.encodeResponse({ ...answer([]), usage }, context);
  assertEquals(usageMetadata, {
    promptTokenCount: 1050,
    cachedContentTokenCount: 900,
    candidatesTokenCount: 30,
    thoughtsTokenCount: 10,
    totalTokenCount: 1090,
  });
});

Deno.test("usage of another format states audio and images by modality", () => {
  const usage: Usage = {
    ...noUsage,
    inputTokens: 5,
    cacheReadTokens: 10,
    audioInputTokens: 20,
    imageInputTokens: 30,
    outputTokens: 4,
    reasoningTokens: 3,
    imageOutputTokens: 50,
  };
  const { usageMetadata } = generateContent.encodeResponse({ ...answer([]), usage }, context);
  assertEquals(usageMetadata, {
    promptTokensDetails: [
      { modality: "TEXT", tokenCount: 15 },
      { modality: "AUDIO", tokenCount: 20 },
      { modality: "IMAGE", tokenCount: 30 },
    ],
    candidatesTokensDetails: [
      { modality: "TEXT", tokenCount: 4 },
      { modality: "IMAGE", tokenCount: 50 },
    ],
    promptTokenCount: 65,
    cachedContentTokenCount: 10,
    candidatesTokenCount: 54,
    thoughtsTokenCount: 3,
    totalTokenCount: 122,
  });
  const again = generateContent.usageReader.usage({ ...chunk([]), usageMetadata });
  const { native: _, ...buckets } = again ?? noUsage;
  assertEquals(buckets, usage);
});

Deno.test("usage of nonsense is never negative nor more than it says", () => {
  const usageMetadata = {
    promptTokenCount: "12",
    cachedContentTokenCount: 99,
    candidatesTokenCount: -4,
    thoughtsTokenCount: 1.7,
    promptTokensDetails: [{ modality: "AUDIO", tokenCount: 50 }, null],
  };
  const usage = generateContent.usageReader.usage({ ...chunk([]), usageMetadata });
  assertEquals([usage?.inputTokens, usage?.cacheReadTokens, usage?.audioInputTokens], [0, 12, 0]);
  assertEquals([usage?.outputTokens, usage?.reasoningTokens], [0, 1]);
  assertEquals(generateContent.usageReader.usage({ usageMetadata: 3 }), undefined);
});

Deno.test("usage replaces, and hosted tools are counted once", () => {
  const grounding = { groundingMetadata: { webSearchQueries: ["a", "b"] } };
  const canonical = streamed(
    { ...chunk([{ text: "a" }]), usageMetadata: { promptTokenCount: 108 } },
    {
      ...chunk([{ executableCode: { code: "1" } }], grounding),
      usageMetadata: { promptTokenCount: 109 },
    },
    { ...chunk([{ text: "b" }], { ...stop, ...grounding }) },
    { usageMetadata: { promptTokenCount: 150, candidatesTokenCount: 19 } },
  );
  const { usage } = collect(canonical);
  assertEquals([usage?.inputTokens, usage?.outputTokens], [150, 19]);
  assertEquals(usage?.hostedToolCalls, { "web-search": 2, "code-execution": 1 });
});

const reasons: readonly (readonly [string, FinishReason])[] = [
  ["STOP", "stop"],
  ["MAX_TOKENS", "length"],
  ["CONTINUATION", "length"],
  ["SAFETY", "content-filter"],
  ["RECITATION", "content-filter"],
  ["LANGUAGE", "content-filter"],
  ["BLOCKLIST", "content-filter"],
  ["PROHIBITED_CONTENT", "content-filter"],
  ["SPII", "content-filter"],
  ["IMAGE_SAFETY", "content-filter"],
  ["IMAGE_PROHIBITED_CONTENT", "content-filter"],
  ["IMAGE_RECITATION", "content-filter"],
  ["IMAGE_OTHER", "content-filter"],
  ["MODEL_ARMOR", "content-filter"],
  ["ESCALATION", "content-filter"],
  ["PUP_LIMITED_DISABLED", "content-filter"],
  ["OTHER", "stop"],
  ["NO_IMAGE", "stop"],
  ["BRAND_NEW", "stop"],
  ["MALFORMED_FUNCTION_CALL", "stop"],
];
for (const [wire, canonical] of reasons) {
  Deno.test(`finishReason ${wire} is ${canonical} and comes back`, () => {
    const response = generateContent.decodeResponse(chunk([{ text: "a" }], { finishReason: wire }));
    assertEquals(response.alternatives[0].finishReason, canonical);
    const body = generateContent.encodeResponse(response, context);
    assertEquals(candidateOf(body).finishReason, wire);
  });
}

for (
  const wire of [
    "MALFORMED_FUNCTION_CALL",
    "MALFORMED_RESPONSE",
    "UNEXPECTED_TOOL_CALL",
    "TOO_MANY_TOOL_CALLS",
    "MISSING_THOUGHT_SIGNATURE",
  ]
) {
  Deno.test(`finishReason ${wire} with nothing said is an error`, () => {
    const body = chunk([{ text: "hm", thought: true }], { finishReason: wire });
    const error = assertThrows(() => generateContent.decodeResponse(body), GatewayError);
    assertEquals([error.code, error.retryable], ["upstream_invalid_response", true]);
    assertEquals(streamed(body).at(-1)?.type, "error");
  });
}

const wireReasons: Readonly<Record<FinishReason, string>> = {
  stop: "STOP",
  "stop-sequence": "STOP",
  "tool-calls": "STOP",
  length: "MAX_TOKENS",
  "context-full": "MAX_TOKENS",
  "content-filter": "SAFETY",
  refusal: "STOP",
  pause: "STOP",
  compaction: "STOP",
};
for (const reason of finishReasons) {
  Deno.test(`finish reason ${reason} of another format`, () => {
    const { whole, chunks } = written([{ type: "text", text: "a" }], reason);
    assertEquals([whole.finishReason, chunks.at(-1)?.finishReason], [
      wireReasons[reason],
      wireReasons[reason],
    ]);
  });
}

Deno.test("STOP after a call is tool-calls, but a limit stays a limit", () => {
  const call = { functionCall: { name: "f", args: {} } };
  const reason = (finishReason: string) =>
    collect(streamed(chunk([call]), chunk([{ text: "" }], { finishReason }))).alternatives[0]
      .finishReason;
  assertEquals([reason("STOP"), reason("MAX_TOKENS"), reason("SAFETY")], [
    "tool-calls",
    "length",
    "content-filter",
  ]);
});

Deno.test("a blocked prompt has no candidates and says so both ways", () => {
  const body = {
    promptFeedback: { blockReason: "PROHIBITED_CONTENT" },
    usageMetadata: { promptTokenCount: 5, candidatesTokenCount: 0, totalTokenCount: 5 },
    modelVersion: "m",
    responseId: "r",
  };
  const response = generateContent.decodeResponse(body);
  assertEquals(response.alternatives, [
    { finishReason: "content-filter", promptBlocked: true, parts: [] },
  ]);
  assertEquals(JSON.parse(JSON.stringify(generateContent.encodeResponse(response, context))), body);
  const again = encoded(generateContent, streamed(body), context);
  assertEquals(again.map(({ data }) => JSON.parse(data)), [body]);
  assertValid(generateContent, again);
  const usageReader = generateContent.usageReader.stream();
  assertEquals(usageReader.push(events([body])[0]), "terminal");
  assertEquals([usageReader.result().outcome, usageReader.result().promptBlocked], [
    "completed",
    true,
  ]);
  assert(generateContent.usageReader.promptBlocked?.(body));
});

for (
  const body of [null, 3, "x", [], {}, { candidates: [] }, { candidates: null }, { candidates: {} }]
) {
  Deno.test(`decodeResponse refuses ${JSON.stringify(body)}`, () => {
    const error = assertThrows(() => generateContent.decodeResponse(body), GatewayError);
    assertEquals(error.code, "upstream_invalid_response");
  });
}

Deno.test("decodeResponse withstands candidates of any shape", () => {
  const values = [null, 0, "x", [], {}, [null], { parts: null }, { parts: [null, 3, {}] }, {
    parts: [{ functionCall: 3 }, { text: 3 }, { inlineData: null }, { functionCall: { args: [] } }],
  }];
  for (const content of values) {
    generateContent.decodeResponse({
      candidates: [{ content, finishReason: content, index: content }],
      usageMetadata: { promptTokenCount: 3 },
    });
    assertLaws(decoded(generateContent, events([{ candidates: [{ content, ...stop }] }])));
  }
});

Deno.test("deep arguments go through an answer whole", () => {
  const text = '{"a":'.repeat(5_000) + "1" + "}".repeat(5_000);
  const body = chunk([{ functionCall: { name: "f", args: JSON.parse(text) } }], stop);
  const [part] = generateContent.decodeResponse(body).alternatives[0].parts;
  assertEquals(part.type === "tool-call" && part.arguments === text, true);
});

Deno.test("an error in a body of success is that error", () => {
  const body = { error: { code: 503, message: "busy", status: "UNAVAILABLE" } };
  const error = assertThrows(() => generateContent.decodeResponse(body), GatewayError);
  assertEquals(error.code, "upstream_overloaded");
});

// Streams from an upstream

Deno.test("text of several chunks is one part, thoughts another", () => {
  assertEquals(
    partsOf(
      chunk([{ text: "I ", thought: true }]),
      chunk([{ text: "think", thought: true }, { text: "Ja" }]),
      chunk([{ text: " 🙂ø" }], stop),
    ).map((part) =>
      part.type === "text" || part.type === "reasoning" ? [part.type, part.text] : []
    ),
    [["reasoning", "I think"], ["text", "Ja 🙂ø"]],
  );
});

Deno.test("a signature on an empty text belongs to the text before it", () => {
  const continuation = { issuer: "generate-content", data: "c2ln" } as const;
  assertEquals(
    partsOf(chunk([{ text: "a" }]), chunk([{ text: "", thoughtSignature: "c2ln" }], stop)),
    [
      { type: "text", text: "a", continuation },
    ],
  );
  assertEquals(
    partsOf(
      chunk([{ functionCall: { id: "1", name: "f", args: {} } }]),
      chunk([{ text: "", thoughtSignature: "c2ln" }], stop),
    )[1],
    { type: "text", text: "", continuation },
  );
});

Deno.test("signed parts are never merged", () => {
  const parts = partsOf(
    chunk([{ text: "a", thoughtSignature: "MQ==" }]),
    chunk([{ text: "b", thoughtSignature: "Mg==" }], stop),
  );
  assertEquals(parts.map(({ continuation }) => continuation?.data), ["MQ==", "Mg=="]);
});

Deno.test("two calls in one chunk, without arguments and without ids", () => {
  const parts = partsOf(
    chunk([{ functionCall: { name: "f" } }, { functionCall: { name: "f", args: {} } }], stop),
  );
  const calls = parts.flatMap((part) => part.type === "tool-call" ? [part] : []);
  assertEquals(calls.map((call) => call.arguments), ["{}", "{}"]);
  assertEquals(new Set(calls.map(({ id }) => id)).size, 2);
});

Deno.test("arguments streamed value by value are rebuilt", () => {
  const piece = (functionCall: JsonObject) => chunk([{ functionCall }]);
  const parts = partsOf(
    chunk([{ functionCall: { name: "f", willContinue: true }, thoughtSignature: "c2ln" }]),
    piece({
      partialArgs: [{ jsonPath: "$.city", stringValue: "Bos", willContinue: true }],
      willContinue: true,
    }),
    piece({ partialArgs: [{ jsonPath: "$.city", stringValue: "ton" }], willContinue: true }),
    piece({
      partialArgs: [
        { jsonPath: "$.list[0].n", numberValue: 1.5 },
        { jsonPath: "$.list[1]", boolValue: false },
        { jsonPath: "$['a b']", nullValue: "NULL_VALUE" },
        { jsonPath: "$.__proto__.polluted", stringValue: "x" },
        { jsonPath: "", stringValue: "lost" },
      ],
      willContinue: true,
    }),
    piece({}),
    piece({ name: "g", args: { a: 1 } }),
    chunk([], stop),
  );
  const [first, second] = parts.flatMap((part) => part.type === "tool-call" ? [part] : []);
  const args = JSON.parse(first.arguments);
  assertEquals([args.city, args.list, args["a b"]], ["Boston", [{ n: 1.5 }, false], null]);
  assertEquals(first.continuation?.data, "c2ln");
  assertEquals(second.arguments, '{"a":1}');
  assertEquals(({} as Record<string, unknown>).polluted, undefined);
});

Deno.test("several candidates, interleaved", () => {
  const both = (a: string, b: string, rest: JsonObject = {}) => ({
    candidates: [a, b].map((text, index) => ({ index, content: { parts: [{ text }] }, ...rest })),
  });
  const { alternatives } = collect(streamed(both("a", "x"), both("b", "y", stop)));
  assertEquals(alternatives.map(({ parts: [part] }) => part.type === "text" && part.text), [
    "ab",
    "xy",
  ]);
});

Deno.test("grounding becomes citations; its offsets count UTF-8 bytes", () => {
  const groundingMetadata = {
    groundingChunks: [{ web: { uri: "https://a.test", title: "A" } }, {
      web: { uri: "https://b.test" },
    }],
    groundingSupports: [
      { segment: { startIndex: 5, endIndex: 9, text: "Oslo" }, groundingChunkIndices: [0, 1, 7] },
      { segment: { startIndex: 900, endIndex: 950, text: "nowhere" }, groundingChunkIndices: [0] },
    ],
  };
  const [part] = partsOf(
    chunk([{ text: "🙂 Os" }]),
    chunk([{ text: "lo" }], { ...stop, groundingMetadata }),
  );
  assertEquals(part.type === "text" && part.citations, [
    { url: "https://a.test", title: "A", start: 3, end: 7, quote: "Oslo" },
    { url: "https://b.test", start: 3, end: 7, quote: "Oslo" },
  ]);
});

Deno.test("grounding of a whole answer finds a text that a picture follows", () => {
  const text = "Oslo is cold.";
  const groundingMetadata = {
    groundingChunks: [{ web: { uri: "https://a.test", title: "A" } }],
    groundingSupports: [{ segment: { endIndex: 4, text: "Oslo" }, groundingChunkIndices: [0] }],
  };
  const inlineData = { mimeType: "image/png", data: "AAAA" };
  const content = { parts: [{ text }, { inlineData }] };
  const { alternatives: [{ parts: [part] }] } = generateContent.decodeResponse({
    candidates: [{ content, finishReason: "STOP", groundingMetadata }],
  });
  assertEquals(part.type === "text" && part.citations?.map(({ url }) => url), ["https://a.test"]);
});

Deno.test("grounding after a text that an image ended is at the end", () => {
  const groundingMetadata = {
    groundingChunks: [{ web: { uri: "https://a.test", title: "A" } }],
    groundingSupports: [
      { segment: { endIndex: 4, text: "Oslo" }, groundingChunkIndices: [0] },
      { segment: { startIndex: 8, endIndex: 12, text: "cold" }, groundingChunkIndices: [0] },
    ],
  };
  const parts = partsOf(
    chunk([{ text: "Oslo is cold." }]),
    chunk([{ inlineData: { mimeType: "image/png", data: "AAAA" } }]),
    chunk([{ text: "" }], { ...stop, groundingMetadata }),
  );
  assertEquals(parts.map(({ type }) => type), ["text", "image", "text"]);
  assertEquals(parts[2], {
    type: "text",
    text: "",
    citations: [{ url: "https://a.test", title: "A" }],
  });
});

Deno.test("grounding finds the second of two equal texts, and survives an empty one after it", () => {
  const groundingMetadata = {
    groundingChunks: [{ web: { uri: "https://a.test" } }],
    groundingSupports: [{
      segment: { startIndex: 10, endIndex: 14, text: "Oslo" },
      groundingChunkIndices: [0],
    }],
  };
  const [part] = partsOf(
    chunk([{ text: "🙂 Oslo Oslo" }], { groundingMetadata }),
    chunk([{ text: "" }], { ...stop, groundingMetadata: {} }),
  );
  assertEquals(part.type === "text" && part.citations?.map(({ start, end }) => [start, end]), [
    [8, 12],
  ]);
});

for (
  const { name, chunks, code } of [
    { name: "nothing at all", chunks: [], code: "upstream_truncated" },
    { name: "no finish reason", chunks: [chunk([{ text: "a" }])], code: "upstream_truncated" },
    { name: "usage only", chunks: [{ usageMetadata: {} }], code: "upstream_truncated" },
    {
      name: "broken JSON",
      chunks: [chunk([{ text: "a" }]), '{"cand'],
      code: "upstream_invalid_response",
    },
    { name: "an end marker", chunks: ["[DONE]"], code: "upstream_invalid_response" },
    { name: "a number", chunks: ["3"], code: "upstream_invalid_response" },
    {
      name: "an error",
      chunks: [chunk([{ text: "a" }]), {
        error: { code: 503, message: "m", status: "UNAVAILABLE" },
      }],
      code: "upstream_overloaded",
    },
    {
      name: "an error in an array",
      chunks: [[{ error: { code: 429, message: "m" } }] as unknown as JsonObject], // sound: only printed
      code: "rate_limit_exceeded",
    },
    { name: "an error of text", chunks: [{ error: "boom" }], code: "upstream_error" },
  ]
) {
  Deno.test(`a stream of ${name} ends in an error`, () => {
    const canonical = streamed(
      ...chunks,
      ...(name.startsWith("a") ? [chunk([{ text: "late" }], stop)] : []),
    );
    const last = canonical.at(-1);
    assertEquals(last?.type === "error" ? String(last.error.code) : "end", code);
  });
}

// Streams and answers to a caller

Deno.test("encoded text is live, a call comes whole and with an id", () => {
  const encoder = generateContent.eventEncoder(context);
  const push = (event: CanonicalEvent) =>
    encoder.push(event).map(({ data }) => candidateOf(JSON.parse(data)));
  assertEquals(push({ type: "start", id: "x", model: "m" }), []);
  push({ type: "part-start", index: 0, part: { type: "text", text: "" } });
  assertEquals(push({ type: "part-delta", index: 0, text: "Hi" }), [
    { content: { role: "model", parts: [{ text: "Hi" }] }, index: 0 },
  ]);
  push({ type: "part-end", index: 0 });
  push({
    type: "part-start",
    index: 1,
    part: { type: "tool-call", id: "", name: "f", arguments: "", kind: "function" },
  });
  assertEquals(push({ type: "part-delta", index: 1, text: '{"a":' }), []);
  assertEquals(push({ type: "part-delta", index: 1, text: "1}" }), []);
  assertEquals(push({ type: "part-end", index: 1 }), [{
    content: {
      role: "model",
      parts: [{ functionCall: { id: `call_${context.requestId}_0_1`, name: "f", args: { a: 1 } } }],
    },
    index: 0,
  }]);
  assertEquals(push({ type: "end", endings: [{ finishReason: "tool-calls" }] }), [
    { content: { role: "model", parts: [{ text: "" }] }, finishReason: "STOP", index: 0 },
  ]);
});

Deno.test("an answer of another format has the caller's model name and the request's id", () => {
  const body = generateContent.encodeResponse(answer([{ type: "text", text: "a" }]), context);
  assertEquals([body.modelVersion, body.responseId], ["the-model", context.requestId]);
  for (
    const { data } of encoded(
      generateContent,
      eventsOf(answer([{ type: "text", text: "a" }])),
      context,
    )
  ) {
    const { modelVersion, responseId } = JSON.parse(data);
    assertEquals([modelVersion, responseId], ["the-model", context.requestId]);
  }
});

const foreignProof = { issuer: "responses", data: "ENC", itemId: "rs_1" } as const;
const sealed = new TextEncoder().encode(sealContinuation("generate-content", foreignProof))
  .toBase64();

Deno.test("a foreign continuation is base64 on its own reasoning", () => {
  const thought: Part = {
    type: "reasoning",
    text: "hm",
    visibility: "summary",
    continuation: foreignProof,
  };
  const { whole, chunks } = written([thought, { type: "text", text: "a" }]);
  assert(/^[A-Za-z0-9+/]+=*$/.test(sealed));
  assertEquals(whole.content, {
    role: "model",
    parts: [{ text: "hm", thought: true, thoughtSignature: sealed }, { text: "a" }],
  });
  assertEquals(chunks[0].content, {
    role: "model",
    parts: [{ text: "hm", thought: true, thoughtSignature: sealed }],
  });
});

Deno.test("a foreign continuation without reasoning is on the next call, or on a part of its own", () => {
  const silent: Part = {
    type: "reasoning",
    text: "",
    visibility: "redacted",
    continuation: foreignProof,
  };
  const call: Part = { type: "tool-call", id: "c", name: "f", arguments: "", kind: "function" };
  const wire = { functionCall: { id: "c", name: "f", args: {} }, thoughtSignature: sealed };
  const withCall = written([silent, call], "tool-calls");
  assertEquals(withCall.whole.content, { role: "model", parts: [wire] });
  assertEquals(withCall.chunks[0].content, { role: "model", parts: [wire] });
  const bare = { text: "", thought: true, thoughtSignature: sealed };
  const alone = written([silent]);
  assertEquals(alone.whole.content, { role: "model", parts: [bare] });
  assertEquals(alone.chunks[0].content, { role: "model", parts: [bare] });
});

Deno.test("the history of a converted answer restores its continuation", () => {
  const parts: readonly Part[] = [
    { type: "reasoning", text: "I think", visibility: "summary", continuation: foreignProof },
    { type: "text", text: "Yes." },
    {
      type: "reasoning",
      text: "",
      visibility: "redacted",
      continuation: { ...foreignProof, data: "TWO" },
    },
    { type: "tool-call", id: "c", name: "f", arguments: '{"a":1}', kind: "function" },
  ];
  const { whole, chunks } = written(parts, "tool-calls");
  for (const contents of [[whole.content], chunks.map(({ content }) => content)]) {
    const { turns } = generateContent.decodeRequest({
      path: "/models/m:generateContent",
      search: {},
      headers: {},
      body: { contents: contents as JsonObject[] }, // sound: candidates written above
    });
    const kept = turns.flatMap((turn) => turn.parts).filter((part) =>
      part.type !== "text" || part.text !== ""
    );
    assertEquals(
      kept.map(({ native: _, ...part }: Part & { native?: unknown }) => part),
      parts as unknown as typeof kept, // sound: the same parts
    );
  }
});

Deno.test("unreadable arguments: nothing after a limit, an empty object otherwise", () => {
  const call: Part = {
    type: "tool-call",
    id: "c",
    name: "f",
    arguments: '{"a":',
    kind: "function",
  };
  const text: Part = { type: "text", text: "a" };
  const calls = ({ whole, chunks }: ReturnType<typeof written>) => [
    JSON.stringify(whole).match(/"args":\{\}/g)?.length ?? 0,
    JSON.stringify(chunks).match(/"args":\{\}/g)?.length ?? 0,
  ];
  assertEquals(calls(written([text, call], "length")), [0, 0]);
  assertEquals(calls(written([text, call], "tool-calls")), [1, 1]);
  assertEquals(calls(written([call, text], "length")), [1, 1]);
});

Deno.test("refusals, custom calls, namespaces and media of other formats", () => {
  const { whole } = written([
    { type: "refusal", text: "No." },
    { type: "tool-call", id: "c", name: "patch", arguments: "*** x", kind: "custom" },
    {
      type: "tool-call",
      id: "d",
      name: "read",
      namespace: "disk",
      arguments: "",
      kind: "function",
    },
    { type: "image", source: { type: "base64", data: "iVBORw0KGgo=" } },
    { type: "image", source: { type: "file-id", id: "f", format: "responses" } },
    { type: "native", format: "responses", value: { type: "web_search_call" } },
  ], "tool-calls");
  assertEquals(whole.content, {
    role: "model",
    parts: [
      { text: "No." },
      { functionCall: { id: "c", name: "patch", args: { input: "*** x" } } },
      { functionCall: { id: "d", name: "disk__read", args: {} } },
      { inlineData: { mimeType: "image/png", data: "iVBORw0KGgo=" } },
    ],
  });
});

Deno.test("a tool's name that the upstream's format had to change is restored", () => {
  const name = "files.read:all";
  const response = answer([{
    type: "tool-call",
    id: "c",
    name: "files_read_all_b461f433",
    arguments: "",
    kind: "function",
  }], "tool-calls");
  const caller = {
    ...context,
    request: { ...context.request, tools: [{ type: "function" as const, name }] },
  };
  const functionCall = { id: "c", name, args: {} };
  const expected = { role: "model", parts: [{ functionCall }] };
  assertEquals(candidateOf(generateContent.encodeResponse(response, caller)).content, expected);
  const [first] = encoded(generateContent, eventsOf(response), caller);
  assertEquals(candidateOf(JSON.parse(first.data)).content, expected);
});

Deno.test("sources are sought no longer than an honest answer needs", () => {
  const count = 8_000;
  const list = (of: (at: number) => JsonObject) => Array.from({ length: count }, (_, at) => of(at));
  const began = threadCpuTimeMs();
  generateContent.decodeResponse({
    candidates: [{
      finishReason: "STOP",
      content: {
        role: "model",
        parts: list((at) => at % 2 ? { text: `x${at}` } : { executableCode: { code: "1" } }),
      },
      groundingMetadata: {
        groundingChunks: list((at) => ({ web: { uri: `https://cats.example/${at}` } })),
        groundingSupports: list((at) => ({
          segment: { text: `y${at}` },
          groundingChunkIndices: [at],
        })),
      },
      ...Object.fromEntries(list((at) => ({ at })).map(({ at }) => [`field_${at}`, at])),
    }],
  });
  assert(threadCpuTimeMs() - began < 4_000);
});

Deno.test("many citations of one long text do not repeat it", () => {
  const text = "cats ".repeat(20_000);
  const citations = Array.from(
    { length: 5_000 },
    (_, at) => ({ url: `https://cats.example/${at}` }),
  );
  const body = generateContent.encodeResponse({
    id: "up_1",
    model: "up",
    alternatives: [{ parts: [{ type: "text", text, citations }], finishReason: "stop" }],
  }, context);
  const { length } = JSON.stringify(body);
  assert(length < 2_000_000, `${length} characters`);
});

Deno.test("citations of another format become grounding", () => {
  const text: Part = {
    type: "text",
    text: "🙂 Oslo",
    citations: [{ url: "https://a.test", title: "A", start: 3, end: 7 }, { title: "no address" }],
  };
  const { whole, chunks } = written([
    { type: "reasoning", text: "hm", visibility: "summary" },
    text,
  ]);
  const groundingMetadata = {
    groundingChunks: [{ web: { uri: "https://a.test", title: "A" } }],
    groundingSupports: [{
      segment: { partIndex: 1, startIndex: 5, endIndex: 9, text: "Oslo" },
      groundingChunkIndices: [0],
    }],
  };
  assertEquals([whole.groundingMetadata, chunks.at(-1)?.groundingMetadata], [
    groundingMetadata,
    groundingMetadata,
  ]);
});

Deno.test("a filtered answer of another format has no content", () => {
  const { whole, chunks } = written([], "content-filter");
  assertEquals([whole, chunks], [{ finishReason: "SAFETY", index: 0 }, [{
    finishReason: "SAFETY",
    index: 0,
  }]]);
});

// Errors

for (const code of Object.keys(errorCatalog) as ErrorCode[]) { // sound: the catalog's own keys
  Deno.test(`encodeError ${code}`, () => {
    const error = new GatewayError(code, "Cannot do it", { retryAfterSeconds: 1.5, param: "x" });
    const { status, headers, body } = generateContent.encodeError(error, "req_1");
    assertEquals(status, errorCatalog[code].status);
    const wire = (body as { error: JsonObject }).error; // sound: asserted below
    const wait = code === "rate_limit_exceeded" ? ". Please retry in 1.5s" : "";
    assertEquals([wire.message, wire.type, wire.code, wire.reason], [
      `Cannot do it${wait}`,
      errorCatalog[code].type,
      code === "invalid_api_key" ? code : status, // as the vendor's
      code,
    ]);
    assertEquals([wire.request_id, typeof wire.status], ["req_1", "string"]);
    assertEquals(headers["retry-after"], "2");
    assertEquals(headers["x-should-retry"], error.retryable ? undefined : "false");
    const [event, ...more] = generateContent.encodeStreamError(error, "req_1");
    assertEquals(more, []);
    assertEquals(JSON.parse(event.data).error.code, status);
    assertEquals(JSON.parse(event.data).error.reason, code);
    const validator = streamValidators["generate-content"]();
    validator.push(event);
    assertEquals(validator.end(), []);
  });
}

for (const [code, upstreamStatus] of [[503, 503], ["503", 503], ["upstream_error", 500]] as const) {
  Deno.test(`decodeError reads the code ${JSON.stringify(code)}`, () => {
    const body = { error: { code, message: "down" } };
    const error = generateContent.decodeError({ status: 500, headers: {}, body });
    assertEquals(error.upstreamStatus, upstreamStatus);
  });
}

Deno.test("a bad key is 401, authentication_error, invalid_api_key", () => {
  const error = new GatewayError("invalid_api_key", "The API key is incorrect");
  const { status, body } = generateContent.encodeError(error, "req_1");
  const { type, code, status: name } = (body as { error: JsonObject }).error; // sound: an error body
  assertEquals([status, type, code, name], [
    401,
    "authentication_error",
    "invalid_api_key",
    "UNAUTHENTICATED",
  ]);
});

const retryInfo = { "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "34.4s" };
const refusals: readonly {
  readonly status: number;
  readonly error: JsonObject;
  readonly code: ErrorCode;
  readonly after?: number;
}[] = [
  { status: 400, error: { status: "INVALID_ARGUMENT", message: "bad" }, code: "invalid_request" },
  {
    status: 400,
    error: {
      status: "INVALID_ARGUMENT",
      message:
        "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
    },
    code: "context_length_exceeded",
  },
  {
    status: 400,
    error: { status: "INVALID_ARGUMENT", details: [{ reason: "API_KEY_INVALID" }] },
    code: "upstream_unauthorized",
  },
  { status: 400, error: { status: "FAILED_PRECONDITION" }, code: "upstream_error" },
  { status: 400, error: { status: "OUT_OF_RANGE" }, code: "invalid_request" },
  { status: 401, error: { status: "UNAUTHENTICATED" }, code: "upstream_unauthorized" },
  { status: 402, error: { status: "RESOURCE_EXHAUSTED" }, code: "insufficient_quota" },
  { status: 403, error: { status: "PERMISSION_DENIED" }, code: "upstream_unauthorized" },
  { status: 404, error: { status: "NOT_FOUND" }, code: "model_not_found" },
  { status: 409, error: { status: "ABORTED" }, code: "upstream_error" },
  {
    status: 429,
    error: { status: "RESOURCE_EXHAUSTED", details: [null, retryInfo] },
    code: "rate_limit_exceeded",
    after: 34.4,
  },
  { status: 499, error: { status: "CANCELLED" }, code: "upstream_error" },
  { status: 500, error: { status: "INTERNAL" }, code: "upstream_error" },
  { status: 503, error: { status: "UNAVAILABLE" }, code: "upstream_overloaded" },
  { status: 504, error: { status: "DEADLINE_EXCEEDED" }, code: "upstream_timeout" },
  { status: 413, error: {}, code: "body_too_large" },
  { status: 418, error: {}, code: "invalid_request" },
  { status: 529, error: {}, code: "upstream_error" },
];
for (const { status, error, code, after } of refusals) {
  Deno.test(`decodeError ${status} ${error.status ?? ""} is ${code}`, () => {
    for (
      const body of [{ error: { code: status, ...error } }, [{ error: { code: status, ...error } }]]
    ) {
      const decodedError = generateContent.decodeError({ status, headers: {}, body });
      assertEquals([decodedError.code, decodedError.retryAfterSeconds], [code, after]);
      assertEquals(decodedError.upstreamStatus, status);
    }
  });
}

Deno.test("decodeError takes a body of any shape", () => {
  for (
    const body of [
      undefined,
      null,
      3,
      "",
      "<html>Bad gateway</html>",
      [],
      [null],
      {},
      { error: 3 },
      { error: { details: 3, code: "x" } },
    ]
  ) {
    const error = generateContent.decodeError({
      status: 503,
      headers: { "retry-after": "7" },
      body,
    });
    assertEquals([error.code, error.retryAfterSeconds], ["upstream_overloaded", 7]);
  }
});

// The usage reader

Deno.test("the usage reader tells an error from an end, and waits for late usage", () => {
  const usageReader = generateContent.usageReader.stream();
  const [text, end, late] = events([
    chunk([{ text: 'a "finishReason": "STOP"' }]),
    chunk([{ text: "b" }], stop),
    { usageMetadata: { promptTokenCount: 3 } },
  ]);
  assertEquals([usageReader.push(text), usageReader.result().outcome], ["open", "open"]);
  assertEquals([usageReader.push(end), usageReader.result().outcome], ["terminal", "completed"]);
  assertEquals(usageReader.push(late), "open");
  assertEquals(usageReader.result().usage?.inputTokens, 3);
  const failing = generateContent.usageReader.stream();
  assertEquals(
    failing.push(events([{ error: { code: 503, status: "UNAVAILABLE" } }])[0]),
    "terminal",
  );
  assertEquals([failing.result().outcome, failing.result().error?.code], [
    "failed",
    "upstream_overloaded",
  ]);
  failing.push(end);
  assertEquals(failing.result().outcome, "failed");
  const broken = generateContent.usageReader.stream();
  assertEquals(broken.push({ data: '{"finishReason' }), "open");
  assertEquals(broken.push({ data: '{"finishReason"' }), "open");
});

// The validator

const whole = chunk([{ text: "a" }], stop);
const violations: readonly {
  readonly says: string;
  readonly stream: readonly ServerSentEvent[];
}[] = [
  { says: "has no candidates", stream: [] },
  { says: "no finish reason", stream: events([chunk([{ text: "a" }])]) },
  { says: "finishes twice", stream: events([whole, whole]) },
  { says: "more after the finish", stream: events([whole, chunk([{ text: "b" }])]) },
  { says: "has a name", stream: [{ event: "message", data: JSON.stringify(whole) }] },
  { says: "end marker", stream: [...events([whole]), { data: "[DONE]" }] },
  { says: "not a JSON object", stream: events(["3", whole]) },
  {
    says: "after the error",
    stream: events([{ error: { code: 500, message: "m", status: "INTERNAL" } }, whole]),
  },
  {
    says: "error.code",
    stream: events([{ error: { code: "x", message: "m", status: "INTERNAL" } }]),
  },
  { says: "error.message", stream: events([{ error: { code: 500, status: "INTERNAL" } }]) },
  {
    says: "changes responseId",
    stream: events([chunk([{ text: "a" }]), { ...whole, responseId: "s" }]),
  },
  {
    says: "role is not model",
    stream: events([{ candidates: [{ content: { role: "assistant", parts: [] }, ...stop }] }]),
  },
  {
    says: "parts is not an array",
    stream: events([{ candidates: [{ content: { parts: {} }, ...stop }] }]),
  },
  { says: "candidates is not an array", stream: events([{ candidates: {} }]) },
  { says: "index of a candidate", stream: events([{ candidates: [{ index: -1, ...stop }] }]) },
  {
    says: "one of the format's names",
    stream: events([chunk([], { finishReason: "tool_calls" })]),
  },
  {
    says: "text and functionCall",
    stream: events([chunk([{ text: "a", functionCall: { name: "f" } }], stop)]),
  },
  { says: "a part is empty", stream: events([chunk([{}], stop)]) },
  { says: "text is not a string", stream: events([chunk([{ text: 3 }], stop)]) },
  { says: "has no name", stream: events([chunk([{ functionCall: { args: { a: 1 } } }], stop)]) },
  {
    says: "args is not an object",
    stream: events([chunk([{ functionCall: { name: "f", args: "{}" } }], stop)]),
  },
  { says: "id is empty", stream: events([chunk([{ functionCall: { name: "f", id: "" } }], stop)]) },
  { says: "thoughtSignature", stream: events([chunk([{ text: "", thoughtSignature: 3 }], stop)]) },
  {
    says: "is not a count",
    stream: events([{ ...whole, usageMetadata: { promptTokenCount: -1 } }]),
  },
];
for (const { says, stream } of violations) {
  Deno.test(`the validator finds: ${says}`, () => {
    const validator = streamValidators["generate-content"]();
    for (const event of stream) validator.push(event);
    const found = validator.end();
    assert(
      found.length > 0 && found.some((violation) => violation.includes(says)),
      found.join("; "),
    );
  });
}
