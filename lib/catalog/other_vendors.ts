import type { ModelPrice, PriceTier } from "../store/catalog/mod.ts";
import { rates, type VendorCatalog, withLongPrompts } from "./vendor.ts";

const xaiTools = { "web-search": 5, "code-execution": 5, "file-search": 2.5 };

/** The long-prompt tier starts at exactly 200,000 tokens. */
function xaiPrice(usual: ModelPrice): ModelPrice {
  const rule = { aboveInputTokens: 199_999, input: 2, output: 2 };
  return withLongPrompts({ ...usual, hostedTools: xaiTools }, rule);
}

/** https://docs.x.ai/developers/pricing; the vendor states no output limit. */
export const xai: VendorCatalog = {
  ownedBy: "xai",
  prefixes: ["xai", "x-ai"],
  asOf: "2026-11-21",
  models: [
    ["grok-4.7", "Grok 4.7", { contextWindow: 500_000 }, xaiPrice(rates(2, 0.5, 6))],
    ["grok-4.6", "Grok 4.6", { contextWindow: 500_000 }, xaiPrice(rates(2, 0.5, 6))],
    ["grok-4.5", "Grok 4.5", { contextWindow: 500_000 }, xaiPrice(rates(2, 0.3, 6))],
    ["grok-4.3", "Grok 4.3", { contextWindow: 1_000_000 }, xaiPrice(rates(1.25, 0.2, 2.5))],
    ["grok-4.20", "Grok 4.20", { contextWindow: 1_000_000 }, xaiPrice(rates(1.25, 0.2, 2.5)), [
      "grok-4.20-reasoning",
      "grok-4.20-non-reasoning",
      "grok-4.20-0309-reasoning",
      "grok-4.20-0309-non-reasoning",
    ]],
    ["grok-build-0.1", "Grok Build 0.1", { contextWindow: 256_000 }, xaiPrice(rates(1, 0.2, 2))],
  ],
};

const deepseekLimits = { contextWindow: 1_000_000, maxOutputTokens: 393_216 };

/**
 * https://api-docs.deepseek.com/quick_start/pricing: the peak-hour rates, because prices here vary
 * by day and not by hour. Off-peak the vendor charges half.
 */
export const deepseek: VendorCatalog = {
  ownedBy: "deepseek",
  prefixes: ["deepseek", "deepseek-ai"],
  asOf: "2026-11-21",
  models: [
    ["deepseek-flash", "DeepSeek V4.1 Flash", deepseekLimits, rates(0.3, 0.006, 1.2), [
      "deepseek-v4-flash",
    ]],
    ["deepseek-v4-pro", "DeepSeek V4 Pro", deepseekLimits, rates(1.32, 0.044, 3.96)],
  ],
};

/** https://mistral.ai/pricing/api; the vendor states no output limit. */
export const mistral: VendorCatalog = {
  ownedBy: "mistralai",
  prefixes: ["mistral", "mistralai"],
  asOf: "2026-11-21",
  models: [
    ["mistral-large-4", "Mistral Large 4", { contextWindow: 1_048_576 }, rates(0.7, 0.07, 2.1), [
      "mistral-large-4-0",
    ]], // since 2026-10-29; twice that before
    ["mistral-large-2512", "Mistral Large 3", { contextWindow: 262_144 }, rates(0.5, 0.05, 1.5), [
      "mistral-large-latest",
      "mistral-large-3",
    ]],
    [
      "mistral-medium-3-5",
      "Mistral Medium 3.5",
      { contextWindow: 262_144 },
      rates(1.5, 0.15, 7.5),
      ["mistral-medium-latest", "mistral-medium-2604", "mistral-medium"],
    ],
    ["mistral-small-2603", "Mistral Small 4", { contextWindow: 262_144 }, rates(0.15, 0.015, 0.6), [
      "mistral-small-latest",
      "mistral-small",
    ]],
    ["ministral-14b-2512", "Ministral 3 14B", { contextWindow: 262_144 }, rates(0.2, 0.02, 0.2), [
      "ministral-14b-latest",
      "ministral-3-14b-2512",
    ]],
    ["ministral-8b-2512", "Ministral 3 8B", { contextWindow: 262_144 }, rates(0.15, 0.015, 0.15), [
      "ministral-8b-latest",
      "ministral-3-8b-2512",
    ]],
    ["ministral-3b-2512", "Ministral 3 3B", { contextWindow: 131_072 }, rates(0.1, 0.01, 0.1), [
      "ministral-3b-latest",
      "ministral-3-3b-2512",
    ]],
    ["codestral-2508", "Codestral", { contextWindow: 256_000 }, rates(0.3, 0.03, 0.9), [
      "codestral-latest",
    ]],
    ["devstral-medium-latest", "Devstral Medium", { contextWindow: 256_000 }, rates(0.4, 0.04, 2), [
      "devstral-latest",
    ]],
    ["devstral-small-latest", "Devstral Small", { contextWindow: 256_000 }, rates(0.1, 0.01, 0.3)],
    ["mistral-embed", "Mistral Embed", { contextWindow: 8_192 }, { input: 0.1, output: 0 }],
    ["codestral-embed", "Codestral Embed", { contextWindow: 8_192 }, { input: 0.15, output: 0 }],
  ],
};

