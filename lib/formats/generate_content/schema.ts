import { z } from "zod";
import type { JsonObject } from "../../canonical/mod.ts";
import {
  assertShape,
  filled,
  flag,
  lazyJsonSchema,
  number,
  object,
  text,
  textMap,
  texts,
} from "../schema.ts";

/** Structure of a request, after normalising its spelling. Unknown members pass; `null` counts as absent. */

const integer = z.union(
  [z.int(), z.string().regex(/^-?\d{1,19}$/, "must be an integer")],
  "must be an integer",
).nullish();

const blob = z.looseObject({ mimeType: text, data: text }, "must be an object");
const file = z.looseObject({ fileUri: text, mimeType: text.nullish() }, "must be an object");

const functionCall = z.looseObject({
  name: text.nullish(),
  args: object.nullish(),
  id: text.nullish(),
}, "must be an object");

const functionResponse = z.looseObject({
  name: text.nullish(),
  response: object.nullish(),
  id: text.nullish(),
  parts: z.array(
    z.looseObject({ inlineData: blob.nullish(), fileData: file.nullish() }, "must be an object"),
    "must be an array of parts",
  ).nullish(),
}, "must be an object");

const part = z.looseObject({
  text: text.nullish(),
  thought: flag,
  thoughtSignature: text.nullish(),
  inlineData: blob.nullish(),
  fileData: file.nullish(),
  functionCall: functionCall.nullish(),
  functionResponse: functionResponse.nullish(),
}, "must be an object").refine(
  (value) => Object.values(value).some((member) => member !== null),
  "must not be empty",
);

const content = z.looseObject({
  role: z.enum(["user", "model", "function"], 'must be "user" or "model"').nullish(),
  parts: z.array(part, "must be an array of parts").nullish(),
}, "must be an object");

const systemInstruction = z.looseObject({
  parts: z.array(
    z.looseObject({ text }, "must be an object"),
    "must be an array of parts",
  ).nullish(),
}, "must be an object");

const functionDeclaration = z.looseObject({
  name: filled,
  description: text.nullish(),
  parameters: object.nullish(),
  parametersJsonSchema: object.nullish(),
}, "must be an object");

const tool = z.looseObject({
  functionDeclarations: z.array(functionDeclaration, "must be an array of functions").nullish(),
}, "must be an object");

const toolConfig = z.looseObject({
  functionCallingConfig: z.looseObject({
    mode: text.nullish(),
    allowedFunctionNames: texts.nullish(),
  }, "must be an object").nullish(),
}, "must be an object");

const generationConfig = z.looseObject({
  temperature: number,
  topP: number,
  topK: number,
  candidateCount: integer,
  maxOutputTokens: integer,
  stopSequences: texts.nullish(),
  presencePenalty: number,
  frequencyPenalty: number,
  seed: integer,
  responseLogprobs: flag,
  logprobs: integer,
  responseMimeType: text.nullish(),
  responseSchema: object.nullish(),
  responseJsonSchema: object.nullish(),
  thinkingConfig: z.looseObject({
    includeThoughts: flag,
    thinkingBudget: integer,
    thinkingLevel: text.nullish(),
  }, "must be an object").nullish(),
}, "must be an object");

export const request = z.looseObject({
  contents: z.array(content, "must be an array of contents").min(1, "must not be empty"),
  systemInstruction: systemInstruction.nullish(),
  tools: z.array(tool, "must be an array of tools").nullish(),
  toolConfig: toolConfig.nullish(),
  generationConfig: generationConfig.nullish(),
  safetySettings: z.array(
    z.looseObject({ category: text, threshold: text }, "must be an object"),
    "must be an array of settings",
  ).nullish(),
  cachedContent: text.nullish(),
  serviceTier: text.nullish(),
  labels: textMap.nullish(),
  store: flag,
}, "must be an object");

/** Used in the API description. */
export const requestJsonSchema = lazyJsonSchema(request);

/** Checks a body's structure. Throws `invalid_request` that names the first wrong field. */
export function assertRequest(body: JsonObject): void {
  assertShape(request, body, "");
}
