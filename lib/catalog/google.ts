import type { ModelPrice, ModelPrices, ServiceTierPrice } from "../store/catalog/mod.ts";
import { type LongPromptRule, rates, type VendorCatalog, withLongPrompts } from "./vendor.ts";

/** Price of 1,000 search queries in USD; up to Gemini 2.5, of 1,000 prompts with searches. */
const hostedTools = { "web-search": 14 };

const limits = { contextWindow: 1_048_576, maxOutputTokens: 65_536 };
const imageLimits = { contextWindow: 131_072, maxOutputTokens: 32_768 };
const longPrompts: LongPromptRule = { aboveInputTokens: 200_000, input: 2, output: 1.5 };

const flex: ServiceTierPrice = { factor: 0.5 };
/** The vendor calls this tier priority. */
const fast: ServiceTierPrice = { factor: 1.8 };
const serviceTiers = { flex, fast };
const usual = { hostedTools, serviceTiers };

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
  { ...rates(0.75, 0.075, 3.75), ...usual },
  "2027-01-01T00:00:00Z",
);

/** https://ai.google.dev/gemini-api/docs/pricing: the paid tier, with flex and priority processing. */
export const google: VendorCatalog = {
  ownedBy: "google",
  prefixes: ["google", "gemini", "models"],
  asOf: "2026-11-21",
  models: [
    [
      "gemini-4-argon",
      "Gemini 4 Argon",
      { contextWindow: 1_048_576, maxOutputTokens: 1_048_576 },
      introductory({ ...rates(2, 0.1, 10), ...usual }, "2026-12-01T00:00:00Z"),
    ],
    ["gemini-3.8-flash", "Gemini 3.8 Flash", limits, flash, ["gemini-flash-latest"]],
    ["gemini-3.7-flash", "Gemini 3.7 Flash", limits, flash],
    ["gemini-3.6-flash", "Gemini 3.6 Flash", limits, flash],
    ["gemini-3.5-flash", "Gemini 3.5 Flash", limits, { ...rates(1.5, 0.15, 9), ...usual }],
    ["gemini-3.5-flash-lite", "Gemini 3.5 Flash-Lite", limits, {
      ...rates(0.3, 0.03, 2.5),
      hostedTools,
      serviceTiers: { flex: { ...flex, cachedInput: 0.02 }, fast: { ...fast, cachedInput: 0.05 } },
    }, ["gemini-flash-lite-latest"]],
    [
      "gemini-3.1-pro-preview",
      "Gemini 3.1 Pro preview",
      limits,
      withLongPrompts(
        { ...rates(2, 0.2, 12), hostedTools, serviceTiers: flexUncached(0.2) },
        longPrompts,
      ),
      ["gemini-pro-latest"],
    ],
    ["gemini-3.1-flash-lite", "Gemini 3.1 Flash-Lite", limits, {
      ...rates(0.25, 0.025, 1.5),
      audioInput: 0.5,
      ...usual,
    }],
    ["gemini-3-flash-preview", "Gemini 3 Flash preview", limits, {
      ...rates(0.5, 0.05, 3),
      audioInput: 1,
      hostedTools,
    }],
    [
      "gemini-3-pro-image",
      "Gemini 3 Pro Image",
      { contextWindow: 65_536, maxOutputTokens: 32_768 },
      { input: 2, output: 12, imageOutput: 120, hostedTools },
      ["gemini-3-pro-image-preview"],
    ],
    ["gemini-3.1-flash-image", "Gemini 3.1 Flash Image", imageLimits, {
      input: 0.5,
      output: 3,
      imageOutput: 60,
      hostedTools,
    }, ["gemini-3.1-flash-image-preview"]],
    ["gemini-nano-banana-2.1", "Gemini Nano Banana 2.1", imageLimits, {
      input: 1.5,
      output: 7.5,
      imageOutput: 30,
      hostedTools,
    }],
    [
      "gemini-2.5-pro",
      "Gemini 2.5 Pro",
      limits,
      withLongPrompts({
        ...rates(1.25, 0.125, 10),
        hostedTools: { "web-search": 35 },
        serviceTiers: flexUncached(0.125),
      }, longPrompts),
    ],
    ["gemini-2.5-flash", "Gemini 2.5 Flash", limits, {
      ...rates(0.3, 0.03, 2.5),
      audioInput: 1,
      hostedTools: { "web-search": 35 },
      serviceTiers: flexUncached(0.03),
    }],
    ["gemini-2.5-flash-lite", "Gemini 2.5 Flash-Lite", limits, {
      ...rates(0.1, 0.01, 0.4),
      audioInput: 0.3,
      hostedTools: { "web-search": 35 },
      serviceTiers: flexUncached(0.01),
    }],
    ["gemini-embedding-001", "Gemini Embedding", { contextWindow: 2_048 }, {
      input: 0.15,
      output: 0,
    }],
  ],
};
