import { objectsOf } from "../../../lib/formats/wire_value.ts";
import { assert, assertEquals, assertThrows } from "@std/assert";
import {
  type CanonicalRequest,
  GatewayError,
  type JsonObject,
  type Part,
  type Reasoning,
  sealContinuation,
  type Tool,
  type ToolChoice,
} from "../../../lib/canonical/mod.ts";
import { encodeAtOnce } from "../../../lib/formats/codec.ts";
import { generateContent } from "../../../lib/formats/generate_content/mod.ts";
import { responses } from "../../../lib/formats/responses/mod.ts";
import { decoded, encoded, foreign, post, replied, said } from "./wire.ts";

const hi = { contents: [said({ text: "hi" })] };

for (
  const { path, model, stream } of [
    { path: "/models/gemini-x:generateContent", model: "gemini-x", stream: false },
    { path: "/models/acme/large:free:generateContent", model: "acme/large:free", stream: false },
    {
      path: "/models/acme%2Flarge%3Afree:streamGenerateContent",
      model: "acme/large:free",
      stream: true,
    },
    { path: "/models/a@b.c:streamGenerateContent", model: "a@b.c", stream: true },
    { path: "/models/100%:generateContent", model: "100%", stream: false },
  ]
) {
  Deno.test(`envelope reads ${path}`, () => {
    const wire = { ...post(hi), path };
    assertEquals(generateContent.envelope(wire).model, model);
    assertEquals(generateContent.envelope(wire).stream, stream);
    assertEquals(generateContent.decodeRequest(wire).model, model);
    assertEquals(generateContent.decodeRequest(wire).stream, stream);
  });
}

Deno.test("envelope: a stream is a JSON array unless the address says alt=sse", () => {
  const wire = { ...post(hi), path: "/models/m:streamGenerateContent" };
  assertEquals(generateContent.envelope(wire).framing, "json-array");
  assertEquals(
    generateContent.envelope({ ...wire, search: { alt: "json" } }).framing,
    "json-array",
  );
  assertEquals(generateContent.envelope({ ...wire, search: { alt: "sse" } }).framing, "sse");
  assertEquals(generateContent.envelope(post(hi)).framing, "sse");
});

for (const path of ["/models/:generateContent", "/models/", "/other", ""]) {
  Deno.test(`envelope refuses ${path || "an empty path"}`, () => {
    const error = assertThrows(() => generateContent.envelope({ ...post(hi), path }), GatewayError);
    assert(error.message.includes("model"), error.message);
  });
}

for (const contents of [undefined, null, 3, "hi", true]) {
  Deno.test(`envelope refuses contents of ${JSON.stringify(contents)}`, () => {
    const error = assertThrows(() => generateContent.envelope(post({ contents })), GatewayError);
    assertEquals(error.code, "invalid_request");
    assert(error.message.includes("contents"), error.message);
  });
}

Deno.test("encodeRequest escapes the model and asks for server-sent events", () => {
  const { wire } = encodeAtOnce(
    generateContent,
    foreign({ model: "acme/large:free", stream: true }),
  );
  assertEquals(wire.path, "/models/acme%2Flarge%3Afree:streamGenerateContent");
  assertEquals(wire.search, { alt: "sse" });
  assertEquals(generateContent.envelope(wire).model, "acme/large:free");
});

Deno.test("decodeRequest takes snake_case, single objects and text for the instruction", () => {
  const snake = {
    contents: { parts: { inline_data: { mime_type: "image/png", data: "AAAA" } } },
    system_instruction: "Be brief.",
    tools: {
      function_declarations: {
        name: "f",
        parameters: {
          type: "OBJECT",
          properties: { snake_name: { type: "ARRAY", min_items: "1", items: { type: "STRING" } } },
        },
      },
    },
    tool_config: { function_calling_config: { mode: "any", allowed_function_names: ["f"] } },
    generation_config: { max_output_tokens: "300", thinking_config: { thinking_budget: 0 } },
    safety_settings: [{ category: "C", threshold: "OFF" }],
    my_field: 1,
  };
  const camel = {
    contents: [{ role: "user", parts: [{ inlineData: { mimeType: "image/png", data: "AAAA" } }] }],
    systemInstruction: { parts: [{ text: "Be brief." }] },
    tools: [{
      functionDeclarations: [{
        name: "f",
        parameters: {
          type: "OBJECT",
          properties: { snake_name: { type: "ARRAY", minItems: 1, items: { type: "STRING" } } },
        },
      }],
    }],
    toolConfig: { functionCallingConfig: { mode: "ANY", allowedFunctionNames: ["f"] } },
    generationConfig: { maxOutputTokens: 300, thinkingConfig: { thinkingBudget: 0 } },
    safetySettings: [{ category: "C", threshold: "OFF" }],
    my_field: 1,
  };
  assertEquals(decoded(snake), decoded(camel));
  assertEquals(encoded(decoded(snake)), { body: camel, notes: [] });
});

Deno.test("decodeRequest leaves the caller's own names alone", () => {
  const args = { inline_data: 1, max_items: { any_of: 2 } };
  const [turn] = decoded({ contents: [replied({ function_call: { name: "f", args } })] }).turns;
  const [call] = turn.parts;
  assertEquals(call.type === "tool-call" && JSON.parse(call.arguments), args);
});

