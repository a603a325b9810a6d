import type { ModelPrice, ServiceTierPrice } from "../store/catalog/mod.ts";
import { openaiOther } from "./openai_other.ts";
import { type VendorCatalog, withLongPrompts } from "./vendor.ts";

/** Prices of 1,000 calls in USD; the code interpreter is billed by its container's time, which no usage states. */
const hostedTools = { "web-search": 10, "file-search": 2.5 };

function longPrompts(price: ModelPrice, serviceTiers?: ModelPrice["serviceTiers"]): ModelPrice {
  const rule = { aboveInputTokens: 272_000, input: 2, output: 1.5 };
  return withLongPrompts({ ...price, hostedTools, ...(serviceTiers && { serviceTiers }) }, rule);
}

/** Since GPT-5.6: cache writes last half an hour, or twelve hours on request. */
function writing(price: { input: number; cachedInput: number; output: number }): ModelPrice {
  const { input } = price;
  return { ...price, cacheWrite: rounded(input * 1.25), cacheWrite12h: rounded(input * 2.5) };
}

function rounded(rate: number): number {
  return Number(rate.toFixed(6));
}

const flex: ServiceTierPrice = { factor: 0.5 };
/** Also called priority. */
const fast: ServiceTierPrice = { factor: 2 };
const ultrafast: ServiceTierPrice = { factor: 6 };

const large = { contextWindow: 1_050_000, maxOutputTokens: 128_000 };
const medium = { contextWindow: 400_000, maxOutputTokens: 128_000 };
const gpt41 = { contextWindow: 1_047_576, maxOutputTokens: 32_768 };
const gpt4o = { contextWindow: 128_000, maxOutputTokens: 16_384 };
const reasoners = { contextWindow: 200_000, maxOutputTokens: 100_000 };

