import type { ModelPrice } from "../store/catalog/mod.ts";
import { patternLookup } from "../store/mod.ts";

/** Features of a model apart from answering text with text. */
export const capabilities = ["tools", "vision", "audio", "images", "reasoning", "cache"] as const;
/**
 * `vision` and `audio` are accepted as input, `images` are generated, `cache` has a separate price
 * for cached input.
 */
export type Capability = typeof capabilities[number];

/**
 * Features of model families as vendors document them, by name; the first match counts. Other
 * models are unknown.
 */
const families: readonly (readonly [pattern: string, can: readonly Capability[]])[] = [
  ["gpt-4o*", ["tools", "vision"]],
  ["gpt-4.1*", ["tools", "vision"]],
  ["gpt-5-search*", []],
  ["gpt-5*", ["tools", "vision", "reasoning"]],
  ["gpt-6*", ["tools", "vision", "reasoning"]],
  ["gpt-audio*", ["tools", "audio"]],
  ["gpt-oss*", ["tools", "reasoning"]],
  ["o3*", ["tools", "vision", "reasoning"]],
  ["claude-*", ["tools", "vision", "reasoning"]],
  ["gemini-*-image", ["vision", "images"]],
  ["gemini-nano-*", ["vision", "images"]],
  ["gemini-*", ["tools", "vision", "audio", "reasoning"]],
  ["grok-*", ["tools", "vision", "reasoning"]],
  ["deepseek-*", ["tools", "reasoning"]],
  ["mistral-*", ["tools", "vision"]],
  ["ministral-*", ["tools", "vision"]],
  ["codestral-*", ["tools"]],
  ["devstral-*", ["tools"]],
  ["*llama-4-*", ["tools", "vision"]],
  ["*llama4-*", ["tools", "vision"]],
  ["*llama-*", ["tools"]],
  ["qwen3-vl-*", ["tools", "vision"]],
  ["qwen*", ["tools"]],
  ["kimi-*", ["tools"]],
  ["glm-*", ["tools", "reasoning"]],
  ["MiniMax-*", ["tools", "reasoning"]],
  ["command-*", ["tools"]],
];

const familyCapabilities = patternLookup(families);

/** The known features of a catalog model, by its id and its price. */
export function capabilitiesOf(
  id: string | undefined,
  price: Partial<ModelPrice> = {},
): readonly Capability[] {
  const can = new Set(id === undefined ? undefined : familyCapabilities(id));
  if (price.cachedInput !== undefined) can.add("cache");
  if (price.audioInput !== undefined) can.add("audio");
  if (price.imageOutput !== undefined) can.add("images");
  return capabilities.filter((one) => can.has(one));
}

/**
 * The purpose of a model; `guard` judges chat messages. No endpoint here serves `other`, such as
 * video or live speech.
 */
const purposes = [
  "chat",
  "embedding",
  "completion",
  "image",
  "speech",
  "transcription",
  "moderation",
  "rerank",
  "guard",
  "other",
] as const;
export type Purpose = typeof purposes[number];

/**
 * Names of models other than chat models, in lower case and without a vendor's prefix; the first
 * match counts.
 */
const names: readonly (readonly [pattern: string, purpose: Purpose])[] = [
  ["*rerank*", "rerank"],
  ["*embed*", "embedding"],
  ["bge-*", "embedding"],
  ["gte-*", "embedding"],
  ["all-minilm*", "embedding"],
  ["e5-*", "embedding"],
  ["multilingual-e5-*", "embedding"],
  ["voyage-*", "embedding"],
  ["m2-bert-*", "embedding"],
  ["*moderation*", "moderation"],
  ["*-guard*", "guard"],
  ["*safeguard*", "guard"],
  ["shieldgemma*", "guard"],
  ["*whisper*", "transcription"],
  ["*transcribe*", "transcription"],
  ["voxtral-*-transcri*", "transcription"],
  ["gemini-*-tts*", "other"],
  ["tts-*", "speech"],
  ["*-tts*", "speech"],
  ["orpheus-*", "speech"],
  ["kokoro*", "speech"],
  ["sonic-*", "speech"],
  ["dall-e-*", "image"],
  ["gpt-image-*", "image"],
  ["chatgpt-image-*", "image"],
  ["imagen-*", "image"],
  ["flux*", "image"],
  ["stable-diffusion*", "image"],
  ["sdxl*", "image"],
  ["qwen-image*", "image"],
  ["*-imagine-image*", "image"],
  ["grok-2-image*", "image"],
  ["gpt-3.5-turbo-instruct*", "completion"],
  ["babbage-002", "completion"],
  ["davinci-002", "completion"],
  ["*-realtime*", "other"],
  ["*-live-*", "other"],
  ["sora-*", "other"],
  ["veo-*", "other"],
  ["lyria-*", "other"],
  ["*-ocr-*", "other"],
  ["aqa", "other"],
];

const knownPurpose = patternLookup(names);

/** The purpose of a model by its name; default: chat. */
export function purposeOf(id: string): Purpose {
  const name = id.slice(id.lastIndexOf("/") + 1).toLowerCase();
  return knownPurpose(name) ?? "chat";
}
