import type { VendorModel } from "./vendor.ts";

/**
 * OpenAI's models other than chat whose calls state their whole cost. Models billed by the
 * character or the image are missing: their calls state neither.
 */
export const openaiOther: readonly VendorModel[] = [
  {
    id: "text-embedding-3-small",
    displayName: "Text Embedding 3 small",
    contextWindow: 8_192,
    price: { input: 0.02, output: 0 },
  },
  {
    id: "text-embedding-3-large",
    displayName: "Text Embedding 3 large",
    contextWindow: 8_192,
    price: { input: 0.13, output: 0 },
  },
  {
    id: "text-embedding-ada-002",
    displayName: "Text Embedding Ada 002",
    contextWindow: 8_192,
    price: { input: 0.1, output: 0 },
  },
  {
    id: "omni-moderation",
    displayName: "Omni Moderation",
    price: { input: 0, output: 0 },
  },
  {
    id: "gpt-image-1",
    displayName: "GPT Image 1",
    price: { input: 5, cachedInput: 1.25, output: 40, imageInput: 10, imageOutput: 40 },
  },
  {
    id: "gpt-image-1-mini",
    displayName: "GPT Image 1 mini",
    price: { input: 2, cachedInput: 0.2, output: 8, imageInput: 2.5, imageOutput: 8 },
  },
  {
    id: "gpt-4o-transcribe",
    displayName: "GPT-4o Transcribe",
    contextWindow: 16_000,
    maxOutputTokens: 2_000,
    price: { input: 2.5, output: 10, audioInput: 6 },
  },
  {
    id: "gpt-4o-mini-transcribe",
    displayName: "GPT-4o mini Transcribe",
    contextWindow: 16_000,
    maxOutputTokens: 2_000,
    price: { input: 1.25, output: 5, audioInput: 3 },
  },
];
