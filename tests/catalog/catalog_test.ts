import { assert, assertEquals } from "@std/assert";
import { catalogModel, catalogModels, purposeOf } from "../../lib/catalog/mod.ts";
import {
  isDated,
  type ModelPrice,
  priceInForce,
  type TokenRates,
} from "../../lib/store/catalog/mod.ts";
import formerPrices from "./former_prices.json" with { type: "json" };
import { embeddedModel } from "../../lib/upstreams/embedded/mod.ts";

const found: readonly (readonly [string, string])[] = [
  ["gpt-5.1", "gpt-5.1"],
  ["gpt-5.1-2025-11-13", "gpt-5.1"],
  ["openai/gpt-5.1", "gpt-5.1"],
  ["openai/gpt-5.1-2025-11-13", "gpt-5.1"],
  ["GPT-5.1", "gpt-5.1"],
  ["gpt-5-mini-2025-08-07", "gpt-5-mini"],
  ["gpt-5.6", "gpt-5.6-sol"],
  ["chat-latest", "chat-latest"],
  ["claude-sonnet-4-5", "claude-sonnet-4-5"],
  ["claude-sonnet-4-5-20250929", "claude-sonnet-4-5"],
  ["claude-sonnet-4-5@20250929", "claude-sonnet-4-5"],
  ["claude-sonnet-4-5-latest", "claude-sonnet-4-5"],
  ["anthropic/claude-sonnet-4.5", "claude-sonnet-4-5"],
  ["models/gemini-2.5-flash", "gemini-2.5-flash"],
  ["google/gemini-2.5-flash", "gemini-2.5-flash"],
  ["gemini-flash-latest", "gemini-3.8-flash"],
  ["x-ai/grok-4.7", "grok-4.7"],
  ["mistral-large-latest", "mistral-large-2512"],
  ["mistralai/mistral-large-2512", "mistral-large-2512"],
  ["z-ai/glm-5.3", "glm-5.3"],
  ["moonshotai/Kimi-K3", "kimi-k3"],
  ["MiniMaxAI/MiniMax-M3", "MiniMax-M3"],
  ["meta/llama-4-scout-17b-16e-instruct-maas", "meta/llama-4-scout-17b-16e-instruct-maas"],
  [embeddedModel, "tessera-echo"],
];
for (const [name, id] of found) {
  Deno.test(`catalogModel ${name} is ${id}`, () => assertEquals(catalogModel(name)?.id, id));
}

const unknown = [
  "",
  "/",
  "gpt-5-",
  "gpt-5-micro",
  "gpt-5-mini-pro",
  "gpt-5-2025",
  "gpt-5-20259",
  "gpt-51",
  "gpt-5.10",
  "my-gpt-5",
  "gpt-5:free",
  "openai/gpt-oss-120b:free",
  "anthropic/gpt-5",
  "acme/gpt-5",
  "openai/openai/gpt-5",
  "claude-opus-5-5-20250929-v1:0",
  "claude",
  "gemini-2.5-flash-preview-09-2025",
  "constructor",
  "gpt-5.1-2025-11-13-latest",
  `${"openai/".repeat(40)}gpt-5`,
];
for (const name of unknown) {
  Deno.test(`catalogModel does not take ${name.slice(0, 40)} for another`, () => {
    assertEquals(catalogModel(name), undefined);
  });
}

Deno.test("catalog: all models are known by each of their names", () => {
  const models = catalogModels();
  assert(models.length >= 1_000, `${models.length} models`);
  assert(new Set(models.map(({ ownedBy }) => ownedBy)).size >= 15);
  for (const model of models) {
    for (const name of [model.id, ...model.aliases ?? []]) assertEquals(catalogModel(name), model);
  }
});

/** Pairs of rates of which the first is never higher: cached input never costs more than uncached. */
const notAbove: readonly (readonly [keyof TokenRates, keyof TokenRates])[] = [
  ["cachedInput", "input"],
  ["cacheWrite", "cacheWrite1h"],
  ["input", "cacheWrite"],
];

Deno.test("catalog: every model has facts that can be true", () => {
  for (const { id, asOf, price: stated, retires = asOf } of catalogModels()) {
    assert(/^20\d\d-\d\d-\d\d$/.test(retires), id);
    const prices = isDated(stated) ? stated : [stated];
    for (const price of prices) {
      assertPlausible(price, isForChat(id));
    }
    assert(priceInForce(stated, Date.parse(asOf)), `the price of ${id} must have begun`);
  }
});

for (const id of Object.keys(formerPrices)) {
  Deno.test(`catalog: ${id} has limits that can be true`, () => {
    const { contextWindow = isForChat(id) ? 0 : 1_024, maxOutputTokens = 1 } = catalogModel(id) ??
      {};
    assert(Number.isInteger(contextWindow) && contextWindow >= (isForChat(id) ? 32_768 : 1_024));
    assert(maxOutputTokens <= contextWindow);
  });
}

function isForChat(id: string): boolean {
  return purposeOf(id) === "chat";
}

/** Answers never cost less than prompts; embeddings have none. */
function assertPlausible(price: ModelPrice, answers: boolean): void {
  const { tiers = [], hostedTools = {} } = price;
  const sets: readonly Partial<TokenRates>[] = [price, ...tiers];
  for (const rates of sets) {
    const { input = price.input, output = price.output } = rates;
    assert(input >= 0 && (output >= input || !answers) && output <= 1_000);
    for (const [lower, upper] of notAbove) {
      assert((rates[lower] ?? 0) <= (rates[upper] ?? Infinity), `${lower} is above ${upper}`);
    }
  }
  for (const tier of tiers) {
    assert(tier.aboveInputTokens > 0);
    assert((tier.input ?? Infinity) >= price.input && (tier.output ?? Infinity) >= price.output);
  }
  assert(Object.values(hostedTools).every((usd = 0) => usd > 0 && usd < 100));
}

Deno.test("catalog: a rule for long prompts raises every rate by its side's factor", () => {
  const { price } = catalogModel("gpt-5.6-luna") ?? {};
  assertEquals(price, {
    input: 0.2,
    cachedInput: 0.02,
    cacheWrite: 0.25,
    cacheWrite12h: 0.5,
    output: 1.2,
    hostedTools: { "web-search": 10, "file-search": 2.5 },
    serviceTiers: { flex: { factor: 0.5 }, fast: { factor: 2 } },
    tiers: [{
      aboveInputTokens: 272_000,
      input: 0.4,
      cachedInput: 0.04,
      cacheWrite: 0.5,
      cacheWrite12h: 1,
      output: 1.8,
    }],
  });
});

Deno.test("catalog: introductory prices end on their day", () => {
  const { price } = catalogModel("gemini-4-argon") ?? {};
  assert(price);
  const inputAt = (at: string) => priceInForce(price, Date.parse(at))?.input;
  assertEquals(inputAt("2026-11-30T23:59:59Z"), 2);
  assertEquals(inputAt("2026-12-01T00:00:00Z"), 4);
});

Deno.test("catalog: the embedded model costs nothing, and so is priced", () => {
  const { price } = catalogModel(embeddedModel) ?? {};
  assertEquals(price, { input: 0, output: 0 });
});
