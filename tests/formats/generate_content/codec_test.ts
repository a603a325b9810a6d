import { isJsonObject, type JsonObject, type JsonValue } from "../../../lib/canonical/mod.ts";
import { generateContent } from "../../../lib/formats/generate_content/mod.ts";
import type { WireRequest } from "../../../lib/formats/wire.ts";
import { codecSuite } from "../codec_suite.ts";

/** The recordings keep a body's `model` if there is one; on the wire it is part of the address. */
codecSuite(generateContent, {
  wireOf,
  eventsOf: (stream) => stream.map((chunk) => ({ data: JSON.stringify(chunk) })),
  normalizeRequest,
  normalizeResponse,
  accumulate,
  malformed: [
    { name: "a body without contents", body: {}, names: "contents" },
    { name: "contents of text", body: { contents: "hi" }, names: "contents" },
    { name: "contents of null", body: { contents: null }, names: "contents" },
    { name: "no content at all", body: { contents: [] }, names: "contents" },
    { name: "a content of text", body: { contents: ["hi"] }, names: "contents[0]" },
    {
      name: "an unknown role",
      body: { contents: [{ role: "system" }] },
      names: "contents[0].role",
    },
    {
      name: "parts of a number",
      body: { contents: [{ parts: 3 }] },
      names: "contents[0].parts",
    },
    {
      name: "a part of null",
      body: { contents: [{ parts: [null] }] },
      names: "contents[0].parts[0]",
    },
    {
      name: "an empty part",
      body: { contents: [{ parts: [{ text: "a" }, {}] }] },
      names: "contents[0].parts[1] must not be empty",
    },
    {
      name: "text that is a number",
      body: { contents: [{ parts: [{ text: 7 }] }] },
      names: "contents[0].parts[0].text must be a string",
    },
    {
      name: "inline data without its type",
      body: { contents: [{ parts: [{ inlineData: { data: "AAAA" } }] }] },
      names: "contents[0].parts[0].inlineData.mimeType",
    },
    {
      name: "arguments that are text",
      body: { contents: [{ role: "model", parts: [{ functionCall: { name: "f", args: "{}" } }] }] },
      names: "contents[0].parts[0].functionCall.args must be an object",
    },
    {
      name: "a response that is text",
      body: { contents: [{ parts: [{ functionResponse: { name: "f", response: "x" } }] }] },
      names: "contents[0].parts[0].functionResponse.response",
    },
    {
      name: "tools that are text",
      body: { contents: [{ parts: [{ text: "a" }] }], tools: "all" },
      names: "tools",
    },
    {
      name: "a function without a name",
      body: {
        contents: [{ parts: [{ text: "a" }] }],
        tools: [{ functionDeclarations: [{ description: "d" }] }],
      },
      names: "tools[0].functionDeclarations[0].name",
    },
    {
      name: "a temperature of text",
      body: { contents: [{ parts: [{ text: "a" }] }], generationConfig: { temperature: "hot" } },
      names: "generationConfig.temperature must be a number",
    },
    {
      name: "a fractional limit",
      body: { contents: [{ parts: [{ text: "a" }] }], generationConfig: { maxOutputTokens: 1.5 } },
      names: "generationConfig.maxOutputTokens must be an integer",
    },
    {
      name: "stop sequences of text",
      body: { contents: [{ parts: [{ text: "a" }] }], generationConfig: { stopSequences: "x" } },
      names: "generationConfig.stopSequences",
    },
    {
      name: "a system instruction that is not text",
      body: {
        contents: [{ parts: [{ text: "a" }] }],
        systemInstruction: { parts: [{ inlineData: { mimeType: "image/png", data: "" } }] },
      },
      names: "systemInstruction.parts[0].text",
    },
    {
      name: "labels of objects",
      body: { contents: [{ parts: [{ text: "a" }] }], labels: { a: {} } },
      names: "labels.a",
    },
  ],
});

function wireOf({ model, ...body }: JsonObject, stream: boolean): WireRequest {
  const name = typeof model === "string" ? model : "gemini-2.5-flash";
  return {
    path: `/models/${name}:${stream ? "streamGenerateContent" : "generateContent"}`,
    search: stream ? { alt: "sse" } : {},
    headers: {},
    body,
  };
}

/** A missing role is `user`, a tool may hold one function or several, no arguments are `{}`. */
function normalizeRequest(body: JsonObject): JsonObject {
  const { model: _, contents, tools, ...rest } = body;
  return {
    ...rest,
    contents: list(contents).map((content) => ({
      ...content,
      role: content.role ?? "user",
      parts: list(content.parts),
    })),
    ...(tools !== undefined && { tools: flatTools(list(tools)) }),
  };
}

function flatTools(tools: readonly JsonObject[]): JsonValue[] {
  const functions = tools.flatMap(({ functionDeclarations: declared }) => list(declared));
  const hosted = tools.flatMap(({ functionDeclarations: _, ...others }) =>
    Object.entries(others).map(([key, value]) => ({ [key]: value }))
  );
  return [...functions, ...hosted];
}

/** Absent counts and indices are zero; absent content equals empty content. */
function normalizeResponse(body: JsonObject): JsonObject {
  const { candidates, usageMetadata, ...rest } = body;
  const usage = isJsonObject(usageMetadata) ? usageMetadata : {};
  return {
    ...rest,
    ...(candidates !== undefined && {
      candidates: list(candidates).map((candidate) => ({
        ...candidate,
        index: candidate.index ?? 0,
        content: list(isJsonObject(candidate.content) ? candidate.content.parts : [])
          .filter((part) => part.text !== "" || part.thoughtSignature !== undefined),
      })),
    }),
    usageMetadata: Object.fromEntries(Object.entries(usage).filter(([, count]) => count !== 0)),
  };
}

/** Behaves like a client of the format: joins the parts of all chunks and keeps the latest of the rest. */
function accumulate(stream: readonly JsonObject[]): JsonObject {
  const parts: JsonObject[] = [];
  let candidate: JsonObject = {};
  let answer: JsonObject = {};
  for (const chunk of stream) {
    const { candidates, ...rest } = chunk;
    const [first] = list(candidates);
    answer = { ...answer, ...rest };
    if (!first) continue;
    const { content, groundingMetadata, ...others } = first;
    candidate = { ...candidate, ...others };
    if (isJsonObject(groundingMetadata) && Object.keys(groundingMetadata).length > 0) {
      candidate = { ...candidate, groundingMetadata };
    }
    for (const part of list(isJsonObject(content) ? content.parts : [])) join(parts, part);
  }
  return { ...answer, candidates: [{ ...candidate, content: { role: "model", parts } }] };
}

function join(parts: JsonObject[], part: JsonObject): void {
  const last = parts.at(-1);
  const follows = typeof part.text === "string" && typeof last?.text === "string" &&
    last.thoughtSignature === undefined &&
    (last.thought === part.thought || part.text === "");
  if (follows) parts[parts.length - 1] = { ...last, ...part, text: `${last.text}${part.text}` };
  else parts.push(part);
}

function list(value: JsonValue | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}
