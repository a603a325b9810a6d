import { assertEquals } from "@std/assert";
import { collect, type FinishReason, type JsonObject } from "../../../lib/canonical/mod.ts";
import { generateContent } from "../../../lib/formats/generate_content/mod.ts";
import { words } from "../../e2e/load/sized_body.ts";
import { brief, convertedToOthers, decodedInChunks } from "../answers/converted_answer.ts";
import { assertValid } from "../codec_suite.ts";

/** Numbers for enums, as protobuf clients write them, and servers on request (`enum-encoding=int`). */

const big = words(20_000);

function chunk(text: string, finishReason?: unknown, members: JsonObject = {}): JsonObject {
  const content = { role: "model", parts: [{ text }] };
  return {
    candidates: [{ content, index: 0, ...(finishReason !== undefined && { finishReason }) }],
    responseId: "r",
    ...members,
  } as JsonObject; // sound: the reasons are JSON
}

/** The chunks of a long answer; a protobuf client prints the default reason on all but the last. */
function chunks(finishReason: unknown, members: JsonObject = {}, unfinished: unknown = 0) {
  const texts = big.match(/.{1,300}/gs) ?? [];
  return texts.map((text, at) =>
    at < texts.length - 1
      ? chunk(text, unfinished, members)
      : chunk(text, finishReason, { ...members, usageMetadata: usage })
  ).map((one) => ({ data: JSON.stringify(one) }));
}

const usage = { promptTokenCount: 9, candidatesTokenCount: 5, totalTokenCount: 14 };
const cloud = { createTime: "2026-11-20T10:00:00Z" };

const unknown = 99;
const reasons: readonly (readonly [number, FinishReason, JsonObject?])[] = [
  [1, "stop"],
  [2, "length"],
  [3, "content-filter"],
  [4, "content-filter"],
  [5, "stop"],
  [6, "content-filter"],
  [7, "content-filter"],
  [8, "content-filter"],
  [9, "content-filter"],
  [10, "stop"], // MALFORMED_FUNCTION_CALL
  [11, "content-filter"],
  [17, "content-filter"],
  [6, "content-filter", cloud],
  [8, "content-filter", cloud],
  [9, "stop", cloud], // MALFORMED_FUNCTION_CALL
  [unknown, "stop"],
];

for (const [number, reason, members = {}] of reasons) {
  const where = members === cloud ? " of the cloud" : "";
  Deno.test(`finishReason ${number}${where} is ${reason}, streamed, for callers of all formats`, () => {
    const events = chunks(number, members);
    const canonical = decodedInChunks("generate-content", events);
    assertEquals(brief(collect(canonical)), [`text: ${big}`]);
    assertEquals(collect(canonical).alternatives[0].finishReason, reason);
    for (const [to, { streamed }] of convertedToOthers("generate-content", canonical)) {
      assertEquals(streamed.alternatives[0].finishReason, reason, to);
    }
  });

  Deno.test(`finishReason ${number}${where} is ${reason}, whole and passed through`, () => {
    const whole = generateContent.decodeResponse(chunk(big, number, members));
    assertEquals(whole.alternatives[0].finishReason, reason);
    const events = chunks(number, members);
    if (number !== unknown) assertValid(generateContent, events);
    const reader = generateContent.usageReader.stream();
    const verdicts = events.map((event) => reader.push(event));
    assertEquals(verdicts.indexOf("terminal"), events.length - 1);
    assertEquals(events.map((event) => reader.trailing?.(event)), events);
    assertEquals(reader.result().outcome, "completed");
    assertEquals(reader.finishReasons?.(), [reason]);
  });
}

for (const unfinished of [0, null, "FINISH_REASON_UNSPECIFIED"]) {
  Deno.test(`a stream cut after chunks with finishReason ${unfinished} is no complete one`, () => {
    const events = chunks(1, {}, unfinished).slice(0, -1);
    assertEquals(decodedInChunks("generate-content", events).at(-1)?.type, "error");
    const reader = generateContent.usageReader.stream();
    for (const event of events) reader.push(event);
    assertEquals(reader.result().outcome, "open");
  });
}

Deno.test("the cloud's 10 is MODEL_ARMOR, the public endpoint's a malformed call", () => {
  const wireReason = (members: JsonObject) => {
    const response = generateContent.decodeResponse(chunk("a", 10, members));
    return response.alternatives[0].native?.fields.finishReason;
  };
  assertEquals([wireReason(cloud), wireReason({})], ["MODEL_ARMOR", "MALFORMED_FUNCTION_CALL"]);
});

Deno.test("a blockReason that is a number blocks the prompt, 0 does not", () => {
  const blocked = (blockReason: number) =>
    generateContent.usageReader.promptBlocked?.({ promptFeedback: { blockReason } });
  assertEquals([blocked(0), blocked(1), blocked(6)], [false, true, true]);
  const body = { promptFeedback: { blockReason: 1 }, usageMetadata: usage };
  const { alternatives } = generateContent.decodeResponse(body);
  assertEquals(alternatives[0].finishReason, "content-filter");
  const given = chunk(big, 1, { promptFeedback: { blockReason: 0 } });
  assertEquals(generateContent.decodeResponse(given).alternatives[0].finishReason, "stop");
});

