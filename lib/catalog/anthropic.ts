import type { ModelPrice } from "../store/catalog/mod.ts";
import { type VendorCatalog, withLongPrompts } from "./vendor.ts";

/** Price of 1,000 searches in USD; fetching pages costs tokens only. */
const hostedTools = { "web-search": 10 };

/** Cache writes cost a quarter more than the input for five minutes, and double for an hour. */
function price(rates: { input: number; cachedInput: number; output: number }): ModelPrice {
  const { input } = rates;
  return { ...rates, cacheWrite: input * 1.25, cacheWrite1h: input * 2, hostedTools };
}

/** Since Opus 4.6: 10% more for inference restricted to the United States. */
function regional(rates: Parameters<typeof price>[0]): ModelPrice {
  return { ...price(rates), regions: { us: 1.1 } };
}

/** Models that are also served at a higher speed, at twice every rate. */
function speedy(rates: Parameters<typeof price>[0]): ModelPrice {
  return { ...regional(rates), serviceTiers: { fast: { factor: 2 } } };
}

const million = { contextWindow: 1_000_000, maxOutputTokens: 128_000 };
const earlier = { contextWindow: 200_000, maxOutputTokens: 64_000 };

/** https://platform.claude.com/docs/en/about-claude/pricing: both speeds, and inference restricted to a region. */
export const anthropic: VendorCatalog = {
  ownedBy: "anthropic",
  prefixes: ["anthropic"],
  asOf: "2026-11-21",
  models: [
    {
      id: "claude-fable-5-2",
      displayName: "Claude Fable 5.2",
      ...million,
      price: speedy({ input: 8, cachedInput: 0.2, output: 40 }),
    },
    {
      id: "claude-fable-5-1",
      displayName: "Claude Fable 5.1",
      ...million,
      price: regional({ input: 10, cachedInput: 0.25, output: 50 }),
    },
    {
      id: "claude-fable-5",
      displayName: "Claude Fable 5",
      ...million,
      price: regional({ input: 10, cachedInput: 1, output: 50 }),
    },
    {
      id: "claude-mythos-5-2",
      displayName: "Claude Mythos 5.2",
      ...million,
      price: speedy({ input: 8, cachedInput: 0.2, output: 40 }),
    },
    {
      id: "claude-opus-5-5",
      displayName: "Claude Opus 5.5",
      ...million,
      price: speedy({ input: 4, cachedInput: 0.2, output: 20 }),
    },
    {
      id: "claude-opus-5",
      displayName: "Claude Opus 5",
      ...million,
      price: speedy({ input: 5, cachedInput: 0.5, output: 25 }),
    },
    {
      id: "claude-opus-4-8",
      displayName: "Claude Opus 4.8",
      ...million,
      price: speedy({ input: 5, cachedInput: 0.5, output: 25 }),
    },
    {
      id: "claude-opus-4-7",
      displayName: "Claude Opus 4.7",
      ...million,
      price: regional({ input: 5, cachedInput: 0.5, output: 25 }),
    },
    {
      id: "claude-opus-4-6",
      displayName: "Claude Opus 4.6",
      ...million,
      price: regional({ input: 5, cachedInput: 0.5, output: 25 }),
    },
    {
      id: "claude-opus-4-5",
      displayName: "Claude Opus 4.5",
      ...earlier,
      price: price({ input: 5, cachedInput: 0.5, output: 25 }),
    },
    {
      id: "claude-sonnet-5-5",
      displayName: "Claude Sonnet 5.5",
      ...million,
      price: regional({ input: 2, cachedInput: 0.1, output: 10 }),
    },
    {
      id: "claude-sonnet-5",
      displayName: "Claude Sonnet 5",
      ...million,
      price: regional({ input: 2, cachedInput: 0.2, output: 10 }),
    },
    {
      id: "claude-sonnet-4-6",
      displayName: "Claude Sonnet 4.6",
      ...million,
      price: regional({ input: 3, cachedInput: 0.3, output: 15 }),
    },
    {
      id: "claude-sonnet-4-5",
      displayName: "Claude Sonnet 4.5",
      ...earlier,
      price: price({ input: 3, cachedInput: 0.3, output: 15 }),
    },
    {
      id: "claude-haiku-5-5",
      displayName: "Claude Haiku 5.5",
      ...million,
      price: withLongPrompts(
        regional({ input: 0.1, cachedInput: 0.01, output: 0.5 }),
        { aboveInputTokens: 100_000, input: 5, output: 5 },
      ),
    },
    {
      id: "claude-haiku-4-5",
      displayName: "Claude Haiku 4.5",
      ...earlier,
      price: price({ input: 1, cachedInput: 0.1, output: 5 }),
    },
  ],
};
