import { z } from "zod";
import { isJsonObject, type JsonObject } from "../../canonical/mod.ts";
import { filled, flag, number, text, texts } from "../schema.ts";

/**
 * The members of a relayed request that the gateway checks and describes. Others pass, and so do
 * values that the upstream must judge.
 */

const input = z.union(
  [z.string(), z.array(z.unknown()).min(1, "must not be empty")],
  "must be a string or an array",
);
const isFile = (value: unknown) => isJsonObject(value) && !Array.isArray(value);
const file = z.custom<JsonObject>(isFile, "must be a file")
  .meta({ type: "string", format: "binary" });
const files = z.union([file, z.array(file)], "must be a file or several");

export const embeddingRequest = z.looseObject({
  model: filled,
  input,
  encoding_format: text.nullish(),
  dimensions: number,
});

export const completionRequest = z.looseObject({
  model: filled,
  prompt: input.nullish(),
  suffix: text.nullish(),
  max_tokens: number,
  temperature: number,
  top_p: number,
  n: number,
  best_of: number,
  stop: z.union([z.string(), texts], "must be a string or an array of strings").nullish(),
  stream: flag,
  stream_options: z.looseObject({ include_usage: flag }, "must be an object").nullish(),
});

export const imageRequest = z.looseObject({
  model: filled,
  prompt: filled,
  n: number,
  size: text.nullish(),
  quality: text.nullish(),
  response_format: text.nullish(),
  stream: flag,
});

export const imageEditForm = z.looseObject({
  model: filled,
  prompt: filled,
  image: files.optional(),
  "image[]": files.optional(),
  mask: file.optional(),
  n: text.optional(),
  size: text.optional(),
});

export const speechRequest = z.looseObject({
  model: filled,
  input: filled,
  voice: z.unknown(),
  response_format: text.nullish(),
  stream_format: text.nullish(),
  speed: number,
});

export const transcriptionForm = z.looseObject({
  model: filled,
  file,
  language: text.optional(),
  prompt: text.optional(),
  response_format: text.optional(),
  stream: text.optional(),
});

export const translationForm = transcriptionForm.omit({ language: true, stream: true });

export const moderationRequest = z.looseObject({ model: text.nullish(), input });

/** OpenAI's form (2026-10); Google's has an object of questions. */
export const decisionRequest = z.looseObject({
  model: filled,
  input,
  questions: z.array(z.unknown(), "must be an array").min(1, "must not be empty"),
});

export const rerankRequest = z.looseObject({
  model: filled,
  query: z.unknown().refine((query) => query !== undefined && query !== "", "must not be empty"),
  documents: z.array(z.unknown(), "must be an array").min(1, "must not be empty"),
  top_n: number,
  return_documents: flag,
});
