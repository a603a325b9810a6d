import type { VendorCatalog } from "./vendor.ts";

const limits = { contextWindow: 1_000_000, maxOutputTokens: 393_216 };

/**
 * https://api-docs.deepseek.com/quick_start/pricing: the peak-hour rates, because prices here vary
 * by day and not by hour. Off-peak the vendor charges half.
 */
export const deepseek: VendorCatalog = {
  ownedBy: "deepseek",
  prefixes: ["deepseek", "deepseek-ai"],
  asOf: "2026-11-21",
  models: [
    {
      id: "deepseek-flash",
      aliases: ["deepseek-v4-flash"],
      displayName: "DeepSeek V4.1 Flash",
      ...limits,
      price: { input: 0.3, cachedInput: 0.006, output: 1.2 },
    },
    {
      id: "deepseek-v4-pro",
      displayName: "DeepSeek V4 Pro",
      ...limits,
      price: { input: 1.32, cachedInput: 0.044, output: 3.96 },
    },
  ],
};