/** One request with every member of the format. */
const everything: JsonObject = {
  contents: [
    said(
      { text: "look" },
      { inlineData: { mimeType: "image/png", data: "AAAA", displayName: "a" } },
      {
        fileData: { mimeType: "video/mp4", fileUri: "https://www.youtube.com/watch?v=x" },
        videoMetadata: { startOffset: "1s", fps: 2 },
      },
      { inlineData: { mimeType: "application/pdf", data: "JVBERi0=", displayName: "b.pdf" } },
      {
        fileData: { mimeType: "audio/mp3", fileUri: "gs://bucket/a.mp3" },
      },
      { inlineData: { mimeType: "audio/wav", data: "AAAA" }, mediaResolution: { level: "LOW" } },
    ),
    replied(
      { text: "thinking", thought: true },
      { text: "Looking.", partMetadata: { a_b: 1 } },
      { functionCall: { id: "1", name: "f", args: { k: 1 } }, thoughtSignature: "U0lH" },
      { functionCall: { name: "g", args: {} } },
      { executableCode: { language: "PYTHON", code: "1" } },
      { codeExecutionResult: { outcome: "OUTCOME_OK", output: "1" }, thoughtSignature: "Q09E" },
      { toolCall: { id: "t", toolType: "URL_CONTEXT", args: {} } },
      { inlineData: { mimeType: "image/png", data: "AAAA" }, thought: true },
      { brandNew: { a: 1 } },
    ),
    said(
      {
        functionResponse: {
          id: "1",
          name: "f",
          response: { output: "one" },
          scheduling: "SILENT",
          parts: [{ inlineData: { mimeType: "image/png", data: "AAAA" } }],
        },
      },
      { functionResponse: { name: "g", response: { temperature: 71, unit: "F" } } },
      {
        functionResponse: { name: "h", response: { error: "no such thing" } },
      },
      { functionResponse: { name: "h", response: { error: { code: 1 } } } },
      {
        functionResponse: { name: "h", response: {} },
      },
    ),
    replied({ text: "", thoughtSignature: "RU1Q" }),
  ],
  systemInstruction: { parts: [{ text: "One." }, { text: "Two." }] },
  tools: [
    {
      functionDeclarations: [
        {
          name: "f",
          description: "d",
          parameters: {
            type: "OBJECT",
            properties: {
              a: { type: "STRING", nullable: true, enum: ["x", "y"], format: "enum" },
              b: { type: "ARRAY", items: { anyOf: [{ type: "STRING" }, { type: "NUMBER" }] } },
              c: { type: "INTEGER", minimum: 1, example: 7, exclusiveMinimum: 0 },
            },
            required: ["a"],
            propertyOrdering: ["b", "a"],
          },
          behavior: "NON_BLOCKING",
          response: { type: "STRING" },
        },
        {
          name: "g",
          parametersJsonSchema: { $schema: "x", type: "object", additionalProperties: false },
          responseJsonSchema: { type: "string" },
        },
        { name: "h" },
      ],
    },
    { googleSearch: { timeRangeFilter: { startTime: "a", endTime: "b" } } },
    { googleSearchRetrieval: {} },
    { urlContext: {} },
    { codeExecution: {} },
    { googleMaps: { enableWidget: true } },
    { fileSearch: { fileSearchStoreNames: ["s"] } },
    { computerUse: { environment: "ENVIRONMENT_BROWSER" } },
    { mcpServers: [{ name: "m" }] },
  ],
  toolConfig: {
    functionCallingConfig: { mode: "VALIDATED", streamFunctionCallArguments: true },
    retrievalConfig: { languageCode: "en" },
    includeServerSideToolInvocations: true,
  },
  safetySettings: [{ category: "HARM_CATEGORY_HARASSMENT", threshold: "OFF", method: "SEVERITY" }],
  generationConfig: {
    temperature: 0.5,
    topP: 0.9,
    topK: 40,
    candidateCount: 2,
    maxOutputTokens: 1000,
    stopSequences: ["a", "b", "c", "d", "e", "f"],
    presencePenalty: 0.1,
    frequencyPenalty: 0.2,
    seed: 1,
    responseLogprobs: true,
    logprobs: 3,
    responseMimeType: "application/json",
    responseJsonSchema: { type: "object", properties: { a: { const: 1 } } },
    responseModalities: ["TEXT"],
    mediaResolution: "MEDIA_RESOLUTION_LOW",
    speechConfig: { voiceConfig: { prebuiltVoiceConfig: { voiceName: "Kore" } } },
    imageConfig: { aspectRatio: "1:1" },
    thinkingConfig: { includeThoughts: true, thinkingBudget: 512, newKnob: 1 },
  },
  cachedContent: "cachedContents/1",
  serviceTier: "flex",
  labels: { team: "a" },
  store: false,
  continuationToken: "Q09O",
  somethingNew: { a_b: [1] },
};

Deno.test("decode → encode keeps every member that the format has", () => {
  assertEquals(encoded(decoded(everything)), { body: everything, notes: [] });
});

Deno.test("the canonical form of every member", () => {
  const request = decoded(everything);
  const [user, model, results, last] = request.turns;
  assertEquals(user.parts.map(({ type }) => type), [
    "text",
    "image",
    "video",
    "file",
    "audio",
    "audio",
  ]);
  assertEquals(model.parts.map(({ type }) => type), [
    "reasoning",
    "text",
    "tool-call",
    "tool-call",
    "native",
    "native",
    "native",
    "native",
    "native",
  ]);
  const answers = results.parts.map((part) =>
    part.type === "tool-result" && [part.isError, part.parts.length]
  );
  assertEquals(answers, [[false, 2], [false, 1], [true, 1], [true, 1], [false, 0]]);
  assertEquals(last.parts, [{
    type: "text",
    text: "",
    continuation: { issuer: "generate-content", data: "RU1Q" },
  }]);
  assertEquals(request.tools.map(({ type }) => type), [
    "function",
    "function",
    "function",
    "hosted",
    "hosted",
    "hosted",
    "hosted",
    "native",
    "native",
    "native",
    "native",
  ]);
  assertEquals(request.metadata, { team: "a" });
  assertEquals(request.reasoning?.summary, "auto");
});

