import type { ModelPrice } from "../store/catalog/mod.ts";
import { rates, type UsualRates, type VendorCatalog, withLongPrompts } from "./vendor.ts";

/** Price of 1,000 searches in USD; fetching pages costs tokens only. */
const hostedTools = { "web-search": 10 };

/** Cache writes cost a quarter more than the input for five minutes, and double for an hour. */
function price(usual: UsualRates): ModelPrice {
  const { input } = usual;
  return { ...usual, cacheWrite: input * 1.25, cacheWrite1h: input * 2, hostedTools };
}

/** Since Opus 4.6: 10% more for inference restricted to the United States, and in regions of clouds. */
function regional(usual: UsualRates): ModelPrice {
  return { ...price(usual), regions: { us: 1.1, regional: 1.1 } };
}

/** Since Sonnet 4.5: 10% more in regions of clouds. */
function regionalInClouds(usual: UsualRates): ModelPrice {
  return { ...price(usual), regions: { regional: 1.1 } };
}

/** Models that are also served at a higher speed, at twice every rate. */
function speedy(usual: UsualRates): ModelPrice {
  return { ...regional(usual), serviceTiers: { fast: { factor: 2 } } };
}

const million = { contextWindow: 1_000_000, maxOutputTokens: 128_000 };
const earlier = { contextWindow: 200_000, maxOutputTokens: 64_000 };

/** https://platform.claude.com/docs/en/about-claude/pricing: both speeds, and inference restricted to a region. */
export const anthropic: VendorCatalog = {
  ownedBy: "anthropic",
  prefixes: ["anthropic"],
  asOf: "2026-11-21",
  models: [
    ["claude-fable-5-2", "Claude Fable 5.2", million, speedy(rates(8, 0.2, 40))],
    ["claude-fable-5-1", "Claude Fable 5.1", million, regional(rates(10, 0.25, 50))],
    ["claude-fable-5", "Claude Fable 5", million, regional(rates(10, 1, 50))],
    ["claude-mythos-5-2", "Claude Mythos 5.2", million, speedy(rates(8, 0.2, 40))],
    ["claude-opus-5-5", "Claude Opus 5.5", million, speedy(rates(4, 0.2, 20))],
    ["claude-opus-5", "Claude Opus 5", million, speedy(rates(5, 0.5, 25))],
    ["claude-opus-4-8", "Claude Opus 4.8", million, speedy(rates(5, 0.5, 25))],
    ["claude-opus-4-7", "Claude Opus 4.7", million, regional(rates(5, 0.5, 25))],
    ["claude-opus-4-6", "Claude Opus 4.6", million, regional(rates(5, 0.5, 25))],
    ["claude-opus-4-5", "Claude Opus 4.5", earlier, regionalInClouds(rates(5, 0.5, 25))],
    ["claude-sonnet-5-5", "Claude Sonnet 5.5", million, regional(rates(2, 0.1, 10))],
    ["claude-sonnet-5", "Claude Sonnet 5", million, regional(rates(2, 0.2, 10))],
    ["claude-sonnet-4-6", "Claude Sonnet 4.6", million, regional(rates(3, 0.3, 15))],
    ["claude-sonnet-4-5", "Claude Sonnet 4.5", earlier, regionalInClouds(rates(3, 0.3, 15))],
    [
      "claude-haiku-5-5",
      "Claude Haiku 5.5",
      million,
      withLongPrompts(regional(rates(0.1, 0.01, 0.5)), {
        aboveInputTokens: 100_000,
        input: 5,
        output: 5,
      }),
    ],
    ["claude-haiku-4-5", "Claude Haiku 4.5", earlier, regionalInClouds(rates(1, 0.1, 5))],
  ],
};
