import { z } from "zod";
import type { JsonObject } from "../../../lib/canonical/mod.ts";

/** The body of a generate-content request, closed at every level as the vendor's JSON reader is. */

const json = z.custom<JsonObject>(
  (value) => typeof value === "object" && value !== null && !Array.isArray(value),
  { error: "Expected an object" },
);

const blob = z.strictObject({
  mimeType: z.string().regex(/^(image|audio|video|application|text)\/[a-z0-9.+-]+$/i, {
    error: "Unsupported MIME type",
  }),
  data: z.string().regex(/^[A-Za-z0-9+/_-]*=*$/).min(1),
  displayName: z.string().optional(),
});
const fileData = z.strictObject({
  mimeType: z.string().optional(),
  fileUri: z.string().min(1),
  displayName: z.string().optional(),
});
const functionName = z.string().regex(/^[A-Za-z_][A-Za-z0-9_.:-]{0,127}$/);

const part = z.strictObject({
  text: z.string().optional(),
  inlineData: blob.optional(),
  fileData: fileData.optional(),
  functionCall: z.strictObject({
    name: functionName,
    args: json.optional(),
    id: z.string().optional(),
  }).optional(),
  functionResponse: z.strictObject({
    name: functionName,
    response: json,
    id: z.string().optional(),
    parts: z.array(z.strictObject({ inlineData: blob.optional(), fileData: fileData.optional() }))
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

const content = z.strictObject({
  role: z.enum(["user", "model"], {
    error: "Please use a valid role: user, model",
  }).optional(),
  parts: z.array(part).min(1, { error: "contents.parts must not be empty" }),
});

const declaration = z.strictObject({
  name: functionName,
  description: z.string().optional(),
  parameters: json.optional(),
  parametersJsonSchema: json.optional(),
  response: json.optional(),
  responseJsonSchema: json.optional(),
});

const tool = z.strictObject({
  functionDeclarations: z.array(declaration).optional(),
  googleSearch: json.optional(),
  urlContext: json.optional(),
  codeExecution: json.optional(),
});

export const generateBody = z.strictObject({
  contents: z.array(content).min(1, { error: "contents is not specified" }),
  systemInstruction: z.strictObject({
    role: z.string().optional(),
    parts: z.array(z.strictObject({ text: z.string() })).min(1),
  }).optional(),
  tools: z.array(tool).optional(),
  toolConfig: z.strictObject({
    functionCallingConfig: z.strictObject({
      mode: z.enum(["AUTO", "ANY", "NONE", "VALIDATED"]).optional(),
      allowedFunctionNames: z.array(z.string()).optional(),
    }).optional(),
    retrievalConfig: json.optional(),
    includeServerSideToolInvocations: z.boolean().optional(),
  }).optional(),
  safetySettings: z.array(z.strictObject({
    category: z.string().regex(/^HARM_CATEGORY_/),
    threshold: z.enum([
      "BLOCK_LOW_AND_ABOVE",
      "BLOCK_MEDIUM_AND_ABOVE",
      "BLOCK_ONLY_HIGH",
      "BLOCK_NONE",
      "OFF",
    ]),
  })).optional(),
  generationConfig: z.strictObject({
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
    thinkingConfig: z.strictObject({
      includeThoughts: z.boolean().optional(),
      thinkingBudget: z.int().min(-1).optional(),
      thinkingLevel: z.string().regex(/^(minimal|low|medium|high)$/i).optional(),
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
