import { assertEquals, assertStrictEquals, assertThrows } from "@std/assert";
import {
  dividedHalfUp,
  nanoUsdOf,
  ratesFor,
  ratioOf,
  resolvePrice,
} from "../../lib/ledger/price.ts";
import { type DatedModelPrice, priceInForce } from "../../lib/store/catalog/mod.ts";

const amounts: readonly (readonly [number | string, bigint])[] = [
  [0, 0n],
  [3, 3_000_000_000n],
  [0.0375, 37_500_000n],
  ["0.0375", 37_500_000n],
  [0.1 + 0.2, 300_000_000n], // 0.30000000000000004 as a double
  [1.1, 1_100_000_000n],
  [0.075, 75_000_000n],
  [1e-7, 100n],
  [2.5e-10, 0n],
  [5e-10, 1n],
  [4.9e-324, 0n],
  [1_000_000, 1_000_000_000_000_000n],
  [1e21, 1_000_000_000_000_000_000_000_000_000_000n],
  ["12.", 12_000_000_000n],
  ["0.000000001", 1n],
  ["0.0000000005", 1n],
  ["0.00000000049", 0n],
];
for (const [usd, expected] of amounts) {
  Deno.test(`nanoUsdOf ${typeof usd} ${usd}`, () => assertStrictEquals(nanoUsdOf(usd), expected));
}

const noAmounts = [
  -1,
  NaN,
  Infinity,
  1e308,
  "",
  " 1",
  "1,5",
  "-0.1",
  "1e999",
  "0x10",
  "9".repeat(99),
];
for (const usd of noAmounts) {
  Deno.test(`nanoUsdOf refuses ${typeof usd} ${JSON.stringify(usd)}`, () => {
    assertThrows(() => nanoUsdOf(usd), RangeError, "write it as a decimal number");
  });
}

Deno.test("ratioOf is exact in millionths and bounded", () => {
  assertEquals([1, 1.1, 0.85, 0, -2, 1e308, 1e-7].map(ratioOf), [
    1_000_000n,
    1_100_000n,
    850_000n,
    0n,
    0n,
    1_000_000_000_000n,
    0n,
  ]);
});

Deno.test("dividedHalfUp rounds a half up", () => {
  assertEquals([4n, 5n, 6n, 14n, 15n].map((dividend) => dividedHalfUp(dividend, 10n)), [
    0n,
    1n,
    1n,
    1n,
    2n,
  ]);
});

Deno.test("resolvePrice: what is not stated costs as what it falls back to", () => {
  const nano = 1_000_000_000n;
  assertEquals(resolvePrice({ input: 3, output: 15 }).rates, {
    inputTokens: 3n * nano,
    cacheReadTokens: 3n * nano,
    cacheWrite5mTokens: 3n * nano,
    cacheWrite1hTokens: 3n * nano,
    cacheWrite12hTokens: 3n * nano,
    audioInputTokens: 3n * nano,
    imageInputTokens: 3n * nano,
    outputTokens: 15n * nano,
    reasoningTokens: 15n * nano,
    audioOutputTokens: 15n * nano,
    imageOutputTokens: 15n * nano,
  });
  assertEquals(
    resolvePrice({ input: 3, output: 15, cacheWrite: 4 }).rates.cacheWrite1hTokens,
    4n * nano,
  );
});

