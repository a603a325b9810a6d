import type { VendorCatalog } from "./vendor.ts";

/** https://platform.kimi.ai/docs/pricing; the vendor states no output limit. */
export const moonshot: VendorCatalog = {
  ownedBy: "moonshotai",
  prefixes: ["moonshotai", "moonshot"],
  asOf: "2026-11-21",
  models: [
    {
      id: "kimi-k3.1-pro",
      displayName: "Kimi K3.1 Pro",
      contextWindow: 1_048_576,
      price: { input: 2, cachedInput: 0.2, cacheWrite: 2, cacheWrite1h: 4, output: 10 },
    },
    {
      id: "kimi-k3.1-pro-highspeed",
      displayName: "Kimi K3.1 Pro HighSpeed",
      contextWindow: 1_048_576,
      price: { input: 4, cachedInput: 0.2, cacheWrite: 4, cacheWrite1h: 8, output: 20 },
    },
    {
      id: "kimi-k3",
      displayName: "Kimi K3",
      contextWindow: 1_048_576,
      price: { input: 3, cachedInput: 0.3, cacheWrite: 3, cacheWrite1h: 6, output: 15 },
    },
    {
      id: "kimi-k2.7-code",
      displayName: "Kimi K2.7 Code",
      contextWindow: 262_144,
      price: { input: 0.95, cachedInput: 0.19, output: 4 },
    },
    {
      id: "kimi-k2.7-code-highspeed",
      displayName: "Kimi K2.7 Code HighSpeed",
      contextWindow: 262_144,
      price: { input: 1.9, cachedInput: 0.38, output: 8 },
    },
    {
      id: "kimi-k2.6",
      displayName: "Kimi K2.6",
      contextWindow: 262_144,
      price: { input: 0.95, cachedInput: 0.16, output: 4 },
    },
  ],
};