Deno.test("the older schema spelling becomes JSON Schema", () => {
  const [tool] = decoded(everything).tools;
  assertEquals(tool.type === "function" && tool.parameters, {
    type: "object",
    properties: {
      a: { type: ["string", "null"], enum: ["x", "y", null], format: "enum" },
      b: { type: "array", items: { anyOf: [{ type: "string" }, { type: "number" }] } },
      c: { type: "integer", minimum: 1, examples: [7], exclusiveMinimum: 0 },
    },
    required: ["a"],
    propertyOrdering: ["b", "a"],
  });
});

Deno.test("URL-safe base64 is brought to the standard alphabet", () => {
  const { turns } = decoded({
    contents: [said({ inlineData: { mimeType: "image/png", data: "-_-_-w" } })],
  });
  const [image] = turns[0].parts;
  assertEquals(image.type === "image" && image.source, { type: "base64", data: "+/+/+w==" });
});

Deno.test("calls and results without ids are paired by name and order", () => {
  const { turns } = decoded({
    contents: [
      said({ text: "go" }),
      replied({ functionCall: { name: "f" } }, { functionCall: { name: "g" } }, {
        functionCall: { name: "f" },
      }),
      said({ functionResponse: { name: "f", response: { output: "1" } } }, {
        functionResponse: { name: "f", response: { output: "2" } },
      }, { functionResponse: { name: "g", response: { output: "3" } } }),
      replied({ functionCall: { name: "f" } }),
      said({ functionResponse: { name: "f", response: { output: "4" } } }),
    ],
  });
  const calls = [...turns[1].parts, ...turns[3].parts].flatMap((part) =>
    part.type === "tool-call" ? [part.id] : []
  );
  const results = [...turns[2].parts, ...turns[4].parts].flatMap((part) =>
    part.type === "tool-result" ? [part.callId] : []
  );
  assertEquals(new Set(calls).size, 4, "every call has an id of its own");
  assertEquals(results, [calls[0], calls[2], calls[1], calls[3]]);
});

Deno.test("made ids do not change as the history grows, and never reach this vendor", () => {
  const contents = [said({ text: "go" }), replied({ functionCall: { name: "f", args: {} } })];
  const short = decoded({ contents });
  const long = decoded({
    contents: [...contents, said({ functionResponse: { name: "f", response: {} } })],
  });
  assertEquals(long.turns[1], short.turns[1]);
  assertEquals(encoded(short).body.contents, contents);
});

Deno.test("a result without the id of its call keeps the call's id", () => {
  const { turns } = decoded({
    contents: [
      replied({ functionCall: { id: "w6", name: "f" } }),
      said({ functionResponse: { name: "f", response: { a: 1 } } }),
    ],
  });
  const [result] = turns[1].parts;
  assertEquals(result.type === "tool-result" && result.callId, "w6");
});

Deno.test("a result is never paired with a call of an earlier step", () => {
  const { turns } = decoded({
    contents: [
      replied({ functionCall: { name: "f" } }),
      said({ text: "never mind" }),
      replied({ functionCall: { name: "f" } }),
      said({ functionResponse: { name: "f", response: { output: "1" } } }),
    ],
  });
  const [call, result] = [turns[2].parts[0], turns[3].parts[0]];
  assertEquals(
    result.type === "tool-result" && result.callId,
    call.type === "tool-call" && call.id,
  );
});

Deno.test("results split over several contents are all paired", () => {
  const { turns } = decoded({
    contents: [
      replied({ functionCall: { name: "f" } }, { functionCall: { name: "f" } }),
      said({ functionResponse: { name: "f", response: { output: "1" } } }),
      said({ functionResponse: { name: "f", response: { output: "2" } } }),
    ],
  });
  const ids = turns.flatMap(({ parts }) =>
    parts.map((part) =>
      part.type === "tool-call" ? part.id : part.type === "tool-result" && part.callId
    )
  );
  assertEquals([ids[2], ids[3]], [ids[0], ids[1]]);
});

Deno.test("skip_thought_signature_validator is no signature", () => {
  const call = { functionCall: { id: "1", name: "f", args: {} } };
  const contents = [
    said({ text: "go" }),
    replied({ ...call, thoughtSignature: "skip_thought_signature_validator" }),
  ];
  const { turns } = decoded({ contents });
  assertEquals(turns[1].parts[0].continuation, undefined);
});

const foreignProof = {
  issuer: "messages",
  data: "c2lnbmVk",
} as const;
const carried = new TextEncoder().encode(sealContinuation("generate-content", foreignProof))
  .toBase64();

Deno.test("another vendor's proof on a call becomes a reasoning part before it", () => {
  const { turns } = decoded({
    contents: [
      replied({ functionCall: { id: "1", name: "f", args: {} }, thoughtSignature: carried }),
    ],
  });
  const [reasoning, call] = turns[0].parts;
  assertEquals(reasoning, {
    type: "reasoning",
    text: "",
    visibility: "redacted",
    continuation: foreignProof,
  });
  assertEquals(call.continuation, undefined);
});

