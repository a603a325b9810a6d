import type { ModelPrice, ServiceTierPrice } from "../store/catalog/mod.ts";
import {
  rates,
  type UsualRates,
  type VendorCatalog,
  type VendorRow,
  withLongPrompts,
} from "./vendor.ts";

/** Prices of 1,000 calls in USD; the code interpreter is billed by its container's time, which no usage states. */
const hostedTools = { "web-search": 10, "file-search": 2.5 };

function withTools(price: ModelPrice, serviceTiers?: ModelPrice["serviceTiers"]): ModelPrice {
  return { ...price, hostedTools, ...(serviceTiers && { serviceTiers }) };
}

function longPrompts(...price: Parameters<typeof withTools>): ModelPrice {
  return withLongPrompts(withTools(...price), { aboveInputTokens: 272_000, input: 2, output: 1.5 });
}

/** Since GPT-5.6: cache writes last half an hour, or twelve hours on request. */
function writing(usual: UsualRates, serviceTiers: ModelPrice["serviceTiers"]): ModelPrice {
  const { input } = usual;
  const writes = { cacheWrite: rounded(input * 1.25), cacheWrite12h: rounded(input * 2.5) };
  return longPrompts({ ...usual, ...writes }, serviceTiers);
}

function rounded(rate: number): number {
  return Number(rate.toFixed(6));
}

const flex: ServiceTierPrice = { factor: 0.5 };
/** Also called priority. */
const fast: ServiceTierPrice = { factor: 2 };
const ultrafast: ServiceTierPrice = { factor: 6 };

const large = { contextWindow: 1_050_000, maxOutputTokens: 128_000 };
const medium = { contextWindow: 400_000, maxOutputTokens: 128_000 };
const gpt41 = { contextWindow: 1_047_576, maxOutputTokens: 32_768 };
const gpt4o = { contextWindow: 128_000, maxOutputTokens: 16_384 };
const reasoners = { contextWindow: 200_000, maxOutputTokens: 100_000 };

/**
 * OpenAI's models other than chat whose calls state their whole cost. Models billed by the
 * character or the image are missing: their calls state neither.
 */
const openaiOther: readonly VendorRow[] = [
  ["text-embedding-3-small", "Text Embedding 3 small", { contextWindow: 8_192 }, {
    input: 0.02,
    output: 0,
  }],
  ["text-embedding-3-large", "Text Embedding 3 large", { contextWindow: 8_192 }, {
    input: 0.13,
    output: 0,
  }],
  ["text-embedding-ada-002", "Text Embedding Ada 002", { contextWindow: 8_192 }, {
    input: 0.1,
    output: 0,
  }],
  ["omni-moderation", "Omni Moderation", {}, { input: 0, output: 0 }],
  ["gpt-image-1", "GPT Image 1", {}, { ...rates(5, 1.25, 40), imageInput: 10, imageOutput: 40 }],
  ["gpt-image-1-mini", "GPT Image 1 mini", {}, {
    ...rates(2, 0.2, 8),
    imageInput: 2.5,
    imageOutput: 8,
  }],
  ["gpt-4o-transcribe", "GPT-4o Transcribe", { contextWindow: 16_000, maxOutputTokens: 2_000 }, {
    input: 2.5,
    output: 10,
    audioInput: 6,
  }],
  ["gpt-4o-mini-transcribe", "GPT-4o mini Transcribe", {
    contextWindow: 16_000,
    maxOutputTokens: 2_000,
  }, { input: 1.25, output: 5, audioInput: 3 }],
];