/** https://developers.openai.com/api/docs/pricing, with its guides to fast, flex and ultrafast processing. */
export const openai: VendorCatalog = {
  ownedBy: "openai",
  prefixes: ["openai"],
  asOf: "2026-11-21",
  models: [
    {
      id: "gpt-6-astra",
      displayName: "GPT-6 Astra",
      ...large,
      price: longPrompts(writing({ input: 10, cachedInput: 1, output: 50 }), {
        flex,
        fast,
        ultrafast,
      }),
    },
    {
      id: "gpt-6-sol",
      displayName: "GPT-6 Sol",
      ...large,
      price: longPrompts(writing({ input: 2, cachedInput: 0.2, output: 10 }), { flex, fast }),
    },
    {
      id: "gpt-6-luna",
      displayName: "GPT-6 Luna",
      ...large,
      price: longPrompts(writing({ input: 0.1, cachedInput: 0.01, output: 0.5 }), { flex, fast }),
    },
    {
      id: "gpt-6.1-sol",
      displayName: "GPT-6.1 Sol",
      ...large,
      price: longPrompts(writing({ input: 2, cachedInput: 0.1, output: 10 }), {
        flex,
        fast,
        ultrafast,
      }),
    },
    {
      id: "gpt-6.1-terra",
      displayName: "GPT-6.1 Terra",
      ...large,
      price: longPrompts(writing({ input: 1, cachedInput: 0.05, output: 5 }), { flex, fast }),
    },
    {
      id: "gpt-5.6-sol",
      aliases: ["gpt-5.6"],
      displayName: "GPT-5.6 Sol",
      ...large,
      price: longPrompts(writing({ input: 4, cachedInput: 0.4, output: 20 }), { flex, fast }),
    },
    {
      id: "gpt-5.6-terra",
      displayName: "GPT-5.6 Terra",
      ...large,
      price: longPrompts(writing({ input: 2, cachedInput: 0.2, output: 12 }), { flex, fast }),
    },
    {
      id: "gpt-5.6-luna",
      displayName: "GPT-5.6 Luna",
      ...large,
      price: longPrompts(writing({ input: 0.2, cachedInput: 0.02, output: 1.2 }), { flex, fast }),
    },
    {
      id: "gpt-5.5",
      displayName: "GPT-5.5",
      ...large,
      price: longPrompts({ input: 5, cachedInput: 0.5, output: 30 }, {
        flex,
        fast: { factor: 2.5 },
      }),
    },
    {
      id: "gpt-5.5-pro",
      displayName: "GPT-5.5 pro",
      ...large,
      price: longPrompts({ input: 30, output: 180 }, { flex }),
    },
    {
      id: "gpt-5.4",
      displayName: "GPT-5.4",
      ...large,
      price: longPrompts({ input: 2.5, cachedInput: 0.25, output: 15 }, { flex, fast }),
    },
    {
      id: "gpt-5.4-pro",
      displayName: "GPT-5.4 pro",
      ...large,
      price: longPrompts({ input: 30, output: 180 }, { flex }),
    },
    {
      id: "gpt-5.4-mini",
      displayName: "GPT-5.4 mini",
      ...medium,
      price: {
        input: 0.75,
        cachedInput: 0.075,
        output: 4.5,
        hostedTools,
        serviceTiers: { flex, fast },
      },
    },
    {
      id: "gpt-5.4-nano",
      displayName: "GPT-5.4 nano",
      ...medium,
      price: { input: 0.2, cachedInput: 0.02, output: 1.25, hostedTools, serviceTiers: { flex } },
    },
    {
      id: "gpt-5.3-codex",
      displayName: "GPT-5.3-Codex",
      ...medium,
      price: { input: 1.75, cachedInput: 0.175, output: 14, hostedTools, serviceTiers: { fast } },
    },
    {
      id: "gpt-5.2",
      displayName: "GPT-5.2",
      ...medium,
      price: {
        input: 1.75,
        cachedInput: 0.175,
        output: 14,
        hostedTools,
        serviceTiers: { flex, fast },
      },
    },
    {
      id: "gpt-5.2-pro",
      displayName: "GPT-5.2 pro",
      ...medium,
      price: { input: 21, output: 168, hostedTools },
    },
    {
      id: "gpt-5.1",
      displayName: "GPT-5.1",
      ...medium,
      price: {
        input: 1.25,
        cachedInput: 0.125,
        output: 10,
        hostedTools,
        serviceTiers: { flex, fast },
      },
    },
    {
      id: "gpt-5",
      displayName: "GPT-5",
      ...medium,
      price: {
        input: 1.25,
        cachedInput: 0.125,
        output: 10,
        hostedTools,
        serviceTiers: { flex, fast },
      },
    },
    {
      id: "gpt-5-mini",
      displayName: "GPT-5 mini",
      ...medium,
      price: {
        input: 0.25,
        cachedInput: 0.025,
        output: 2,
        hostedTools,
        serviceTiers: { flex, fast: { factor: 1.8 } },
      },
    },
    {
      id: "gpt-5-nano",
      displayName: "GPT-5 nano",
      ...medium,
      price: { input: 0.05, cachedInput: 0.005, output: 0.4, hostedTools, serviceTiers: { flex } },
    },
    {
      id: "gpt-5-pro",
      displayName: "GPT-5 pro",
      contextWindow: 400_000,
      maxOutputTokens: 272_000,
      price: { input: 15, output: 120, hostedTools },
    },
    {
      id: "gpt-5-search-api",
      displayName: "GPT-5 search",
      ...medium,
      // Each call searches once; the usage of chat-completions does not count it.
      price: { input: 1.25, cachedInput: 0.125, output: 10, request: 0.01 },
    },
    {
      id: "chat-latest",
      displayName: "GPT chat latest",
      ...medium,
      price: { input: 5, cachedInput: 0.5, output: 30, hostedTools },
    },
    {
      id: "gpt-4.1",
      displayName: "GPT-4.1",
      ...gpt41,
      price: {
        input: 2,
        cachedInput: 0.5,
        output: 8,
        hostedTools,
        serviceTiers: { fast: { factor: 1.75 } },
      },
    },
    {
      id: "gpt-4.1-mini",
      displayName: "GPT-4.1 mini",
      ...gpt41,
      price: {
        input: 0.4,
        cachedInput: 0.1,
        output: 1.6,
        hostedTools,
        serviceTiers: { fast: { factor: 1.75 } },
      },
    },
    {
      id: "gpt-4o",
      displayName: "GPT-4o",
      ...gpt4o,
      price: {
        input: 2.5,
        cachedInput: 1.25,
        output: 10,
        hostedTools,
        serviceTiers: { fast: { factor: 1.7 } },
      },
    },
    {
      id: "gpt-4o-mini",
      displayName: "GPT-4o mini",
      ...gpt4o,
      price: {
        input: 0.15,
        cachedInput: 0.075,
        output: 0.6,
        hostedTools,
        serviceTiers: { fast: { input: 0.25, cachedInput: 0.125, output: 1 } },
      },
    },
    {
      id: "gpt-audio",
      aliases: ["gpt-audio-1.5"],
      displayName: "GPT Audio",
      ...gpt4o,
      price: { input: 2.5, output: 10, audioInput: 32, audioOutput: 64 },
    },
    {
      id: "gpt-audio-mini",
      displayName: "GPT Audio mini",
      ...gpt4o,
      price: { input: 0.6, output: 2.4, audioInput: 10, audioOutput: 20 },
    },
    {
      id: "o3",
      displayName: "o3",
      ...reasoners,
      price: {
        input: 2,
        cachedInput: 0.5,
        output: 8,
        hostedTools,
        serviceTiers: { flex, fast: { factor: 1.75 } },
      },
    },
    {
      id: "o4-mini",
      displayName: "o4-mini",
      ...reasoners,
      price: {
        input: 1.1,
        cachedInput: 0.275,
        output: 4.4,
        hostedTools,
        serviceTiers: { flex, fast: { input: 2, cachedInput: 0.5, output: 8 } },
      },
    },
    {
      id: "o3-pro",
      displayName: "o3-pro",
      ...reasoners,
      price: { input: 20, output: 80, hostedTools },
    },
    {
      id: "gpt-oss-120b",
      displayName: "gpt-oss-120b",
      contextWindow: 131_072,
      price: { input: 0.15, output: 0.6 }, // open weights: the price of most hosts
    },
    {
      id: "gpt-oss-20b",
      displayName: "gpt-oss-20b",
      contextWindow: 131_072,
      price: { input: 0.075, output: 0.3 },
    },
    ...openaiOther,
  ],
};