Deno.test("another vendor's thought that was streamed in pieces is joined to its proof", () => {
  const { turns } = decoded({
    contents: [
      said({ text: "go" }),
      replied({ text: "I ", thought: true }),
      replied({ text: "think", thought: true }),
      replied({ text: "", thought: true, thoughtSignature: carried }, { text: "Yes." }),
    ],
  });
  assertEquals(turns.map(({ parts }) => parts), [
    [{ type: "text", text: "go" }],
    [],
    [],
    [{
      type: "reasoning",
      text: "I think",
      visibility: "summary",
      continuation: foreignProof,
    }, { type: "text", text: "Yes." }],
  ]);
});

Deno.test("a foreign proof never reaches this vendor", () => {
  const request = foreign({
    turns: [{ role: "user", parts: [{ type: "text", text: "a" }] }, {
      role: "assistant",
      parts: [
        { type: "reasoning", text: "hm", visibility: "summary", continuation: foreignProof },
        { type: "text", text: "b", continuation: foreignProof },
      ],
    }],
  });
  const { body, notes } = encoded(request);
  assert(!JSON.stringify(body).includes(foreignProof.data));
  assertEquals(notes, ["dropped turns[1].parts[0]"]);
});

const spoken = { type: "text", text: "hi" } as const;

Deno.test("a prompt that begins with the assistant gets a user turn before it", () => {
  const turns = [{ role: "assistant", parts: [spoken] }, {
    role: "user",
    parts: [spoken],
  }] as const;
  const { body, notes } = encoded(foreign({ turns }));
  assertEquals(objectsOf(body.contents).map(({ role }) => role), ["user", "model", "user"]);
  assertEquals(notes, ["repaired turns"]);
});

const ownProof = { issuer: "generate-content", data: "T1dO" } as const;

Deno.test("a proof of this vendor that came back by itself returns to the part that follows", () => {
  const stray: Part = {
    type: "reasoning",
    text: "",
    visibility: "redacted",
    continuation: ownProof,
  };
  const turns = (parts: readonly Part[]) =>
    objectsOf(
      encoded(foreign({ turns: [{ role: "user", parts: [spoken] }, { role: "assistant", parts }] }))
        .body.contents,
    ).slice(1);
  const call: Part = { type: "tool-call", id: "a", name: "f", arguments: "{}", kind: "function" };
  const wireCall = { functionCall: { id: "a", name: "f", args: {} } };
  assertEquals(turns([stray, call]), [replied({ ...wireCall, thoughtSignature: "T1dO" })]);
  assertEquals(turns([stray, { type: "text", text: "x" }]), [
    replied({ text: "x", thoughtSignature: "T1dO" }),
  ]);
  assertEquals(turns([{ type: "text", text: "x" }, stray]), [
    replied({ text: "x" }, { text: "", thoughtSignature: "T1dO" }),
  ]);
});

Deno.test("Gemini 3 gets its stand-in where the first call of a step lost its signature", () => {
  const call = (id: string, proof?: typeof ownProof): Part => ({
    type: "tool-call",
    id,
    name: "f",
    arguments: "{}",
    kind: "function",
    ...(proof && { continuation: proof }),
  });
  const result = (callId: string): Part => ({
    type: "tool-result",
    callId,
    kind: "function",
    parts: [],
    isError: false,
  });
  const turns: CanonicalRequest["turns"] = [
    { role: "assistant", parts: [call("past")] },
    { role: "user", parts: [result("past")] },
    { role: "assistant", parts: [{ type: "text", text: "done" }] },
    { role: "user", parts: [{ type: "text", text: "now" }] },
    { role: "assistant", parts: [call("a"), call("b")] },
    { role: "user", parts: [result("a"), result("b")] },
    { role: "assistant", parts: [call("c", ownProof)] },
    { role: "user", parts: [result("c")] },
  ];
  const signatures = (model: string) =>
    [
      ...JSON.stringify(encoded(foreign({ model, turns })).body).matchAll(
        /"id":"(\w+)","name":"f","args":\{\}\},"thoughtSignature":"(\w+)"/g,
      ),
    ].map(([, id, signature]) => [id, signature]);
  const standIn = "skip_thought_signature_validator";
  assertEquals(
    signatures("gemini-3-pro-preview"),
    [["past", standIn], ["a", standIn], ["c", "T1dO"]].slice(1),
  );
  assertEquals(signatures("gemini-2.5-pro"), [["c", "T1dO"]]);
});

const weather: Tool = {
  type: "function",
  name: "weather",
  description: "d",
  parameters: {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    type: "object",
    properties: { city: { type: "string", const: "Oslo" } },
    required: ["city"],
    additionalProperties: false,
  },
  strict: true,
};