/** https://developers.openai.com/api/docs/pricing, with its guides to fast, flex and ultrafast processing. */
export const openai: VendorCatalog = {
  ownedBy: "openai",
  prefixes: ["openai"],
  asOf: "2026-11-21",
  models: [
    ["gpt-6-astra", "GPT-6 Astra", large, writing(rates(10, 1, 50), { flex, fast, ultrafast })],
    ["gpt-6-sol", "GPT-6 Sol", large, writing(rates(2, 0.2, 10), { flex, fast })],
    ["gpt-6-luna", "GPT-6 Luna", large, writing(rates(0.1, 0.01, 0.5), { flex, fast })],
    ["gpt-6.1-sol", "GPT-6.1 Sol", large, writing(rates(2, 0.1, 10), { flex, fast, ultrafast })],
    ["gpt-6.1-terra", "GPT-6.1 Terra", large, writing(rates(1, 0.05, 5), { flex, fast })],
    ["gpt-5.6-sol", "GPT-5.6 Sol", large, writing(rates(4, 0.4, 20), { flex, fast }), ["gpt-5.6"]],
    ["gpt-5.6-terra", "GPT-5.6 Terra", large, writing(rates(2, 0.2, 12), { flex, fast })],
    ["gpt-5.6-luna", "GPT-5.6 Luna", large, writing(rates(0.2, 0.02, 1.2), { flex, fast })],
    ["gpt-5.5", "GPT-5.5", large, longPrompts(rates(5, 0.5, 30), { flex, fast: { factor: 2.5 } })],
    ["gpt-5.5-pro", "GPT-5.5 pro", large, longPrompts({ input: 30, output: 180 }, { flex })],
    ["gpt-5.4", "GPT-5.4", large, longPrompts(rates(2.5, 0.25, 15), { flex, fast })],
    ["gpt-5.4-pro", "GPT-5.4 pro", large, longPrompts({ input: 30, output: 180 }, { flex })],
    ["gpt-5.4-mini", "GPT-5.4 mini", medium, withTools(rates(0.75, 0.075, 4.5), { flex, fast })],
    ["gpt-5.4-nano", "GPT-5.4 nano", medium, withTools(rates(0.2, 0.02, 1.25), { flex })],
    ["gpt-5.3-codex", "GPT-5.3-Codex", medium, withTools(rates(1.75, 0.175, 14), { fast })],
    ["gpt-5.2", "GPT-5.2", medium, withTools(rates(1.75, 0.175, 14), { flex, fast })],
    ["gpt-5.2-pro", "GPT-5.2 pro", medium, withTools({ input: 21, output: 168 })],
    ["gpt-5.1", "GPT-5.1", medium, withTools(rates(1.25, 0.125, 10), { flex, fast })],
    ["gpt-5", "GPT-5", medium, withTools(rates(1.25, 0.125, 10), { flex, fast })],
    [
      "gpt-5-mini",
      "GPT-5 mini",
      medium,
      withTools(rates(0.25, 0.025, 2), { flex, fast: { factor: 1.8 } }),
    ],
    ["gpt-5-nano", "GPT-5 nano", medium, withTools(rates(0.05, 0.005, 0.4), { flex })],
    [
      "gpt-5-pro",
      "GPT-5 pro",
      { contextWindow: 400_000, maxOutputTokens: 272_000 },
      withTools({ input: 15, output: 120 }),
    ],
    // Each call searches once; the usage of chat-completions does not count it.
    ["gpt-5-search-api", "GPT-5 search", medium, { ...rates(1.25, 0.125, 10), request: 0.01 }],
    ["chat-latest", "GPT chat latest", medium, withTools(rates(5, 0.5, 30))],
    ["gpt-4.1", "GPT-4.1", gpt41, withTools(rates(2, 0.5, 8), { fast: { factor: 1.75 } })],
    [
      "gpt-4.1-mini",
      "GPT-4.1 mini",
      gpt41,
      withTools(rates(0.4, 0.1, 1.6), { fast: { factor: 1.75 } }),
    ],
    ["gpt-4o", "GPT-4o", gpt4o, withTools(rates(2.5, 1.25, 10), { fast: { factor: 1.7 } })],
    [
      "gpt-4o-mini",
      "GPT-4o mini",
      gpt4o,
      withTools(rates(0.15, 0.075, 0.6), { fast: rates(0.25, 0.125, 1) }),
    ],
    ["gpt-audio", "GPT Audio", gpt4o, { input: 2.5, output: 10, audioInput: 32, audioOutput: 64 }, [
      "gpt-audio-1.5",
    ]],
    ["gpt-audio-mini", "GPT Audio mini", gpt4o, {
      input: 0.6,
      output: 2.4,
      audioInput: 10,
      audioOutput: 20,
    }],
    ["o3", "o3", reasoners, withTools(rates(2, 0.5, 8), { flex, fast: { factor: 1.75 } })],
    [
      "o4-mini",
      "o4-mini",
      reasoners,
      withTools(rates(1.1, 0.275, 4.4), { flex, fast: rates(2, 0.5, 8) }),
    ],
    ["o3-pro", "o3-pro", reasoners, withTools({ input: 20, output: 80 })],
    ["gpt-oss-120b", "gpt-oss-120b", { contextWindow: 131_072 }, { input: 0.15, output: 0.6 }], // open weights: the price of most hosts
    ["gpt-oss-20b", "gpt-oss-20b", { contextWindow: 131_072 }, { input: 0.075, output: 0.3 }],
    ...openaiOther,
  ],
};
