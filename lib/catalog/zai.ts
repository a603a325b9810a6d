import type { VendorCatalog } from "./vendor.ts";

const maxOutputTokens = 128_000;

/** https://docs.z.ai/guides/overview/pricing. */
export const zai: VendorCatalog = {
  ownedBy: "zai",
  prefixes: ["zai", "z-ai", "zai-org"],
  asOf: "2026-11-21",
  models: [
    {
      id: "glm-5.3",
      displayName: "GLM-5.3",
      contextWindow: 1_000_000,
      maxOutputTokens,
      price: { input: 1.4, cachedInput: 0.26, output: 4.4 },
    },
    {
      id: "glm-5.3-flash",
      displayName: "GLM-5.3-Flash",
      contextWindow: 1_000_000,
      maxOutputTokens,
      price: { input: 0.15, cachedInput: 0.03, output: 0.5 },
    },
    {
      id: "glm-5.2",
      displayName: "GLM-5.2",
      contextWindow: 1_000_000,
      maxOutputTokens,
      price: { input: 1.4, cachedInput: 0.26, output: 4.4 },
    },
    {
      id: "glm-5.1",
      displayName: "GLM-5.1",
      contextWindow: 200_000,
      maxOutputTokens,
      price: { input: 1.4, cachedInput: 0.26, output: 4.4 },
    },
    {
      id: "glm-5",
      displayName: "GLM-5",
      contextWindow: 200_000,
      maxOutputTokens,
      price: { input: 1, cachedInput: 0.2, output: 3.2 },
    },
    {
      id: "glm-4.7",
      displayName: "GLM-4.7",
      contextWindow: 200_000,
      maxOutputTokens,
      price: { input: 0.6, cachedInput: 0.11, output: 2.2 },
    },
    {
      id: "glm-4.6",
      displayName: "GLM-4.6",
      contextWindow: 200_000,
      maxOutputTokens,
      price: { input: 0.6, cachedInput: 0.11, output: 2.2 },
    },
  ],
};
