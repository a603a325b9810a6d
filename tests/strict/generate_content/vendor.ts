import { isJsonObject, type JsonObject, type JsonValue } from "../../../lib/canonical/mod.ts";
import type { ServerSentEvent } from "../../../lib/formats/wire.ts";
import { judge } from "../judge.ts";
import { piecesOf, type Prompt, type Reply } from "../small_model.ts";
import type { Answering, Vendor } from "../vendor.ts";
import { groundingOf, hostedParts } from "./hosted.ts";
import { generateRules, proofsOf, signedContent, thoughtSignature } from "./rules.ts";
import { type GenerateBody, generateBody, type GeneratePart } from "./schema.ts";

/** The generate-content vendor: complete calls, signatures on parts, no end marker. */
export const generateVendor: Vendor = {
  basePath: "/v1beta",
  address: (path) => {
    const [, model, verb] =
      /^\/models\/([^?]+):(generateContent|streamGenerateContent\?(?:.*&)?alt=sse)/.exec(path) ??
        [];
    return model === undefined
      ? undefined
      : { model: decodeURIComponent(model), stream: verb !== "generateContent" };
  },
  credential: (headers) => headers.get("x-goog-api-key") ?? undefined,
  refusals: judge(generateBody, generateRules),
  proofs: ({ body }) => proofsOf(generateBody.parse(body)),
  prompt: ({ body }) => promptOf(generateBody.parse(body)),
  counting: { writes: false },
  whole: (reply, answering) => ({
    candidates: [candidate(partsOf(reply, answering), ending(reply))],
    ...frame(answering),
  }),
  stream,
  error: errorOf,
  streamError: (message) => [data(errorOf(503, message))],
};

const statuses: Readonly<Record<number, string>> = {
  400: "INVALID_ARGUMENT",
  401: "UNAUTHENTICATED",
  403: "PERMISSION_DENIED",
  404: "NOT_FOUND",
  429: "RESOURCE_EXHAUSTED",
  500: "INTERNAL",
  503: "UNAVAILABLE",
  504: "DEADLINE_EXCEEDED",
};

function errorOf(code: number, message: string): JsonObject {
  return { error: { code, message, status: statuses[code] ?? "UNKNOWN" } };
}

function promptOf(body: GenerateBody): Prompt {
  const last = body.contents.at(-1)?.parts ?? [];
  const answered = last.flatMap(({ functionResponse }) => functionResponse ?? []);
  const beside = last.flatMap(mediaOf);
  const spoken = body.contents.findLast(({ role, parts }) =>
    role !== "model" && parts.some(({ text }) => text)
  );
  const thinking = body.generationConfig?.thinkingConfig;
  return {
    text: (spoken?.parts ?? []).flatMap(({ text }) => text ? [text] : []).join("\n"),
    results: answered.map(({ name, response, parts = [] }, index) => ({
      name,
      text: toldBy(response),
      media: parts.length + (index === answered.length - 1 ? beside.length : 0),
    })),
    media: answered.length > 0 ? [] : beside,
    ...schemaOf(body),
    thinks: thinking !== undefined && thinking.thinkingBudget !== 0,
    tools: (body.tools ?? []).flatMap(({ functionDeclarations = [] }) =>
      functionDeclarations.map(({ name }) => ({ name }))
    ),
    answered: body.contents.flatMap(({ parts }) => parts)
      .filter(({ functionResponse }) => functionResponse).length,
    ...forcedOf(body),
  };
}

/** The result in a response object, whose member clients name differently. */
function toldBy({ name: _, ...response }: JsonObject): string {
  const { output, error, result, content } = response;
  const told = output ?? error ?? result ?? textIn(content) ?? response;
  return typeof told === "string" ? told : JSON.stringify(told);
}

/** A text, or the blocks of one as tool servers return them. */
function textIn(content: JsonValue | undefined): JsonValue | undefined {
  if (!Array.isArray(content)) return content;
  return content.map((block) => isJsonObject(block) ? block.text : block).join("\n");
}

function mediaOf({ inlineData, fileData }: GeneratePart): string[] {
  if (inlineData) return [inlineData.mimeType];
  return fileData ? [fileData.mimeType ?? "file"] : [];
}

function schemaOf({ generationConfig: config = {} }: GenerateBody): Pick<Prompt, "schema"> {
  if (config.responseMimeType !== "application/json") return {};
  return { schema: config.responseJsonSchema ?? config.responseSchema ?? true };
}

function forcedOf({ toolConfig }: GenerateBody): Pick<Prompt, "forced"> {
  const { mode, allowedFunctionNames = [] } = toolConfig?.functionCallingConfig ?? {};
  if (mode === "NONE") return { forced: false };
  return mode === "ANY" ? { forced: allowedFunctionNames[0] ?? true } : {};
}

/** Thoughts on request; the signature is on the first call, or on an empty text at the end. */
function partsOf(reply: Reply, { id, asked }: Answering): GeneratePart[] {
  const { thought, text, calls } = reply;
  const { generationConfig } = generateBody.parse(asked.body);
  const shows = generationConfig?.thinkingConfig?.includeThoughts === true;
  const said = calls.map(({ name, args }, index): GeneratePart => ({
    functionCall: { id: `fc-${id}-${index}`, name, args },
  }));
  const [first, ...rest] = said.length > 0 ? said : [{ text: "" }];
  return [
    ...(thought !== undefined && shows ? [{ text: thought, thought: true }] : []),
    ...hostedParts(reply),
    ...(text === undefined ? [] : [{ text }]),
    ...(thought === undefined && said.length === 0 ? [] : [signed(first), ...rest]),
  ];
}

function signed(part: GeneratePart): GeneratePart {
  return { ...part, thoughtSignature: thoughtSignature.sign(signedContent(part)) };
}

function candidate(parts: readonly GeneratePart[], ending: JsonObject = {}): JsonObject {
  return {
    content: { role: "model", parts: parts.map((part): JsonObject => ({ ...part })) },
    ...ending,
    index: 0,
  };
}

/** The members of an answer's last candidate other than its parts. */
function ending(reply: Reply): JsonObject {
  return { finishReason: "STOP", ...groundingOf(reply) };
}

function frame({ id, model, counts }: Answering): JsonObject {
  const prompt = counts.input + counts.cacheRead;
  return {
    usageMetadata: {
      promptTokenCount: prompt,
      cachedContentTokenCount: counts.cacheRead,
      candidatesTokenCount: counts.output,
      ...(counts.reasoning > 0 && { thoughtsTokenCount: counts.reasoning }),
      totalTokenCount: prompt + counts.output + counts.reasoning,
      promptTokensDetails: [{ modality: "TEXT", tokenCount: prompt }],
    },
    modelVersion: model,
    responseId: `gc-${id}`,
  };
}

function stream(reply: Reply, answering: Answering): ServerSentEvent[] {
  const parts = partsOf(reply, answering);
  const chunks = parts.flatMap((part): GeneratePart[][] =>
    part.text && part.thoughtSignature === undefined
      ? piecesOf(part.text).map((text) => [{ ...part, text }])
      : [[part]]
  );
  const closes = chunks.at(-1)?.[0].text === "";
  const all = closes ? chunks : [...chunks, [{ text: "" }]];
  return all.map((chunk, index) =>
    data({
      candidates: [candidate(chunk, index === all.length - 1 ? ending(reply) : undefined)],
      ...frame(answering),
    })
  );
}

function data(value: JsonObject): ServerSentEvent {
  return { data: JSON.stringify(value) };
}