Deno.test("resolvePrice: everything that is stated counts, a zero too", () => {
  const price = resolvePrice({
    input: 1,
    cachedInput: 0,
    cacheWrite: 2,
    cacheWrite1h: 3,
    cacheWrite12h: 10,
    audioInput: 4,
    imageInput: 5,
    output: 6,
    reasoning: 7,
    audioOutput: 8,
    imageOutput: 9,
    request: 0.01,
    hostedTools: { "web-search": 10, "url-fetch": undefined },
  });
  const usd = Object.values(price.rates).map((rate) => Number(rate) / 1e9);
  assertEquals(usd, [1, 0, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  assertEquals(price.requestNanoUsd, 10_000_000n);
  assertEquals(price.hostedTools, { "web-search": 10_000_000_000n, "url-fetch": 0n });
});

const tiered = resolvePrice({
  input: 1,
  output: 10,
  cachedInput: 0.1,
  tiers: [{ aboveInputTokens: 200_000, input: 2 }, { aboveInputTokens: 500_000, output: 30 }],
});
const tierRows = [
  { prompt: 0, input: 1, cached: 0.1, output: 10 },
  { prompt: 200_000, input: 1, cached: 0.1, output: 10 },
  { prompt: 200_001, input: 2, cached: 0.1, output: 10 },
  { prompt: 500_001, input: 1, cached: 0.1, output: 30 },
];
for (const { prompt, input, cached, output } of tierRows) {
  Deno.test(`ratesFor a prompt of ${prompt} tokens: a tier replaces what it states of the base`, () => {
    const { rates } = ratesFor(tiered, prompt);
    assertEquals(
      [rates.inputTokens, rates.cacheReadTokens, rates.outputTokens],
      [input, cached, output].map(nanoUsdOf),
    );
  });
}

const served = resolvePrice({
  input: 1,
  output: 10,
  cachedInput: 0.1,
  tiers: [{ aboveInputTokens: 200_000, input: 2, cachedInput: 0.2, output: 15 }],
  serviceTiers: {
    priority: { factor: 2 },
    flex: { factor: 0.5, cachedInput: 0.1 },
    ultrafast: { input: 5, output: 60 },
  },
  regions: { us: 1.1, ch: 1.5 },
});
const servedRows = [
  { prompt: 1, served: {}, input: 1, cached: 0.1, output: 10 },
  { prompt: 1, served: { tier: "standard", region: "global" }, input: 1, cached: 0.1, output: 10 },
  { prompt: 1, served: { tier: "fast" }, input: 2, cached: 0.2, output: 20, name: "fast" },
  { prompt: 200_001, served: { tier: "fast" }, input: 4, cached: 0.4, output: 30, name: "fast" },
  { prompt: 1, served: { tier: "flex" }, input: 0.5, cached: 0.1, output: 5, name: "flex" },
  { prompt: 200_001, served: { tier: "flex" }, input: 1, cached: 0.2, output: 7.5, name: "flex" },
  {
    prompt: 200_001,
    served: { tier: "ultrafast", region: "us" },
    input: 11,
    cached: 0.22,
    output: 99,
    name: "ultrafast us",
  },
  { prompt: 1, served: { region: "us" }, input: 1.1, cached: 0.11, output: 11, name: "us" },
  { prompt: 1, served: { tier: "batch" }, input: 1, cached: 0.1, output: 10 },
  { prompt: 1, served: { tier: "reserved" }, input: 1, cached: 0.1, output: 10 },
  {
    prompt: 1,
    served: { tier: "warp" },
    input: 5,
    cached: 0.1,
    output: 60,
    name: "ultrafast",
    unpriced: "warp",
  },
  {
    prompt: 1,
    served: { region: "mars" },
    input: 1.5,
    cached: 0.15,
    output: 15,
    name: "ch",
    unpriced: "mars",
  },
];
for (const { prompt, served: asked, input, cached, output, name, unpriced } of servedRows) {
  Deno.test(`ratesFor ${prompt} tokens served as ${JSON.stringify(asked)}`, () => {
    const { rates, ...said } = ratesFor(served, prompt, asked);
    assertEquals(
      [rates.inputTokens, rates.cacheReadTokens, rates.outputTokens],
      [input, cached, output].map(nanoUsdOf),
    );
    assertEquals(said, { ...(name && { tier: name }), ...(unpriced && { unpriced }) });
  });
}

Deno.test("ratesFor a region without a factor: that of any place, unless the region is unknown", () => {
  const price = resolvePrice({ input: 1, output: 10, regions: { us: 1.3, regional: 1.1 } });
  const priced = (region: string) => {
    const { rates, ...said } = ratesFor(price, 1, { region });
    return [rates.inputTokens, said];
  };
  assertEquals(priced("eu-central-1"), [nanoUsdOf(1.1), { tier: "regional" }]);
  assertEquals(priced("us"), [nanoUsdOf(1.3), { tier: "us" }]);
  assertEquals(priced("global"), [nanoUsdOf(1), {}]);
  assertEquals(priced("*"), [nanoUsdOf(1.3), { tier: "us", unpriced: "*" }]);
});

const dated: readonly DatedModelPrice[] = [
  { from: "2026-06-01T00:00:00Z", input: 2, output: 2 },
  { from: "2026-01-01T00:00:00+02:00", input: 1, output: 1 },
  { from: "2027-01-01T00:00:00Z", input: 3, output: 3 },
];
const dateRows = [
  { at: "2025-12-31T21:59:59.999Z", expected: undefined },
  { at: "2025-12-31T22:00:00Z", expected: 1 },
  { at: "2026-05-31T23:59:59Z", expected: 1 },
  { at: "2026-06-01T00:00:00Z", expected: 2 },
  { at: "2030-01-01T00:00:00Z", expected: 3 },
];
for (const { at, expected } of dateRows) {
  Deno.test(`priceInForce at ${at}: the latest that has started`, () => {
    assertEquals(priceInForce(dated, Date.parse(at))?.input, expected);
  });
}
