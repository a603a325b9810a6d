import type { PriceTier } from "../store/catalog/mod.ts";
import type { VendorCatalog } from "./vendor.ts";

const large = { contextWindow: 1_000_000, maxOutputTokens: 131_072 };
const million = { contextWindow: 1_000_000, maxOutputTokens: 65_536 };

/** Input from the implicit cache costs a fifth. */
function tier(aboveInputTokens: number, input: number, output: number): PriceTier {
  return { aboveInputTokens, input, cachedInput: Number((input / 5).toFixed(6)), output };
}

/** https://www.alibabacloud.com/help/en/model-studio/model-pricing: the international region. */
export const qwen: VendorCatalog = {
  ownedBy: "qwen",
  prefixes: ["qwen", "alibaba"],
  asOf: "2026-11-21",
  models: [
    {
      id: "qwen3.8-max",
      displayName: "Qwen3.8 Max",
      ...large,
      price: { input: 2, cachedInput: 0.25, output: 6 },
    },
    {
      id: "qwen3.8-flash",
      displayName: "Qwen3.8 Flash",
      ...large,
      price: { input: 0.15, cachedInput: 0.016, cacheWrite: 0.2, output: 0.47 },
    },
    {
      id: "qwen3.7-max",
      displayName: "Qwen3.7 Max",
      ...million,
      price: { input: 2.5, cachedInput: 0.5, cacheWrite: 3.125, output: 7.5 },
    },
    {
      id: "qwen3.7-plus",
      displayName: "Qwen3.7 Plus",
      ...million,
      price: {
        input: 0.4,
        cachedInput: 0.08,
        output: 1.6,
        tiers: [tier(256_000, 1.2, 4.8)],
      },
    },
    {
      id: "qwen3.5-plus",
      displayName: "Qwen3.5 Plus",
      ...million,
      price: {
        input: 0.4,
        output: 2.4,
        tiers: [{ aboveInputTokens: 256_000, input: 0.5, output: 3 }],
      },
    },
    {
      id: "qwen3-max",
      displayName: "Qwen3 Max",
      contextWindow: 262_144,
      maxOutputTokens: 65_536,
      price: {
        input: 1.2,
        cachedInput: 0.24,
        output: 6,
        tiers: [tier(32_000, 2.4, 12), tier(128_000, 3, 15)],
      },
    },
    {
      id: "qwen3-coder-plus",
      displayName: "Qwen3 Coder Plus",
      ...million,
      price: {
        input: 1,
        cachedInput: 0.2,
        output: 5,
        tiers: [tier(32_000, 1.8, 9), tier(128_000, 3, 15), tier(256_000, 6, 60)],
      },
    },
    {
      id: "qwen3-coder-flash",
      displayName: "Qwen3 Coder Flash",
      ...million,
      price: {
        input: 0.3,
        cachedInput: 0.06,
        output: 1.5,
        tiers: [tier(32_000, 0.5, 2.5), tier(128_000, 0.8, 4), tier(256_000, 1.6, 9.6)],
      },
    },
    {
      id: "qwen3-vl-plus",
      displayName: "Qwen3 VL Plus",
      contextWindow: 262_144,
      maxOutputTokens: 32_768,
      price: {
        input: 0.2,
        cachedInput: 0.04,
        output: 1.6,
        tiers: [tier(32_000, 0.3, 2.4), tier(128_000, 0.6, 4.8)],
      },
    },
    {
      id: "qwen-flash",
      displayName: "Qwen Flash",
      contextWindow: 1_000_000,
      maxOutputTokens: 32_768,
      price: {
        input: 0.05,
        cachedInput: 0.01,
        output: 0.4,
        tiers: [tier(256_000, 0.25, 2)],
      },
    },
  ],
};
