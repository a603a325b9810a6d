import type { VendorCatalog } from "./vendor.ts";

/** https://mistral.ai/pricing/api; the vendor states no output limit. */
export const mistral: VendorCatalog = {
  ownedBy: "mistralai",
  prefixes: ["mistral", "mistralai"],
  asOf: "2026-11-21",
  models: [
    {
      id: "mistral-large-4",
      aliases: ["mistral-large-4-0"],
      displayName: "Mistral Large 4",
      contextWindow: 1_048_576,
      price: { input: 0.7, cachedInput: 0.07, output: 2.1 }, // since 2026-10-29; twice that before
    },
    {
      id: "mistral-large-2512",
      aliases: ["mistral-large-latest", "mistral-large-3"],
      displayName: "Mistral Large 3",
      contextWindow: 262_144,
      price: { input: 0.5, cachedInput: 0.05, output: 1.5 },
    },
    {
      id: "mistral-medium-3-5",
      aliases: ["mistral-medium-latest", "mistral-medium-2604", "mistral-medium"],
      displayName: "Mistral Medium 3.5",
      contextWindow: 262_144,
      price: { input: 1.5, cachedInput: 0.15, output: 7.5 },
    },
    {
      id: "mistral-small-2603",
      aliases: ["mistral-small-latest", "mistral-small"],
      displayName: "Mistral Small 4",
      contextWindow: 262_144,
      price: { input: 0.15, cachedInput: 0.015, output: 0.6 },
    },
    {
      id: "ministral-14b-2512",
      aliases: ["ministral-14b-latest", "ministral-3-14b-2512"],
      displayName: "Ministral 3 14B",
      contextWindow: 262_144,
      price: { input: 0.2, cachedInput: 0.02, output: 0.2 },
    },
    {
      id: "ministral-8b-2512",
      aliases: ["ministral-8b-latest", "ministral-3-8b-2512"],
      displayName: "Ministral 3 8B",
      contextWindow: 262_144,
      price: { input: 0.15, cachedInput: 0.015, output: 0.15 },
    },
    {
      id: "ministral-3b-2512",
      aliases: ["ministral-3b-latest", "ministral-3-3b-2512"],
      displayName: "Ministral 3 3B",
      contextWindow: 131_072,
      price: { input: 0.1, cachedInput: 0.01, output: 0.1 },
    },
    {
      id: "codestral-2508",
      aliases: ["codestral-latest"],
      displayName: "Codestral",
      contextWindow: 256_000,
      price: { input: 0.3, cachedInput: 0.03, output: 0.9 },
    },
    {
      id: "devstral-medium-latest",
      aliases: ["devstral-latest"],
      displayName: "Devstral Medium",
      contextWindow: 256_000,
      price: { input: 0.4, cachedInput: 0.04, output: 2 },
    },
    {
      id: "devstral-small-latest",
      displayName: "Devstral Small",
      contextWindow: 256_000,
      price: { input: 0.1, cachedInput: 0.01, output: 0.3 },
    },
    {
      id: "mistral-embed",
      displayName: "Mistral Embed",
      contextWindow: 8_192,
      price: { input: 0.1, output: 0 },
    },
    {
      id: "codestral-embed",
      displayName: "Codestral Embed",
      contextWindow: 8_192,
      price: { input: 0.15, output: 0 },
    },
  ],
};