/** All part and tool types of other formats. */
const rich: CanonicalRequest = foreign({
  instructions: [{ type: "text", text: "Be brief.", cache: {} }, { type: "text", text: "" }],
  turns: [
    {
      role: "user",
      parts: [
        { type: "text", text: "look" },
        { type: "image", source: { type: "base64", data: "iVBORw0KGgo=" }, detail: "high" },
        { type: "image", source: { type: "url", url: "https://x.test/a.webp?y" } },
        { type: "audio", source: { type: "base64", data: "AAAA" }, mediaType: "audio/mp3" },
        { type: "file", source: { type: "text", text: "æ" }, name: "a.txt" },
      ],
    },
    {
      role: "assistant",
      parts: [
        { type: "reasoning", text: "hm", visibility: "summary" },
        { type: "text", text: "Yes.", citations: [{ url: "https://x.test" }] },
        { type: "refusal", text: "No." },
        {
          type: "tool-call",
          id: "call_a",
          name: "weather",
          arguments: '{"city":"Oslo"}',
          kind: "function",
        },
        { type: "tool-call", id: "call_b", name: "patch", arguments: "*** x", kind: "custom" },
        {
          type: "tool-call",
          id: "call_c",
          name: "read",
          namespace: "disk",
          arguments: "",
          kind: "function",
        },
        { type: "tool-call", id: "call_d", name: "weather", arguments: "{oops", kind: "function" },
        { type: "native", format: "responses", value: { type: "web_search_call" } },
      ],
    },
    {
      role: "user",
      parts: [
        { type: "text", text: "and?" },
        {
          type: "tool-result",
          callId: "call_a",
          kind: "function",
          parts: [
            { type: "text", text: "sun" },
            { type: "image", source: { type: "base64", data: "/9j/AA==" } },
          ],
          isError: false,
        },
        {
          type: "tool-result",
          callId: "call_b",
          kind: "custom",
          parts: [{ type: "text", text: "bad" }],
          isError: true,
        },
        { type: "tool-result", callId: "call_c", kind: "function", parts: [], isError: false },
      ],
    },
    { role: "user", parts: [{ type: "text", text: "go on" }] },
    { role: "system", parts: [{ type: "text", text: "Hurry." }] },
  ],
  tools: [
    weather,
    {
      type: "custom",
      name: "patch",
      description: "p",
      grammar: { syntax: "lark", definition: "start: x" },
    },
    {
      type: "function",
      name: "read",
      namespace: "disk",
      parameters: { type: "object", properties: {} },
    },
    {
      type: "hosted",
      kind: "web-search",
      allowedDomains: ["x.test"],
      native: { format: "messages", fields: {} },
    },
    { type: "native", format: "messages", value: { type: "bash_20250124" } },
    { type: "function", name: "9 lives" },
  ],
  toolChoice: { type: "allowed", mode: "auto", names: ["weather", "read"] },
  parallelToolCalls: false,
  output: { type: "schema", schema: { type: "object", properties: {} }, name: "n", strict: true },
  sampling: {
    temperature: 2.5,
    stopSequences: ["1", "2", "3", "4", "5", "6"],
    seed: 2 ** 40,
    logitBias: { 1: 1 },
    topLogprobs: 2,
  },
  limits: { maxOutputTokens: 100, maxToolCalls: 3 },
  reasoning: { effort: "xhigh", summary: "auto" },
  cacheKey: "k",
  endUser: "u",
  metadata: { a: "b" },
  serviceTier: "scale",
  verbosity: "low",
  store: true,
  native: { format: "responses", fields: { truncation: "auto", id: "x" } },
});

Deno.test("encodeRequest turns a request of another format into this one", () => {
  const { body } = encoded(rich);
  assertEquals(body.systemInstruction, { parts: [{ text: "Be brief." }] });
  assertEquals(body.contents, [
    said(
      { text: "look" },
      { inlineData: { mimeType: "image/png", data: "iVBORw0KGgo=" } },
      { fileData: { mimeType: "image/webp", fileUri: "https://x.test/a.webp?y" } },
      { inlineData: { mimeType: "audio/mp3", data: "AAAA" } },
      { inlineData: { mimeType: "text/plain", data: "w6Y=", displayName: "a.txt" } },
    ),
    replied(
      { text: "Yes." },
      { text: "No." },
      {
        functionCall: { id: "call_a", name: "weather", args: { city: "Oslo" } },
        thoughtSignature: "skip_thought_signature_validator",
      },
      { functionCall: { id: "call_b", name: "patch", args: { input: "*** x" } } },
      { functionCall: { id: "call_c", name: "disk__read", args: {} } },
      { functionCall: { id: "call_d", name: "weather", args: { input: "{oops" } } },
    ),
    said(
      {
        functionResponse: {
          id: "call_a",
          name: "weather",
          response: { output: "sun" },
          parts: [{ inlineData: { mimeType: "image/jpeg", data: "/9j/AA==" } }],
        },
      },
      { functionResponse: { id: "call_b", name: "patch", response: { error: "bad" } } },
      { functionResponse: { id: "call_c", name: "disk__read", response: { output: "" } } },
      { text: "and?" },
      { text: "go on" },
      { text: "<system-reminder>\nHurry.\n</system-reminder>" },
    ),
  ]);
  assertEquals(body.generationConfig, {
    temperature: 2,
    stopSequences: ["1", "2", "3", "4", "5"],
    responseLogprobs: true,
    logprobs: 2,
    maxOutputTokens: 100,
    responseMimeType: "application/json",
    responseJsonSchema: { type: "object", properties: {} },
    thinkingConfig: { thinkingLevel: "HIGH", includeThoughts: true },
  });
});

Deno.test("encodeRequest puts all functions into one tool and flattens what it must", () => {
  const { body } = encoded(rich);
  const [{ functionDeclarations }, ...hosted] = body.tools as readonly JsonObject[]; // sound: asserted below
  assertEquals(hosted, [{ googleSearch: {} }]);
  const [first, second, third, fourth] = functionDeclarations as readonly JsonObject[]; // sound: asserted below
  assertEquals(first.name, "weather");
  assertEquals(second, {
    name: "patch",
    description: "p\n\nThe input must match this lark grammar:\nstart: x",
    parametersJsonSchema: {
      type: "object",
      properties: { input: { type: "string" } },
      required: ["input"],
    },
  });
  assertEquals(third, { name: "disk__read", description: "" }, "no arguments are no schema at all");
  assert(
    /^_9_lives_[0-9a-f]{8}$/.test(String(fourth.name)),
    String(fourth.name),
  );
  assertEquals(body.toolConfig, {
    functionCallingConfig: { mode: "VALIDATED", allowedFunctionNames: ["weather", "disk__read"] },
    includeServerSideToolInvocations: true,
  });
});

