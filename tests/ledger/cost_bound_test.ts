import { assertEquals } from "@std/assert";
import fc from "fast-check";
import {
  answerBuckets,
  boundedCount,
  promptBuckets,
  type TokenBucket,
  tokenBuckets,
} from "../../lib/canonical/mod.ts";
import { boundAt, boundsOf, type CallBounds, upperBoundOf } from "../../lib/ledger/cost_bound.ts";
import {
  type Price,
  type Rates,
  ratesFor,
  ratioOf,
  ratioUnit,
  resolvePrice,
} from "../../lib/ledger/price.ts";
import { anyPrice, anyRatio, flatPrice } from "./any_price.ts";

const price = fc.oneof(anyPrice, flatPrice);
const tokens = fc.oneof(
  fc.nat({ max: 40_000 }),
  fc.nat({ max: 2_000_000_000 }),
  fc.constantFrom(NaN, -1, 0.5, Infinity),
);
const served = fc.record({
  tier: fc.constantFrom("standard", "fast", "flex", "ultrafast", "warp", "batch"),
  region: fc.constantFrom("global", "us", "eu", "*"),
}, { requiredKeys: [] });
const call: fc.Arbitrary<CallBounds> = fc.record({
  inputTokens: tokens,
  outputTokens: tokens,
  alternatives: fc.integer({ min: 1, max: 9 }),
  hostedToolCalls: fc.nat({ max: 200 }),
  unused: fc.subarray([...tokenBuckets, "cacheWrite1hTokens" as const]),
  served: fc.array(served, { minLength: 1, maxLength: 4 }),
  samplings: fc.integer({ min: 1, max: 5 }),
  others: fc.array(price, { maxLength: 2 }),
}, { requiredKeys: ["inputTokens", "outputTokens", "alternatives"] });

Deno.test("boundsOf: equal the sum of every rate set, for every length of the answer", () => {
  fc.assert(
    fc.property(
      price,
      anyRatio,
      fc.array(call, { minLength: 1, maxLength: 3 }),
      fc.array(tokens, { maxLength: 3 }),
      (price, ratio, calls, lengths) => {
        for (const call of calls) {
          assertEquals(upperBoundOf(price, ratio, call), summedBound(price, ratio, call));
          const bounds = boundsOf(price, ratio, call);
          for (const outputTokens of lengths) {
            assertEquals(
              boundAt(bounds, outputTokens),
              summedBound(price, ratio, { ...call, outputTokens }),
            );
          }
        }
      },
    ),
    { numRuns: 1_000 },
  );
});

Deno.test("ratesFor: a price that served other regions gives the same rates as a new one", () => {
  const used = { input: 3, output: 15, regions: { us: 1.1, eu: 1.2 } };
  const price = resolvePrice(used);
  for (const region of ["us", "eu", "us", "global", "eu"]) {
    assertEquals(ratesFor(price, 1, { region }), ratesFor(resolvePrice(used), 1, { region }));
  }
});

const nanoUsd = 1_000_000n * ratioUnit;

/** The bound as a sum, computed separately for each rate set and answer. */
function summedBound(price: Price, priceRatio: number, call: CallBounds): bigint {
  const ratio = ratioOf(priceRatio);
  const tools = dearest(Object.values(price.hostedTools)) * countOf(call.hostedToolCalls ?? 0);
  const request = (price.requestNanoUsd + dividedUp(tools, 1_000n)) * 1_000_000n;
  const bounds = [price, ...call.others ?? []].flatMap((one) => reachableRates(one, call))
    .map((rates) => summed(rates, { call, ratio, request }));
  return dearest(bounds);
}

function summed(
  rates: Rates,
  { call, ratio, request }: {
    readonly call: CallBounds;
    readonly ratio: bigint;
    readonly request: bigint;
  },
): bigint {
  const ratesIn = (buckets: readonly TokenBucket[]) =>
    buckets.filter((bucket) => !call.unused?.includes(bucket)).map((bucket) => rates[bucket]);
  const [prompt, answer] = [ratesIn(promptBuckets), ratesIn(answerBuckets)];
  const samplings = countOf(call.samplings ?? 1);
  const tokens = countOf(call.inputTokens) * dearest(prompt) +
    countOf(call.outputTokens) * countOf(call.alternatives) * dearest(answer);
  const rounded = [...prompt, ...answer, request].filter((rate) => rate * ratio % nanoUsd !== 0n);
  return dividedUp((tokens * samplings + request) * ratio, nanoUsd) +
    BigInt(rounded.length) * samplings / 2n;
}

function reachableRates(price: Price, { inputTokens, served = [{}] }: CallBounds): Rates[] {
  const bounds = price.tiers.map(({ aboveInputTokens }) => aboveInputTokens + 1)
    .filter((tokens) => tokens <= boundedCount(inputTokens));
  return served.flatMap((way) =>
    [0, ...bounds].map((tokens) => ratesFor(price, tokens, way).rates)
  );
}

function dearest(amounts: readonly bigint[]): bigint {
  return amounts.reduce((most, amount) => amount > most ? amount : most, 0n);
}

function countOf(count: number): bigint {
  return BigInt(boundedCount(count));
}

function dividedUp(dividend: bigint, divisor: bigint): bigint {
  return (dividend + divisor - 1n) / divisor;
}
