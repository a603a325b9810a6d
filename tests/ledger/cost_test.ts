import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import {
  noTokens,
  noUsage,
  summedTokens,
  tokenBuckets,
  type TokenCounts,
  totalInputTokens,
  totalOutputTokens,
  type Usage,
} from "../../lib/canonical/mod.ts";
import { costOf } from "../../lib/ledger/cost.ts";
import { upperBoundOf } from "../../lib/ledger/cost_bound.ts";
import { resolvePrice } from "../../lib/ledger/price.ts";
import { anyPrice, anyRatio, flatPrice } from "./any_price.ts";

const price = resolvePrice({
  input: 3,
  cachedInput: 0.3,
  cacheWrite: 3.75,
  cacheWrite1h: 6,
  output: 15,
  request: 0.001,
  hostedTools: { "web-search": 10 },
});

const plain = resolvePrice({ input: 3, output: 15 });

Deno.test("costOf: lines say what was used, at which rate, and add up", () => {
  const usage: Usage = {
    ...noUsage,
    inputTokens: 1_234,
    cacheReadTokens: 900,
    outputTokens: 10,
    hostedToolCalls: { "web-search": 2, "url-fetch": 7 },
  };
  assertEquals(costOf(usage, price, 1), {
    nanoUsd: 3_702_000n + 270_000n + 150_000n + 20_000_000n + 1_000_000n,
    lines: [
      line("inputTokens", { quantity: 1_234, rateNanoUsd: 3_000_000_000n, nanoUsd: 3_702_000n }),
      {
        ...line("cacheReadTokens", { quantity: 900, rateNanoUsd: 300_000_000n, nanoUsd: 270_000n }),
        savedNanoUsd: 2_430_000n,
      },
      line("outputTokens", { quantity: 10, rateNanoUsd: 15_000_000_000n, nanoUsd: 150_000n }),
      {
        bucket: "hosted-tool:web-search",
        quantity: 2,
        rateNanoUsd: 10_000_000_000n,
        per: 1_000,
        nanoUsd: 20_000_000n,
      },
      { bucket: "request", quantity: 1, rateNanoUsd: 1_000_000n, per: 1, nanoUsd: 1_000_000n },
    ],
  });
});

function line(
  bucket: string,
  part: { readonly quantity: number; readonly rateNanoUsd: bigint; readonly nanoUsd: bigint },
) {
  return { bucket, per: 1_000_000, ...part };
}

const rounded = [
  { name: "half a nano-dollar goes up", input: 0.0005, tokens: 1, ratio: 1, expected: 1n },
  { name: "less than half goes down", input: 0.000_49, tokens: 1, ratio: 1, expected: 0n },
  { name: "a ratio is exact", input: 3, tokens: 1_000_000, ratio: 1.1, expected: 3_300_000_000n },
  { name: "a ratio of none is free", input: 3, tokens: 1_000_000, ratio: 0, expected: 0n },
  { name: "ratio and rate round once", input: 0.001, tokens: 1, ratio: 1.5, expected: 2n },
];
for (const { name, input, tokens, ratio, expected } of rounded) {
  Deno.test(`costOf: ${name}`, () => {
    const cost = costOf(
      { ...noUsage, inputTokens: tokens },
      resolvePrice({ input, output: 0 }),
      ratio,
    );
    assertEquals(cost.nanoUsd, expected);
    assertEquals(cost.lines.length, expected === 0n ? 0 : 1);
  });
}

Deno.test("costOf: the prompt's tokens decide the tier, in whatever bucket they are", () => {
  const tiered = resolvePrice({
    input: 1,
    cachedInput: 0.1,
    output: 10,
    tiers: [{ aboveInputTokens: 1_000, input: 2, cachedInput: 0.2, output: 20 }],
  });
  const short = { ...noUsage, inputTokens: 500, cacheReadTokens: 500, outputTokens: 5_000 };
  const long = { ...short, audioInputTokens: 1 };
  assertEquals(costOf(short, tiered, 1).nanoUsd, 500_000n + 50_000n + 50_000_000n);
  assertEquals(costOf(long, tiered, 1).nanoUsd, 1_000_000n + 100_000n + 2_000n + 100_000_000n);
});

const hostile = [NaN, -1, -Infinity, 0.9, -0];
for (const count of hostile) {
  Deno.test(`costOf: ${count} tokens cost nothing`, () => {
    const buckets = Object.fromEntries(tokenBuckets.map((bucket) => [bucket, count]));
    const usage = { ...noUsage, ...buckets, hostedToolCalls: { "web-search": count } };
    assertEquals(costOf(usage, price, 1).nanoUsd, price.requestNanoUsd);
    assertEquals(costOf(usage, plain, 1), { nanoUsd: 0n, lines: [] });
  });
}

