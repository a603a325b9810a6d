import { type VendorCatalog, withLongPrompts } from "./vendor.ts";

/** https://platform.minimax.io/docs/guides/pricing-paygo. */
export const minimax: VendorCatalog = {
  ownedBy: "minimax",
  prefixes: ["minimax", "minimaxai"],
  asOf: "2026-11-21",
  models: [
    {
      id: "MiniMax-M3",
      displayName: "MiniMax M3",
      contextWindow: 1_000_000,
      maxOutputTokens: 128_000,
      price: withLongPrompts(
        { input: 0.3, cachedInput: 0.06, output: 1.2 },
        { aboveInputTokens: 512_000, input: 2, output: 2 },
      ),
    },
    {
      id: "MiniMax-M3.1-Flash",
      displayName: "MiniMax M3.1 Flash",
      contextWindow: 1_000_000,
      price: { input: 0.15, cachedInput: 0.015, output: 0.6 },
    },
    {
      id: "MiniMax-M2.7",
      displayName: "MiniMax M2.7",
      contextWindow: 204_800,
      price: { input: 0.3, cachedInput: 0.06, cacheWrite: 0.375, output: 1.2 },
    },
  ],
};
