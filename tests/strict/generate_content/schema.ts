import { z } from "zod";
import { isJsonObject, type JsonObject } from "../../../lib/canonical/mod.ts";

/** The body of a generate-content request, closed at every level as the vendor's JSON reader is. */

const json = z.custom<JsonObject>(
  (value) => typeof value === "object" && value !== null && !Array.isArray(value),
  { error: "Expected an object" },
);

const blob = message({
  mimeType: z.string().regex(/^(image|audio|video|application|text)\/[a-z0-9.+-]+$/i, {
    error: "Unsupported MIME type",
  }),
  data: z.string().regex(/^[A-Za-z0-9+/_-]*=*$/).min(1),
  displayName: z.string().optional(),
});
const fileData = message({
  mimeType: z.string().optional(),
  fileUri: z.string().min(1),
  displayName: z.string().optional(),
});
const functionName = z.string().regex(/^[A-Za-z_][A-Za-z0-9_.:-]{0,127}$/);

const part = message({
  text: z.string().optional(),
  inlineData: blob.optional(),
  fileData: fileData.optional(),
  functionCall: message({
    name: functionName,
    args: json.optional(),
    id: z.string().optional(),
  }).optional(),
  functionResponse: message({
    name: functionName,
    response: json,
    id: z.string().optional(),
    parts: z.array(message({ inlineData: blob.optional(), fileData: fileData.optional() }))
      .optional(),
    scheduling: z.string().optional(),
    willContinue: z.boolean().optional(),
  }).optional(),
  executableCode: json.optional(),
  codeExecutionResult: json.optional(),
  toolCall: json.optional(),
  toolResponse: json.optional(),
  thought: z.boolean().optional(),
  thoughtSignature: z.string().optional(),
  videoMetadata: json.optional(),
  mediaResolution: json.optional(),
  partMetadata: json.optional(),
});

const content = message({
  role: z.enum(["user", "model"], {
    error: "Please use a valid role: user, model",
  }).optional(),
  parts: z.array(part).min(1, { error: "contents.parts must not be empty" }),
});

const declaration = message({
  name: functionName,
  description: z.string().optional(),
  parameters: json.optional(),
  parametersJsonSchema: json.optional(),
  response: json.optional(),
  responseJsonSchema: json.optional(),
});

const tool = message({
  functionDeclarations: z.array(declaration).optional(),
  googleSearch: json.optional(),
  urlContext: json.optional(),
  codeExecution: json.optional(),
});

export const generateBody = message({
  contents: z.array(content).min(1, { error: "contents is not specified" }),
  systemInstruction: message({
    role: z.string().optional(),
    parts: z.array(message({ text: z.string() })).min(1),
  }).optional(),
  tools: z.array(tool).optional(),
  toolConfig: message({
    functionCallingConfig: message({
      mode: z.enum(["AUTO", "ANY", "NONE", "VALIDATED"]).optional(),
      allowedFunctionNames: z.array(z.string()).optional(),
    }).optional(),
    retrievalConfig: json.optional(),
    includeServerSideToolInvocations: z.boolean().optional(),
  }).optional(),
  safetySettings: z.array(message({
    category: z.string().regex(/^HARM_CATEGORY_/),
    threshold: z.enum([
      "BLOCK_LOW_AND_ABOVE",
      "BLOCK_MEDIUM_AND_ABOVE",
      "BLOCK_ONLY_HIGH",
      "BLOCK_NONE",
      "OFF",
    ]),
  })).optional(),
  generationConfig: message({
    temperature: z.number().min(0).max(2).optional(),
    topP: z.number().min(0).max(1).optional(),
    topK: z.number().min(1).optional(),
    candidateCount: z.int().min(1).max(8).optional(),
    maxOutputTokens: z.int().min(1).optional(),
    stopSequences: z.array(z.string()).max(5).optional(),
    presencePenalty: z.number().min(-2).max(2).optional(),
    frequencyPenalty: z.number().min(-2).max(2).optional(),
    seed: z.int32().optional(),
    responseLogprobs: z.boolean().optional(),
    logprobs: z.int().min(0).max(20).optional(),
    responseMimeType: z.enum(["text/plain", "application/json", "text/x.enum"]).optional(),
    responseSchema: json.optional(),
    responseJsonSchema: json.optional(),
    responseModalities: z.array(z.enum(["TEXT", "IMAGE", "AUDIO", "VIDEO"])).optional(),
    mediaResolution: z.string().optional(),
    speechConfig: json.optional(),
    imageConfig: json.optional(),
    thinkingConfig: message({
      includeThoughts: z.boolean().optional(),
      thinkingBudget: z.int().min(-1).optional(),
      thinkingLevel: z.string().regex(/^(minimal|low|medium|high|xhigh)$/i).optional(),
    }).optional(),
  }).optional(),
  cachedContent: z.string().optional(),
  serviceTier: z.enum(["standard", "flex", "priority", "unspecified"]).optional(),
  labels: z.record(z.string(), z.string()).optional(),
  store: z.boolean().optional(),
});

export type GenerateBody = z.infer<typeof generateBody>;
export type Content = GenerateBody["contents"][number];
export type GeneratePart = Content["parts"][number];

/** The members of which a part has exactly one. */
export const dataFields = [
  "text",
  "inlineData",
  "fileData",
  "functionCall",
  "functionResponse",
  "executableCode",
  "codeExecutionResult",
  "toolCall",
  "toolResponse",
] as const;

/** A closed object; as in proto3 JSON each member may be written in snake case, as Python's SDK does. */
function message<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.preprocess((value) => camelCased(value, shape), z.strictObject(shape));
}

function camelCased(value: unknown, shape: z.ZodRawShape): unknown {
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      const name = key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
      return [name in shape ? name : key, inner];
    }),
  );
}
