import { patternLookup } from "../store/mod.ts";

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
