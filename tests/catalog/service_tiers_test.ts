import { assertEquals } from "@std/assert";
import { catalogModel } from "../../lib/catalog/mod.ts";
import { ratesFor, resolvePrice } from "../../lib/ledger/price.ts";
import { priceInForce } from "../../lib/store/catalog/mod.ts";

/**
 * Rates of input, cached input and output per million tokens, as vendors state them; `none` without
 * such a tier.
 */
type Stated = readonly [input: number, cached: number, output: number] | "none";

const rows: readonly {
  readonly model: string;
  readonly fast: Stated;
  readonly flex: Stated;
  readonly ultrafast?: Stated;
}[] = [
  { model: "gpt-6-astra", fast: [20, 2, 100], flex: [5, 0.5, 25], ultrafast: [60, 6, 300] },
  { model: "gpt-6-sol", fast: [4, 0.4, 20], flex: [1, 0.1, 5], ultrafast: "none" },
  { model: "gpt-6-luna", fast: [0.2, 0.02, 1], flex: [0.05, 0.005, 0.25] },
  { model: "gpt-6.1-sol", fast: [4, 0.2, 20], flex: [1, 0.05, 5], ultrafast: [12, 0.6, 60] },
  { model: "gpt-6.1-terra", fast: [2, 0.1, 10], flex: [0.5, 0.025, 2.5] },
  { model: "gpt-5.6-sol", fast: [8, 0.8, 40], flex: [2, 0.2, 10] },
  { model: "gpt-5.5", fast: [12.5, 1.25, 75], flex: [2.5, 0.25, 15] },
  { model: "gpt-5.5-pro", fast: "none", flex: [15, 15, 90] },
  { model: "gpt-5.4", fast: [5, 0.5, 30], flex: [1.25, 0.125, 7.5] },
  { model: "gpt-5.4-mini", fast: [1.5, 0.15, 9], flex: [0.375, 0.0375, 2.25] },
  { model: "gpt-5.4-nano", fast: "none", flex: [0.1, 0.01, 0.625] },
  { model: "gpt-5.3-codex", fast: [3.5, 0.35, 28], flex: "none" },
  { model: "gpt-5-mini", fast: [0.45, 0.045, 3.6], flex: [0.125, 0.0125, 1] },
  { model: "gpt-5.2-pro", fast: "none", flex: "none" },
  { model: "gpt-4.1", fast: [3.5, 0.875, 14], flex: "none" },
  { model: "gpt-4.1-mini", fast: [0.7, 0.175, 2.8], flex: "none" },
  { model: "gpt-4o", fast: [4.25, 2.125, 17], flex: "none" },
  { model: "gpt-4o-mini", fast: [0.25, 0.125, 1], flex: "none" },
  { model: "o3", fast: [3.5, 0.875, 14], flex: [1, 0.25, 4] },
  { model: "o4-mini", fast: [2, 0.5, 8], flex: [0.55, 0.1375, 2.2] },
  { model: "claude-fable-5-2", fast: [16, 0.4, 80], flex: "none" },
  { model: "claude-fable-5-1", fast: "none", flex: "none" },
  { model: "claude-opus-5-5", fast: [8, 0.4, 40], flex: "none" },
  { model: "claude-opus-5", fast: [10, 1, 50], flex: "none" },
  { model: "claude-opus-4-7", fast: "none", flex: "none" },
  { model: "claude-sonnet-5-5", fast: "none", flex: "none" },
  { model: "gemini-4-argon", fast: [3.6, 0.18, 18], flex: [1, 0.05, 5] },
  { model: "gemini-3.8-flash", fast: [1.35, 0.135, 6.75], flex: [0.375, 0.0375, 1.875] },
  { model: "gemini-3.5-flash", fast: [2.7, 0.27, 16.2], flex: [0.75, 0.075, 4.5] },
  { model: "gemini-3.5-flash-lite", fast: [0.54, 0.05, 4.5], flex: [0.15, 0.02, 1.25] },
  { model: "gemini-3.1-pro-preview", fast: [3.6, 0.36, 21.6], flex: [1, 0.2, 6] },
  { model: "gemini-2.5-pro", fast: [2.25, 0.225, 18], flex: [0.625, 0.125, 5] },
];

const dayMs = Date.parse("2026-11-22");

for (const { model, ...tiers } of rows) {
  Deno.test(`catalog: service tiers of ${model}`, () => {
    const stated = catalogModel(model)?.price;
    const price = resolvePrice((stated && priceInForce(stated, dayMs)) ?? { input: 0, output: 0 });
    for (const [tier, expected] of Object.entries(tiers)) {
      const { rates } = ratesFor(price, 0, { tier });
      const usd = [rates.inputTokens, rates.cacheReadTokens, rates.outputTokens]
        .map((rate) => Number(rate) / 1e9);
      assertEquals<unknown>(price.serviceTiers.has(tier) ? usd : "none", expected, tier);
    }
  });
}

const regions = [
  ["claude-opus-4-6", { us: 1.1, regional: 1.1 }],
  ["claude-haiku-5-5", { us: 1.1, regional: 1.1 }],
  ["claude-opus-4-5", { regional: 1.1 }],
  ["claude-sonnet-4-5", { regional: 1.1 }],
  ["claude-haiku-4-5", { regional: 1.1 }],
  ["gpt-5.5", undefined],
] as const;

for (const [model, expected] of regions) {
  const places = Object.keys(expected ?? {}).join(" and ") || "none";
  Deno.test(`catalog: ${model} costs a tenth more in the regions ${places}`, () => {
    const stated = catalogModel(model)?.price;
    const price = stated && priceInForce(stated, dayMs);
    assertEquals(price?.regions, expected);
  });
}