Deno.test("encodeRequest notes all that is lost or changed", () => {
  const { notes } = encoded(rich);
  const fixed = notes.filter((note) => !note.includes("tools[0].parameters"));
  assertEquals(
    fixed.sort(),
    [
      "clamped reasoning.effort",
      "clamped sampling.stopSequences",
      "clamped sampling.temperature",
      "dropped endUser",
      "dropped limits.maxToolCalls",
      "dropped metadata",
      "dropped native.truncation",
      "dropped parallelToolCalls",
      "dropped sampling.logitBias",
      "dropped sampling.seed",
      "dropped serviceTier",
      "dropped store",
      "dropped tools[3].allowedDomains",
      "dropped tools[4]",
      "dropped turns[0].parts[1].detail",
      "dropped turns[1].parts[0]",
      "dropped turns[1].parts[1].citations",
      "dropped turns[1].parts[7]",
      "dropped verbosity",
      "emulated tools[1]",
      "emulated tools[2].namespace",
      "emulated tools[5].name",
      "emulated turns[1].parts[2]",
      "emulated turns[1].parts[4]",
      "emulated turns[4]",
      "repaired turns[1].parts[6].arguments",
    ].sort(),
  );
});

Deno.test("a converted request can be decoded again", () => {
  const again = decoded(encoded(rich).body, "gemini-3-pro-preview");
  assertEquals(encoded(again).notes, []);
  assertEquals(encoded(again).body, encoded(rich).body);
});

Deno.test("older models take media beside the result, newer ones within it", () => {
  const result: Part = {
    type: "tool-result",
    callId: "a",
    name: "f",
    kind: "function",
    parts: [{ type: "image", source: { type: "base64", data: "AAAA" }, mediaType: "image/png" }],
    isError: false,
  };
  const second: Part = { ...result, callId: "b", parts: [] };
  const { body } = encoded(foreign({
    model: "gemini-2.5-flash",
    turns: [{ role: "user", parts: [result, second] }],
  }));
  assertEquals(body.contents, [said(
    { functionResponse: { id: "a", name: "f", response: { output: "" } } },
    { functionResponse: { id: "b", name: "f", response: { output: "" } } },
    { inlineData: { mimeType: "image/png", data: "AAAA" } },
  )]);
});

Deno.test("older models get JSON by instruction if there are functions", () => {
  const { body, notes } = encoded(foreign({
    model: "gemini-2.5-flash",
    tools: [{ type: "function", name: "f" }],
    output: { type: "schema", schema: { type: "object" } },
  }));
  assertEquals(body.generationConfig, undefined);
  assert(JSON.stringify(body.systemInstruction).includes("JSON Schema"));
  assertEquals(notes, ["emulated output"]);
});

Deno.test("older models lose hosted tools beside functions, with a note", () => {
  const hosted: Tool = {
    type: "hosted",
    kind: "url-fetch",
    native: { format: "messages", fields: {} },
  };
  const tools: readonly Tool[] = [{ type: "function", name: "f" }, hosted];
  const { body, notes } = encoded(foreign({ model: "gemini-2.5-flash", tools }));
  assertEquals(body.tools, [{ functionDeclarations: [{ name: "f", description: "" }] }]);
  assertEquals(notes, ["dropped tools[1]"]);
  assertEquals(encoded(foreign({ model: "gemini-2.5-flash", tools: [hosted] })).body.tools, [{
    urlContext: {},
  }]);
});

const choices: readonly { readonly choice: ToolChoice; readonly wire: JsonObject }[] = [
  { choice: { type: "auto" }, wire: { mode: "AUTO" } },
  { choice: { type: "any" }, wire: { mode: "ANY" } },
  { choice: { type: "none" }, wire: { mode: "NONE" } },
  {
    choice: { type: "tool", name: "weather", kind: "function" },
    wire: { mode: "ANY", allowedFunctionNames: ["weather"] },
  },
  {
    choice: { type: "allowed", mode: "any", names: ["a", "b"] },
    wire: { mode: "ANY", allowedFunctionNames: ["a", "b"] },
  },
  {
    choice: { type: "allowed", mode: "auto", names: ["a"] },
    wire: { mode: "VALIDATED", allowedFunctionNames: ["a"] },
  },
];
for (const { choice, wire } of choices) {
  Deno.test(`toolChoice ${JSON.stringify(choice)} both ways`, () => {
    const { body, notes } = encoded(
      foreign({ tools: [{ ...weather, strict: false }], toolChoice: choice }),
    );
    assertEquals(body.toolConfig, { functionCallingConfig: wire });
    assertEquals(notes.filter((note) => !note.includes("parameters")), []);
    assertEquals(
      decoded({ ...hi, toolConfig: { functionCallingConfig: wire } }).toolChoice,
      choice,
    );
  });
}

for (
  const calling of [
    { mode: "VALIDATED" },
    { mode: "AUTO", allowedFunctionNames: ["f"] },
    { mode: "BRAND_NEW", allowedFunctionNames: ["f"] },
  ]
) {
  Deno.test(`toolConfig ${JSON.stringify(calling)} survives`, () => {
    const body = { ...hi, toolConfig: { functionCallingConfig: calling } };
    assertEquals(encoded(decoded(body)), { body, notes: [] });
  });
}