Deno.test("tokens are counted by modalities and served tiers that are numbers", () => {
  const counted = (text: number | string, audio: number | string, traffic: number | string) =>
    generateContent.usageReader.usage({
      ...chunk("a", 1),
      usageMetadata: {
        ...usage,
        promptTokensDetails: [
          { modality: text, tokenCount: 2 },
          { modality: audio, tokenCount: 7 },
        ],
        trafficType: traffic,
      },
    });
  assertEquals(counted(1, 4, 3), counted("TEXT", "AUDIO", "ON_DEMAND_PRIORITY"));
  assertEquals(counted(1, 4, 3)?.audioInputTokens, 7);
  assertEquals(counted(1, 4, 3)?.servedTier, "fast");
});

Deno.test("the work of the code tool is shown with numbers as with names", () => {
  const shown = (language: number | string, outcome: number | string) => {
    const parts = [
      { executableCode: { language, code: "print(1)" } },
      { codeExecutionResult: { outcome, output: big } },
    ];
    const body = { candidates: [{ content: { role: "model", parts }, finishReason: 1 }] };
    return generateContent.decodeResponse(body).alternatives[0].parts;
  };
  assertEquals(shown(1, 2), shown("PYTHON", "OUTCOME_FAILED"));
});

function decoded(words: Readonly<Record<string, JsonObject[string]>>) {
  const w = (name: string) => words[name] ?? name;
  const schema = {
    type: w("OBJECT"),
    properties: {
      type: { type: w("STRING") },
      mode: { type: w("ARRAY"), items: { type: w("NUMBER") } },
    },
    anyOf: [{ type: w("INTEGER") }, { type: w("NULL") }],
  };
  const body: JsonObject = {
    contents: [
      {
        role: "user",
        parts: [{ text: big, mediaResolution: { level: "MEDIA_RESOLUTION_HIGH" } }],
      },
      { role: "model", parts: [{ functionCall: { name: "f", args: { type: 6, mode: 1 } } }] },
      {
        role: "user",
        parts: [{
          functionResponse: {
            name: "f",
            response: { outcome: 1, category: 2 },
            scheduling: "SILENT",
          },
        }],
      },
    ],
    tools: [
      { functionDeclarations: [{ name: "f", behavior: "NON_BLOCKING", parameters: schema }] },
      { googleSearchRetrieval: { dynamicRetrievalConfig: { mode: "MODE_DYNAMIC" } } },
    ],
    toolConfig: { functionCallingConfig: { mode: w("ANY"), allowedFunctionNames: ["f"] } },
    generationConfig: {
      responseModalities: [w("TEXT"), w("AUDIO")],
      mediaResolution: "MEDIA_RESOLUTION_LOW",
      thinkingConfig: { thinkingLevel: w("MINIMAL") },
      responseMimeType: "application/json",
      responseSchema: schema,
    },
    safetySettings: [
      {
        category: w("HARM_CATEGORY_HARASSMENT"),
        threshold: w("BLOCK_NONE"),
        method: "SEVERITY",
      },
    ],
  };
  return generateContent.decodeRequest({
    path: "/models/gemini-3-pro:generateContent",
    search: {},
    headers: {},
    body,
  });
}

Deno.test("a request with numbers for every enum that a conversion reads is the request with their names", () => {
  const numbers = {
    OBJECT: 6,
    STRING: 1,
    ARRAY: 5,
    NUMBER: 2,
    INTEGER: 3,
    NULL: 7,
    ANY: 2,
    TEXT: 1,
    AUDIO: 3,
    MINIMAL: 4,
    HARM_CATEGORY_HARASSMENT: 3,
    BLOCK_NONE: 4,
  };
  assertEquals(decoded(numbers), decoded({}));
  assertEquals(decoded({ ...numbers, HARM_CATEGORY_HARASSMENT: 7 }), decoded({}));
  const { tools, toolChoice, output } = decoded(numbers);
  assertEquals(toolChoice, { type: "tool", name: "f", kind: "function" });
  const [tool] = tools;
  assertEquals(tool.type === "function" && tool.parameters?.type, "object");
  assertEquals(output?.type === "schema" && output.schema.type, "object");
});

Deno.test("mode 4 and mode 5 are VALIDATED, at the public endpoint and in the cloud", () => {
  const decodedMode = (mode: number) =>
    generateContent.decodeRequest({
      path: "/models/gemini-3-pro:generateContent",
      search: {},
      headers: {},
      body: {
        contents: [{ parts: [{ text: "Hi" }] }],
        tools: [{ functionDeclarations: [{ name: "f" }] }],
        toolConfig: { functionCallingConfig: { mode } },
      },
    }).tools;
  const strict = [{ type: "function", name: "f", strict: true }];
  assertEquals([decodedMode(4), decodedMode(5)], [strict, strict]);
});

Deno.test("a service tier that is a number is a tier without a known name or price", () => {
  const { terms } = generateContent.billing;
  assertEquals([terms({ serviceTier: 3 }), terms({ service_tier: 0 })], [{ tier: "3" }, {}]);
});