const metaTools = { "web-search": 2.5 };
const museSpark = { ...rates(1.25, 0.15, 4.25), hostedTools: metaTools };
const muse = { contextWindow: 1_048_576, maxOutputTokens: 131_072 };

/**
 * Meta's own service (https://dev.meta.ai/docs/pricing-rate-limits), and the open Llama models
 * under names that only one host uses, because each host has its own price.
 */
export const meta: VendorCatalog = {
  ownedBy: "meta",
  prefixes: ["meta"],
  asOf: "2026-11-21",
  models: [
    ["muse-wonder-1.0", "Muse Wonder 1.0", muse, { ...rates(4, 0.2, 20), hostedTools: metaTools }],
    ["muse-spark-1.3", "Muse Spark 1.3", muse, museSpark],
    ["muse-spark-1.2", "Muse Spark 1.2", muse, museSpark],
    ["llama-3.3-70b-versatile", "Llama 3.3 70B", {
      contextWindow: 131_072,
      maxOutputTokens: 32_768,
    }, { input: 0.59, output: 0.79 }], // Groq
    ["llama-3.1-8b-instant", "Llama 3.1 8B", { contextWindow: 131_072, maxOutputTokens: 131_072 }, {
      input: 0.05,
      output: 0.08,
    }], // Groq
    ["accounts/fireworks/models/llama-v3p3-70b-instruct", "Llama 3.3 70B", {
      contextWindow: 131_072,
    }, { input: 0.9, output: 0.9 }], // Fireworks
    ["us.meta.llama4-maverick-17b-instruct-v1:0", "Llama 4 Maverick", {
      contextWindow: 1_000_000,
      maxOutputTokens: 8_192,
    }, { input: 0.24, output: 0.97 }], // Amazon Bedrock
    ["meta/llama-4-maverick-17b-128e-instruct-maas", "Llama 4 Maverick", {
      contextWindow: 1_000_000,
    }, { input: 0.35, output: 1.15 }], // Google Vertex AI
    ["meta/llama-4-scout-17b-16e-instruct-maas", "Llama 4 Scout", { contextWindow: 1_000_000 }, {
      input: 0.25,
      output: 0.7,
    }], // Google Vertex AI
  ],
};

const qwenLarge = { contextWindow: 1_000_000, maxOutputTokens: 131_072 };
const qwenMillion = { contextWindow: 1_000_000, maxOutputTokens: 65_536 };

/** Input from the implicit cache costs a fifth. */
function qwenTier(aboveInputTokens: number, input: number, output: number): PriceTier {
  return { aboveInputTokens, input, cachedInput: Number((input / 5).toFixed(6)), output };
}

/** https://www.alibabacloud.com/help/en/model-studio/model-pricing: the international region. */
export const qwen: VendorCatalog = {
  ownedBy: "qwen",
  prefixes: ["qwen", "alibaba"],
  asOf: "2026-11-21",
  models: [
    ["qwen3.8-max", "Qwen3.8 Max", qwenLarge, rates(2, 0.25, 6)],
    ["qwen3.8-flash", "Qwen3.8 Flash", qwenLarge, { ...rates(0.15, 0.016, 0.47), cacheWrite: 0.2 }],
    ["qwen3.7-max", "Qwen3.7 Max", qwenMillion, { ...rates(2.5, 0.5, 7.5), cacheWrite: 3.125 }],
    ["qwen3.7-plus", "Qwen3.7 Plus", qwenMillion, {
      ...rates(0.4, 0.08, 1.6),
      tiers: [qwenTier(256_000, 1.2, 4.8)],
    }],
    ["qwen3.5-plus", "Qwen3.5 Plus", qwenMillion, {
      input: 0.4,
      output: 2.4,
      tiers: [{ aboveInputTokens: 256_000, input: 0.5, output: 3 }],
    }],
    ["qwen3-max", "Qwen3 Max", { contextWindow: 262_144, maxOutputTokens: 65_536 }, {
      ...rates(1.2, 0.24, 6),
      tiers: [qwenTier(32_000, 2.4, 12), qwenTier(128_000, 3, 15)],
    }],
    ["qwen3-coder-plus", "Qwen3 Coder Plus", qwenMillion, {
      ...rates(1, 0.2, 5),
      tiers: [qwenTier(32_000, 1.8, 9), qwenTier(128_000, 3, 15), qwenTier(256_000, 6, 60)],
    }],
    ["qwen3-coder-flash", "Qwen3 Coder Flash", qwenMillion, {
      ...rates(0.3, 0.06, 1.5),
      tiers: [qwenTier(32_000, 0.5, 2.5), qwenTier(128_000, 0.8, 4), qwenTier(256_000, 1.6, 9.6)],
    }],
    ["qwen3-vl-plus", "Qwen3 VL Plus", { contextWindow: 262_144, maxOutputTokens: 32_768 }, {
      ...rates(0.2, 0.04, 1.6),
      tiers: [qwenTier(32_000, 0.3, 2.4), qwenTier(128_000, 0.6, 4.8)],
    }],
    ["qwen-flash", "Qwen Flash", { contextWindow: 1_000_000, maxOutputTokens: 32_768 }, {
      ...rates(0.05, 0.01, 0.4),
      tiers: [qwenTier(256_000, 0.25, 2)],
    }],
  ],
};