Deno.test("a choice that only another format has is refused", () => {
  const toolChoice: ToolChoice = { type: "native", format: "responses", value: { type: "mcp" } };
  const error = assertThrows(
    () => encoded(foreign({ tools: [weather], toolChoice })),
    GatewayError,
  );
  assertEquals(error.code, "unsupported_parameter");
});

for (const part of [{}, { text: null, inlineData: null }]) {
  Deno.test(`a part of ${JSON.stringify(part)} is empty`, () => {
    const error = assertThrows(() => decoded({ contents: [said(part)] }), GatewayError);
    assertEquals(error.code, "invalid_request");
    assert(error.message.endsWith("contents[0].parts[0] must not be empty"), error.message);
  });
}

Deno.test("a part without a kind is named by the members that say something", () => {
  const request = decoded({ contents: [said({ of_tomorrow: 1, text: null })] });
  const error = assertThrows(() => encodeAtOnce(responses, request), GatewayError);
  assert(error.message.includes("is a part of type of_tomorrow of"), error.message);
});

Deno.test("a file in another vendor's storage is refused", () => {
  const part: Part = {
    type: "file",
    source: { type: "file-id", id: "file-1", format: "responses" },
  };
  const error = assertThrows(
    () => encoded(foreign({ turns: [{ role: "user", parts: [part] }] })),
    GatewayError,
  );
  assertEquals([error.code, error.param], ["unsupported_parameter", "turns[0].parts[0]"]);
});

const thinking: readonly {
  readonly model: string;
  readonly reasoning: Reasoning;
  readonly wire?: JsonObject;
  readonly notes?: readonly string[];
}[] = [
  { model: "gemini-2.5-flash", reasoning: { effort: "low" }, wire: { thinkingBudget: 2048 } },
  { model: "gemini-2.5-flash", reasoning: { effort: "max" }, wire: { thinkingBudget: 24576 } },
  { model: "gemini-2.5-pro", reasoning: { effort: "max" }, wire: { thinkingBudget: 32768 } },
  { model: "gemini-2.5-flash", reasoning: { effort: "none" }, wire: { thinkingBudget: 0 } },
  { model: "gemini-2.5-flash", reasoning: { mode: "disabled" }, wire: { thinkingBudget: 0 } },
  {
    model: "gemini-2.5-pro",
    reasoning: { effort: "none" },
    wire: { thinkingBudget: 128 },
    notes: ["clamped reasoning"],
  },
  {
    model: "gemini-2.5-flash",
    reasoning: { mode: "enabled", budgetTokens: 31999, effort: "low" },
    wire: { thinkingBudget: 24576, includeThoughts: true },
    notes: ["clamped reasoning.budgetTokens"],
  },
  {
    model: "gemini-2.5-flash",
    reasoning: { mode: "adaptive" },
    wire: { thinkingBudget: -1, includeThoughts: true },
  },
  {
    model: "gemini-2.5-flash-lite",
    reasoning: { effort: "minimal", summary: "none" },
    wire: { thinkingBudget: 512 },
  },
  {
    model: "gemini-3-flash-preview",
    reasoning: { effort: "minimal" },
    wire: { thinkingLevel: "MINIMAL" },
  },
  {
    model: "gemini-3-pro-preview",
    reasoning: { effort: "medium" },
    wire: { thinkingLevel: "HIGH" },
    notes: ["clamped reasoning.effort"],
  },
  {
    model: "gemini-3.1-pro-preview",
    reasoning: { effort: "medium" },
    wire: { thinkingLevel: "MEDIUM" },
  },
  {
    model: "gemini-3.7-flash",
    reasoning: { effort: "minimal" },
    wire: { thinkingLevel: "LOW" },
    notes: ["clamped reasoning.effort"],
  },
  {
    model: "gemini-3-flash",
    reasoning: { mode: "enabled", budgetTokens: 8000, summary: "auto" },
    wire: { thinkingLevel: "MEDIUM", includeThoughts: true },
    notes: ["emulated reasoning.budgetTokens"],
  },
  {
    model: "gemini-3-pro-preview",
    reasoning: { mode: "disabled" },
    wire: { thinkingLevel: "LOW" },
    notes: ["clamped reasoning"],
  },
  {
    model: "gemini-3-flash",
    reasoning: { effort: "xhigh" },
    wire: { thinkingLevel: "HIGH" },
    notes: ["clamped reasoning.effort"],
  },
  { model: "gemini-3-flash", reasoning: { effort: "max" }, wire: { thinkingLevel: "HIGH" } },
  {
    model: "acme-large",
    reasoning: { effort: "xhigh" },
    wire: { thinkingLevel: "HIGH" },
    notes: ["clamped reasoning.effort"],
  },
  { model: "gemini-2.0-flash", reasoning: { effort: "high" }, notes: ["dropped reasoning"] },
  { model: "gemini-2.0-flash", reasoning: { effort: "none" } },
  { model: "acme-large", reasoning: { effort: "high" }, wire: { thinkingLevel: "HIGH" } },
  { model: "acme-large", reasoning: { budgetTokens: 10 }, wire: { thinkingBudget: 10 } },
];
for (const { model, reasoning, wire, notes = [] } of thinking) {
  Deno.test(`reasoning ${JSON.stringify(reasoning)} on ${model}`, () => {
    const result = encoded(foreign({ model, reasoning }));
    const config = result.body.generationConfig as JsonObject | undefined; // sound: an object or absent
    assertEquals(config?.thinkingConfig, wire);
    assertEquals(result.notes, notes);
  });
}