Deno.test("costOf: endless counts cost as a billion tokens", () => {
  const usage = { ...noUsage, inputTokens: 1e308, outputTokens: Infinity };
  assertEquals(costOf(usage, plain, 1).nanoUsd, 3_000_000_000_000n + 15_000_000_000_000n);
});

Deno.test("costOf: a tool named like what every object has costs nothing", () => {
  const odd = resolvePrice({ input: 0, output: 0, hostedTools: { constructor: 5, toString: 5 } });
  assertEquals(costOf(noUsage, odd, 1).nanoUsd, 0n);
});

const count = fc.oneof(fc.nat({ max: 10_000 }), fc.nat({ max: 3 }));
const anyTokens = fc.record(
  Object.fromEntries(tokenBuckets.map((bucket) => [bucket, count])),
).map((buckets): TokenCounts => ({ ...noTokens, ...buckets }));
/** Of up to three samplings, served in any way. */
const anyUsage: fc.Arbitrary<Usage> = fc.record({
  samplings: fc.array(fc.record({ tokens: anyTokens }), { minLength: 1, maxLength: 3 }),
  servedTier: fc.constantFrom(undefined, "standard", "fast", "flex", "ultrafast", "warp", "batch"),
  servedRegion: fc.constantFrom(undefined, "global", "us", "mars"),
}).map(({ samplings, ...served }) => ({
  ...noUsage,
  ...summedTokens(samplings.map(({ tokens }) => tokens)),
  ...served,
  ...(samplings.length > 1 && { samplings }),
}));

Deno.test("costOf: the lines sum exactly, and each costs or saves something", () => {
  fc.assert(fc.property(anyPrice, anyRatio, anyUsage, (price, ratio, usage) => {
    const { nanoUsd, lines } = costOf(usage, price, ratio);
    assertEquals(lines.reduce((sum, line) => sum + line.nanoUsd, 0n), nanoUsd);
    assert(lines.every(({ nanoUsd, savedNanoUsd = 0n }) => nanoUsd > 0n || savedNanoUsd > 0n));
  }));
});

Deno.test("upperBoundOf: no call within the bounds costs more", () => {
  fc.assert(
    fc.property(fc.oneof(anyPrice, flatPrice), anyRatio, anyUsage, (price, ratio, usage) => {
      const { samplings = [{ tokens: usage }], servedTier: tier, servedRegion: region } = usage;
      const most = (count: (tokens: TokenCounts) => number) =>
        Math.max(...samplings.map(({ tokens }) => count(tokens)));
      const bound = upperBoundOf(price, ratio, {
        inputTokens: most(totalInputTokens),
        outputTokens: most(totalOutputTokens),
        alternatives: 1,
        samplings: samplings.length,
        served: [{}, { tier, region }],
        unused: tokenBuckets.filter((bucket) => usage[bucket] === 0),
      });
      assert(costOf(usage, price, ratio).nanoUsd <= bound);
    }),
    { numRuns: 2_000 },
  );
});

const bounds = [
  {
    name: "the dearest write and output",
    price,
    call: { inputTokens: 1_000, outputTokens: 100, alternatives: 1 },
    expected: 6_000_000n + 1_500_000n + 1_000_000n,
  },
  {
    name: "each alternative's output",
    price: plain,
    call: { inputTokens: 0, outputTokens: 100, alternatives: 3 },
    expected: 4_500_000n,
  },
  {
    name: "without buckets that the call cannot fill",
    price,
    call: {
      inputTokens: 1_000,
      outputTokens: 0,
      alternatives: 1,
      unused: ["cacheWrite1hTokens", "cacheWrite12hTokens"] as const,
    },
    expected: 3_750_000n + 1_000_000n,
  },
  {
    name: "nothing for a free model",
    price: resolvePrice({ input: 0, output: 0 }),
    call: { inputTokens: 1e9, outputTokens: 1e9, alternatives: 9 },
    expected: 0n,
  },
  {
    name: "invalid counts are zero",
    price: plain,
    call: { inputTokens: NaN, outputTokens: -5, alternatives: Infinity },
    expected: 0n,
  },
];
for (const { name, price, call, expected } of bounds) {
  Deno.test(`upperBoundOf: ${name}`, () => {
    assertEquals(upperBoundOf(price, 1, call), expected);
  });
}

Deno.test("upperBoundOf: takes the most expensive tier in reach", () => {
  const tiered = resolvePrice({
    input: 1,
    output: 10,
    tiers: [{ aboveInputTokens: 1_000, input: 2 }, { aboveInputTokens: 2_000, input: 0.5 }],
  });
  const bound = (inputTokens: number) =>
    upperBoundOf(tiered, 1, { inputTokens, outputTokens: 0, alternatives: 1 });
  assertEquals([bound(1_000), bound(1_001), bound(3_000)], [1_000_000n, 2_002_000n, 6_000_000n]);
});
