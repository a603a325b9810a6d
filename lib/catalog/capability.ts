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
