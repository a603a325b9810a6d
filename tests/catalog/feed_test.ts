import { assertEquals, assertThrows } from "@std/assert";
import { readFeed } from "../../lib/catalog/mod.ts";
import type { ModelPrice } from "../../lib/store/catalog/mod.ts";

const million = 1e-6;
const chat = { litellm_provider: "openai", mode: "chat" };
const usual = {
  ...chat,
  input_cost_per_token: 2 * million,
  output_cost_per_token: 8 * million,
};

const prices: readonly (readonly [name: string, fields: object, expected: Partial<ModelPrice>])[] =
  [
    ["whole rates", {}, {}],
    ["a rate that is no binary fraction", { cache_read_input_token_cost: 7e-8 }, {
      cachedInput: 0.07,
    }],
    ["rates that an absent one equals anyway", {
      cache_creation_input_token_cost: 2 * million,
      output_cost_per_reasoning_token: 8 * million,
      input_cost_per_image_token: 2 * million,
    }, {}],
    ["free cache writes", { cache_creation_input_token_cost: 0 }, {}],
    ["the lifetimes of caches", {
      cache_creation_input_token_cost: 2.5 * million,
      cache_creation_input_token_cost_above_1hr: 4 * million,
      cache_creation_input_token_cost_above_12hr: 5 * million,
    }, { cacheWrite: 2.5, cacheWrite1h: 4, cacheWrite12h: 5 }],
    ["long prompts", {
      cache_creation_input_token_cost_above_12hr: 5 * million,
      input_cost_per_token_above_272k_tokens: 4 * million,
      output_cost_per_token_above_272k_tokens: 12 * million,
      cache_creation_input_token_cost_above_12hr_above_272k_tokens: 10 * million,
    }, {
      cacheWrite12h: 5,
      tiers: [{ aboveInputTokens: 272_000, input: 4, cacheWrite12h: 10, output: 12 }],
    }],
    ["a tier by a factor", {
      input_cost_per_token_priority: 3.5 * million,
      output_cost_per_token_priority: 14 * million,
    }, { serviceTiers: { fast: { factor: 1.75 } } }],
    ["a tier with an exception", {
      cache_read_input_token_cost: 0.2 * million,
      input_cost_per_token_flex: 1 * million,
      output_cost_per_token_flex: 4 * million,
      cache_read_input_token_cost_flex: 0.2 * million,
    }, { cachedInput: 0.2, serviceTiers: { flex: { factor: 0.5, cachedInput: 0.2 } } }],
    ["a tier without a common factor", {
      input_cost_per_token_priority: 3 * million,
      output_cost_per_token_priority: 14 * million,
    }, { serviceTiers: { fast: { input: 3, output: 14 } } }],
    [
      "factors of Anthropic's speeds and regions",
      { provider_specific_entry: { us: 1.1, fast: 2 } },
      { serviceTiers: { fast: { factor: 2 } }, regions: { us: 1.1 } },
    ],
    ["cheaper hours without rates", { off_peak_pricing: { windows: [] } }, {}],
    ["cheaper hours of the week", {
      off_peak_pricing: {
        input_cost_per_token: 1 * million,
        output_cost_per_token: 4 * million,
        windows: [
          { weekdays: [1, 5], hours_utc: ["00:00-01:00", "10:00-00:00", "25:00-26:00"] },
          { weekdays: [6, 8], hours_utc: "00:00-00:00" },
        ],
      },
    }, {
      offPeak: {
        factor: 0.5,
        times: [
          { days: [1, 5], hours: ["00:00-01:00", "10:00-24:00"] },
          { days: [6], hours: ["00:00-24:00"] },
        ],
      },
    }],
    [
      "searches",
      { search_context_cost_per_query: { search_context_size_medium: 0.01 } },
      { hostedTools: { "web-search": 10 } },
    ],
  ];

for (const [name, fields, expected] of prices) {
  Deno.test(`readFeed reads ${name}`, () => {
    const feed = readFeed({ m: { ...usual, ...fields } });
    assertEquals(feed.get("m")?.price, { input: 2, output: 8, ...expected });
  });
}

Deno.test("readFeed reads rates by ranges of the prompt's length", () => {
  const range = (from: number, input: number, output: number) => ({
    range: [from, from + 1],
    input_cost_per_token: input * million,
    output_cost_per_token: output * million,
  });
  const feed = readFeed({
    "dashscope/q": {
      litellm_provider: "dashscope",
      mode: "chat",
      tiered_pricing: [range(0, 1, 5), range(32_000, 2, 10)],
    },
  });
  assertEquals(feed.get("q")?.price, {
    input: 1,
    output: 5,
    tiers: [{ aboveInputTokens: 32_000, input: 2, output: 10 }],
  });
});

Deno.test("readFeed reads the end of a model, its successor and its page", () => {
  const facts = {
    deprecation_date: "2027-01-14",
    successor_model: "gemini/next",
    source: "https://vendor.example/pricing",
  };
  const { retires, successor, page } = readFeed({ m: { ...usual, ...facts } }).get("m") ?? {};
  assertEquals([retires, successor, page], ["2027-01-14", "next", facts.source]);
});

Deno.test("readFeed takes no address but one of the web, and no day but a date", () => {
  for (const source of ["javascript:alert(1)", "http://vendor.example/", "see the docs", 5]) {
    const { page, retires } =
      readFeed({ m: { ...usual, source, deprecation_date: "soon\r\nx: y" } }).get("m") ?? {};
    assertEquals([page, retires], [undefined, undefined]);
  }
});

const ignored: readonly (readonly [key: string, entry: unknown])[] = [
  ["no object", 5],
  ["no price", chat],
  ["a negative price", { ...usual, input_cost_per_token: -1 }],
  ["text as a price", { ...usual, input_cost_per_token: "0" }],
  ["an absurd price", { ...usual, input_cost_per_token: 1e300 }],
  ["free answers to prompts that cost", { ...usual, output_cost_per_token: 0 }],
  ["an unknown provider", { ...usual, litellm_provider: "constructor" }],
  ["another purpose", { ...usual, mode: "video_generation" }],
  ["ft:m", usual],
  ["high/m", usual],
];
for (const [name, entry] of ignored) {
  Deno.test(`readFeed leaves out an entry: ${name}`, () => {
    assertEquals([...readFeed({ m: usual, [name]: entry }).keys()], ["m"]);
  });
}

for (const file of [null, [], 5, {}, { m: 5 }, { error: "not found" }]) {
  Deno.test(`readFeed refuses ${JSON.stringify(file)}`, () => {
    assertThrows(() => readFeed(file), RangeError);
  });
}

Deno.test("readFeed refuses a file with far too many models", () => {
  const many = Object.fromEntries(Array.from({ length: 50_001 }, (_, at) => [`m${at}`, usual]));
  assertThrows(() => readFeed(many), RangeError);
});
