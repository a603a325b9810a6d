import type { ModelPrice } from "../store/catalog/mod.ts";
import { type VendorCatalog, withLongPrompts } from "./vendor.ts";

const hostedTools = { "web-search": 5, "code-execution": 5, "file-search": 2.5 };

/** The long-prompt tier starts at exactly 200,000 tokens. */
function price(rates: ModelPrice): ModelPrice {
  const rule = { aboveInputTokens: 199_999, input: 2, output: 2 };
  return withLongPrompts({ ...rates, hostedTools }, rule);
}

/** https://docs.x.ai/developers/pricing; the vendor states no output limit. */
export const xai: VendorCatalog = {
  ownedBy: "xai",
  prefixes: ["xai", "x-ai"],
  asOf: "2026-11-21",
  models: [
    {
      id: "grok-4.7",
      displayName: "Grok 4.7",
      contextWindow: 500_000,
      price: price({ input: 2, cachedInput: 0.5, output: 6 }),
    },
    {
      id: "grok-4.6",
      displayName: "Grok 4.6",
      contextWindow: 500_000,
      price: price({ input: 2, cachedInput: 0.5, output: 6 }),
    },
    {
      id: "grok-4.5",
      displayName: "Grok 4.5",
      contextWindow: 500_000,
      price: price({ input: 2, cachedInput: 0.3, output: 6 }),
    },
    {
      id: "grok-4.3",
      displayName: "Grok 4.3",
      contextWindow: 1_000_000,
      price: price({ input: 1.25, cachedInput: 0.2, output: 2.5 }),
    },
    {
      id: "grok-4.20",
      aliases: [
        "grok-4.20-reasoning",
        "grok-4.20-non-reasoning",
        "grok-4.20-0309-reasoning",
        "grok-4.20-0309-non-reasoning",
      ],
      displayName: "Grok 4.20",
      contextWindow: 1_000_000,
      price: price({ input: 1.25, cachedInput: 0.2, output: 2.5 }),
    },
    {
      id: "grok-build-0.1",
      displayName: "Grok Build 0.1",
      contextWindow: 256_000,
      price: price({ input: 1, cachedInput: 0.2, output: 2 }),
    },
  ],
};
