import type { ModelPrice, ModelPrices, ServiceTierPrice } from "../store/catalog/mod.ts";
import { type LongPromptRule, type VendorCatalog, withLongPrompts } from "./vendor.ts";

/** Price of 1,000 search queries in USD; up to Gemini 2.5, of 1,000 prompts with searches. */
const hostedTools = { "web-search": 14 };

const limits = { contextWindow: 1_048_576, maxOutputTokens: 65_536 };
const imageLimits = { contextWindow: 131_072, maxOutputTokens: 32_768 };
const longPrompts: LongPromptRule = { aboveInputTokens: 200_000, input: 2, output: 1.5 };

const flex: ServiceTierPrice = { factor: 0.5 };
/** The vendor calls this tier priority. */
const fast: ServiceTierPrice = { factor: 1.8 };
const serviceTiers = { flex, fast };

/** Some models have no flex discount on cached input. */
function flexUncached(cachedInput: number): ModelPrice["serviceTiers"] {
  return { flex: { ...flex, cachedInput }, fast };
}

/** Introductory rates, which double on the given day. */
function introductory(price: ModelPrice, until: string): ModelPrices {
  const { input, cachedInput = input, output } = price;
  return [
    { from: "2026-01-01T00:00:00Z", ...price },
    { from: until, ...price, input: input * 2, cachedInput: cachedInput * 2, output: output * 2 },
  ];
}

const flash = introductory(
  { input: 0.75, cachedInput: 0.075, output: 3.75, hostedTools, serviceTiers },
  "2027-01-01T00:00:00Z",
);

/** https://ai.google.dev/gemini-api/docs/pricing: the paid tier, with flex and priority processing. */
export const google: VendorCatalog = {
  ownedBy: "google",
  prefixes: ["google", "gemini", "models"],
  asOf: "2026-11-21",
  models: [
    {
      id: "gemini-4-argon",
      displayName: "Gemini 4 Argon",
      contextWindow: 1_048_576,
      maxOutputTokens: 1_048_576,
      price: introductory(
        { input: 2, cachedInput: 0.1, output: 10, hostedTools, serviceTiers },
        "2026-12-01T00:00:00Z",
      ),
    },
    {
      id: "gemini-3.8-flash",
      aliases: ["gemini-flash-latest"],
      displayName: "Gemini 3.8 Flash",
      ...limits,
      price: flash,
    },
    { id: "gemini-3.7-flash", displayName: "Gemini 3.7 Flash", ...limits, price: flash },
    { id: "gemini-3.6-flash", displayName: "Gemini 3.6 Flash", ...limits, price: flash },
    {
      id: "gemini-3.5-flash",
      displayName: "Gemini 3.5 Flash",
      ...limits,
      price: { input: 1.5, cachedInput: 0.15, output: 9, hostedTools, serviceTiers },
    },
    {
      id: "gemini-3.5-flash-lite",
      aliases: ["gemini-flash-lite-latest"],
      displayName: "Gemini 3.5 Flash-Lite",
      ...limits,
      price: {
        input: 0.3,
        cachedInput: 0.03,
        output: 2.5,
        hostedTools,
        serviceTiers: {
          flex: { ...flex, cachedInput: 0.02 },
          fast: { ...fast, cachedInput: 0.05 },
        },
      },
    },
    {
      id: "gemini-3.1-pro-preview",
      aliases: ["gemini-pro-latest"],
      displayName: "Gemini 3.1 Pro preview",
      ...limits,
      price: withLongPrompts(
        { input: 2, cachedInput: 0.2, output: 12, hostedTools, serviceTiers: flexUncached(0.2) },
        longPrompts,
      ),
    },
    {
      id: "gemini-3.1-flash-lite",
      displayName: "Gemini 3.1 Flash-Lite",
      ...limits,
      price: {
        input: 0.25,
        cachedInput: 0.025,
        audioInput: 0.5,
        output: 1.5,
        hostedTools,
        serviceTiers,
      },
    },
    {
      id: "gemini-3-flash-preview",
      displayName: "Gemini 3 Flash preview",
      ...limits,
      price: { input: 0.5, cachedInput: 0.05, audioInput: 1, output: 3, hostedTools },
    },
    {
      id: "gemini-3-pro-image",
      aliases: ["gemini-3-pro-image-preview"],
      displayName: "Gemini 3 Pro Image",
      contextWindow: 65_536,
      maxOutputTokens: 32_768,
      price: { input: 2, output: 12, imageOutput: 120, hostedTools },
    },
    {
      id: "gemini-3.1-flash-image",
      aliases: ["gemini-3.1-flash-image-preview"],
      displayName: "Gemini 3.1 Flash Image",
      ...imageLimits,
      price: { input: 0.5, output: 3, imageOutput: 60, hostedTools },
    },
    {
      id: "gemini-nano-banana-2.1",
      displayName: "Gemini Nano Banana 2.1",
      ...imageLimits,
      price: { input: 1.5, output: 7.5, imageOutput: 30, hostedTools },
    },
    {
      id: "gemini-2.5-pro",
      displayName: "Gemini 2.5 Pro",
      ...limits,
      price: withLongPrompts(
        {
          input: 1.25,
          cachedInput: 0.125,
          output: 10,
          hostedTools: { "web-search": 35 },
          serviceTiers: flexUncached(0.125),
        },
        longPrompts,
      ),
    },
    {
      id: "gemini-2.5-flash",
      displayName: "Gemini 2.5 Flash",
      ...limits,
      price: {
        input: 0.3,
        cachedInput: 0.03,
        audioInput: 1,
        output: 2.5,
        hostedTools: { "web-search": 35 },
        serviceTiers: flexUncached(0.03),
      },
    },
    {
      id: "gemini-2.5-flash-lite",
      displayName: "Gemini 2.5 Flash-Lite",
      ...limits,
      price: {
        input: 0.1,
        cachedInput: 0.01,
        audioInput: 0.3,
        output: 0.4,
        hostedTools: { "web-search": 35 },
        serviceTiers: flexUncached(0.01),
      },
    },
    {
      id: "gemini-embedding-001",
      displayName: "Gemini Embedding",
      contextWindow: 2_048,
      price: { input: 0.15, output: 0 },
    },
  ],
};