/** https://platform.kimi.ai/docs/pricing; the vendor states no output limit. */
export const moonshot: VendorCatalog = {
  ownedBy: "moonshotai",
  prefixes: ["moonshotai", "moonshot"],
  asOf: "2026-11-21",
  models: [
    ["kimi-k3.1-pro", "Kimi K3.1 Pro", { contextWindow: 1_048_576 }, {
      ...rates(2, 0.2, 10),
      cacheWrite: 2,
      cacheWrite1h: 4,
    }],
    ["kimi-k3.1-pro-highspeed", "Kimi K3.1 Pro HighSpeed", { contextWindow: 1_048_576 }, {
      ...rates(4, 0.2, 20),
      cacheWrite: 4,
      cacheWrite1h: 8,
    }],
    ["kimi-k3", "Kimi K3", { contextWindow: 1_048_576 }, {
      ...rates(3, 0.3, 15),
      cacheWrite: 3,
      cacheWrite1h: 6,
    }],
    ["kimi-k2.7-code", "Kimi K2.7 Code", { contextWindow: 262_144 }, rates(0.95, 0.19, 4)],
    [
      "kimi-k2.7-code-highspeed",
      "Kimi K2.7 Code HighSpeed",
      { contextWindow: 262_144 },
      rates(1.9, 0.38, 8),
    ],
    ["kimi-k2.6", "Kimi K2.6", { contextWindow: 262_144 }, rates(0.95, 0.16, 4)],
  ],
};

const zaiLimits = { contextWindow: 1_000_000, maxOutputTokens: 128_000 };
const zaiEarlier = { contextWindow: 200_000, maxOutputTokens: 128_000 };

/** https://docs.z.ai/guides/overview/pricing. */
export const zai: VendorCatalog = {
  ownedBy: "zai",
  prefixes: ["zai", "z-ai", "zai-org"],
  asOf: "2026-11-21",
  models: [
    ["glm-5.3", "GLM-5.3", zaiLimits, rates(1.4, 0.26, 4.4)],
    ["glm-5.3-flash", "GLM-5.3-Flash", zaiLimits, rates(0.15, 0.03, 0.5)],
    ["glm-5.2", "GLM-5.2", zaiLimits, rates(1.4, 0.26, 4.4)],
    ["glm-5.1", "GLM-5.1", zaiEarlier, rates(1.4, 0.26, 4.4)],
    ["glm-5", "GLM-5", zaiEarlier, rates(1, 0.2, 3.2)],
    ["glm-4.7", "GLM-4.7", zaiEarlier, rates(0.6, 0.11, 2.2)],
    ["glm-4.6", "GLM-4.6", zaiEarlier, rates(0.6, 0.11, 2.2)],
  ],
};

/** https://platform.minimax.io/docs/guides/pricing-paygo. */
export const minimax: VendorCatalog = {
  ownedBy: "minimax",
  prefixes: ["minimax", "minimaxai"],
  asOf: "2026-11-21",
  models: [
    [
      "MiniMax-M3",
      "MiniMax M3",
      { contextWindow: 1_000_000, maxOutputTokens: 128_000 },
      withLongPrompts(rates(0.3, 0.06, 1.2), { aboveInputTokens: 512_000, input: 2, output: 2 }),
    ],
    [
      "MiniMax-M3.1-Flash",
      "MiniMax M3.1 Flash",
      { contextWindow: 1_000_000 },
      rates(0.15, 0.015, 0.6),
    ],
    ["MiniMax-M2.7", "MiniMax M2.7", { contextWindow: 204_800 }, {
      ...rates(0.3, 0.06, 1.2),
      cacheWrite: 0.375,
    }],
  ],
};

const cohereLimits = { contextWindow: 128_000, maxOutputTokens: 4_096 };

/** https://cohere.com/pricing. */
export const cohere: VendorCatalog = {
  ownedBy: "cohere",
  prefixes: ["cohere"],
  asOf: "2026-11-21",
  models: [
    ["command-a-03-2025", "Command A", { contextWindow: 256_000, maxOutputTokens: 8_000 }, {
      input: 2.5,
      output: 10,
    }],
    ["command-r-plus-08-2024", "Command R+", cohereLimits, { input: 2.5, output: 10 }],
    ["command-r-08-2024", "Command R", cohereLimits, { input: 0.15, output: 0.6 }],
    ["command-r7b-12-2024", "Command R7B", cohereLimits, { input: 0.0375, output: 0.15 }],
  ],
};

/** The model inside the gateway, free of charge. */
export const embedded: VendorCatalog = {
  ownedBy: "tessera",
  prefixes: ["tessera"],
  asOf: "2026-11-21",
  models: [
    ["tessera-echo", "Tessera Echo", { contextWindow: 1_000_000 }, { input: 0, output: 0 }],
  ],
};
