import type { VendorCatalog } from "./vendor.ts";

/** https://cohere.com/pricing. */
export const cohere: VendorCatalog = {
  ownedBy: "cohere",
  prefixes: ["cohere"],
  asOf: "2026-11-21",
  models: [
    {
      id: "command-a-03-2025",
      displayName: "Command A",
      contextWindow: 256_000,
      maxOutputTokens: 8_000,
      price: { input: 2.5, output: 10 },
    },
    {
      id: "command-r-plus-08-2024",
      displayName: "Command R+",
      contextWindow: 128_000,
      maxOutputTokens: 4_096,
      price: { input: 2.5, output: 10 },
    },
    {
      id: "command-r-08-2024",
      displayName: "Command R",
      contextWindow: 128_000,
      maxOutputTokens: 4_096,
      price: { input: 0.15, output: 0.6 },
    },
    {
      id: "command-r7b-12-2024",
      displayName: "Command R7B",
      contextWindow: 128_000,
      maxOutputTokens: 4_096,
      price: { input: 0.0375, output: 0.15 },
    },
  ],
};