for (const level of ["MINIMAL", "LOW", "MEDIUM", "HIGH", "XHIGH"]) {
  Deno.test(`thinking level ${level} is an effort of its own and comes back`, () => {
    const generationConfig = { thinkingConfig: { thinkingLevel: level } };
    const wire = { contents: [said({ text: "hi" })], generationConfig };
    const request = decoded(wire);
    assertEquals<unknown>(request.reasoning, { effort: level.toLowerCase() });
    assertEquals(encoded(request).body.generationConfig, generationConfig);
  });
}

Deno.test("a level and a budget are never sent together", () => {
  for (const model of ["gemini-2.5-pro", "gemini-3-pro-preview", "acme-large"]) {
    const { body } = encoded(foreign({ model, reasoning: { effort: "high", budgetTokens: 4096 } }));
    const text = JSON.stringify(body);
    assert(text.includes("thinkingLevel") !== text.includes("thinkingBudget"), text);
  }
});

for (
  const { tier, wire, noted } of [
    { tier: "default", wire: "standard", noted: false },
    { tier: "standard_only", wire: "standard", noted: false },
    { tier: "flex", wire: "flex", noted: false },
    { tier: "priority", wire: "priority", noted: false },
    { tier: "fast", wire: "priority", noted: false },
    { tier: "scale", wire: undefined, noted: true },
  ]
) {
  Deno.test(`serviceTier ${tier}`, () => {
    const { body, notes } = encoded(foreign({ serviceTier: tier }));
    assertEquals(body.serviceTier, wire);
    assertEquals(notes, noted ? ["dropped serviceTier"] : []);
  });
}

Deno.test("countTokens: contents alone, or the whole request", () => {
  const { tokenCount } = generateContent;
  assert(tokenCount);
  const path = "/models/acme%2Fx:countTokens";
  const inner = { model: "models/acme/x", ...hi, systemInstruction: { parts: [{ text: "s" }] } };
  const plain = tokenCount.decodeRequest({ ...post(hi), path });
  const whole = tokenCount.decodeRequest({ ...post({ generateContentRequest: inner }), path });
  assertEquals([plain.model, whole.model], ["acme/x", "acme/x"]);
  assertEquals(whole.instructions, [{ type: "text", text: "s" }]);
  assertEquals(tokenCount.encodeRequest(plain), { ...post(hi), path });
  assertEquals(tokenCount.encodeRequest(whole).body, { generateContentRequest: inner });
  assertEquals(
    generateContent.envelope({ ...post({ generateContentRequest: inner }), path }).model,
    "acme/x",
  );
  assertEquals(tokenCount.encodeResponse(31), { totalTokens: 31 });
  assertEquals(tokenCount.decodeResponse({ totalTokens: 31 }), 31);
  for (const body of [null, [], {}, { totalTokens: "x" }, { totalTokens: -1 }]) {
    const error = assertThrows(() => tokenCount.decodeResponse(body), GatewayError);
    assertEquals(error.code, "upstream_invalid_response");
  }
});

const hostile: readonly (JsonObject[string])[] = [
  null,
  0,
  -1,
  1e400,
  "",
  "x",
  true,
  [],
  [[]],
  {},
  [null],
  [
    { a: 1 },
  ],
  { length: 3 },
  { __proto__: null },
];
const members = [
  "contents",
  "systemInstruction",
  "tools",
  "toolConfig",
  "generationConfig",
  "safetySettings",
  "cachedContent",
  "serviceTier",
  "labels",
  "store",
  "generateContentRequest",
];
Deno.test("decodeRequest answers hostile members with a request or a GatewayError", () => {
  for (const member of members) {
    for (const value of hostile) {
      expectsNoRawError({ ...hi, [member]: value });
      for (const key of Object.keys(everything.generationConfig as JsonObject)) { // sound: an object above
        expectsNoRawError({ ...hi, generationConfig: { [key]: value } });
      }
    }
  }
  for (const value of hostile) {
    for (
      const key of [
        "text",
        "thought",
        "thoughtSignature",
        "inlineData",
        "fileData",
        "functionCall",
        "functionResponse",
        "executableCode",
      ]
    ) {
      expectsNoRawError({ contents: [replied({ [key]: value })] });
      expectsNoRawError({ contents: [said({ text: "a", [key]: value })] });
    }
    expectsNoRawError({
      ...hi,
      tools: [{ functionDeclarations: [{ name: "f", parameters: value }] }],
    });
    expectsNoRawError({ contents: [replied({ functionCall: { name: "f", args: value } })] });
    expectsNoRawError({ contents: [said({ functionResponse: { name: "f", response: value } })] });
  }
});

Deno.test("decodeRequest answers deep nesting with a GatewayError or a request, in time", () => {
  const deep = (depth: number) => JSON.parse('{"a":'.repeat(depth) + "1" + "}".repeat(depth));
  for (const depth of [100, 5_000]) {
    expectsNoRawError({ contents: [replied({ functionCall: { name: "f", args: deep(depth) } })] });
    expectsNoRawError({
      ...hi,
      tools: [{ functionDeclarations: [{ name: "f", parameters: deep(depth) }] }],
    });
    expectsNoRawError({ ...hi, generationConfig: deep(depth) });
    expectsNoRawError({ ...hi, other: deep(depth) });
  }
});

function expectsNoRawError(body: JsonObject): void {
  try {
    encodeAtOnce(generateContent, decoded(body));
  } catch (error) {
    assert(error instanceof GatewayError, `${JSON.stringify(body).slice(0, 200)}: ${error}`);
  }
}
