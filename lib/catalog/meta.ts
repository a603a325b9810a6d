import type { VendorCatalog } from "./vendor.ts";

const hostedTools = { "web-search": 2.5 };
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
    {
      id: "muse-wonder-1.0",
      displayName: "Muse Wonder 1.0",
      ...muse,
      price: { input: 4, cachedInput: 0.2, output: 20, hostedTools },
    },
    {
      id: "muse-spark-1.3",
      displayName: "Muse Spark 1.3",
      ...muse,
      price: { input: 1.25, cachedInput: 0.15, output: 4.25, hostedTools },
    },
    {
      id: "muse-spark-1.2",
      displayName: "Muse Spark 1.2",
      ...muse,
      price: { input: 1.25, cachedInput: 0.15, output: 4.25, hostedTools },
    },
    {
      id: "llama-3.3-70b-versatile", // Groq
      displayName: "Llama 3.3 70B",
      contextWindow: 131_072,
      maxOutputTokens: 32_768,
      price: { input: 0.59, output: 0.79 },
    },
    {
      id: "llama-3.1-8b-instant", // Groq
      displayName: "Llama 3.1 8B",
      contextWindow: 131_072,
      maxOutputTokens: 131_072,
      price: { input: 0.05, output: 0.08 },
    },
    {
      id: "accounts/fireworks/models/llama-v3p3-70b-instruct", // Fireworks
      displayName: "Llama 3.3 70B",
      contextWindow: 131_072,
      price: { input: 0.9, output: 0.9 },
    },
    {
      id: "us.meta.llama4-maverick-17b-instruct-v1:0", // Amazon Bedrock
      displayName: "Llama 4 Maverick",
      contextWindow: 1_000_000,
      maxOutputTokens: 8_192,
      price: { input: 0.24, output: 0.97 },
    },
    {
      id: "meta/llama-4-maverick-17b-128e-instruct-maas", // Google Vertex AI
      displayName: "Llama 4 Maverick",
      contextWindow: 1_000_000,
      price: { input: 0.35, output: 1.15 },
    },
    {
      id: "meta/llama-4-scout-17b-16e-instruct-maas", // Google Vertex AI
      displayName: "Llama 4 Scout",
      contextWindow: 1_000_000,
      price: { input: 0.25, output: 0.7 },
    },
  ],
};
