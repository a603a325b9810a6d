import fc from "fast-check";
import { type Price, resolvePrice } from "../../lib/ledger/price.ts";
import type { ModelPrice } from "../../lib/store/catalog/mod.ts";

const rate = fc.oneof(
  fc.double({ min: 0, max: 200, noNaN: true }),
  fc.constantFrom(0, 0.0375, 3, 15, 1e-9),
);
const optionalRates = {
  cachedInput: rate,
  cacheWrite: rate,
  cacheWrite1h: rate,
  cacheWrite12h: rate,
  reasoning: rate,
  audioInput: rate,
  audioOutput: rate,
  imageInput: rate,
  imageOutput: rate,
};
/** Every bucket at the one rate, so that nothing but rounding parts a cost from its bound. */
export const flatPrice = fc.constantFrom(0.0005, 0.0015, 0.001_234, 3.000_5)
  .map((rate) => resolvePrice({ input: rate, output: rate, request: 0 }));
export const anyPrice: fc.Arbitrary<Price> = fc.record({
  input: rate,
  output: rate,
  ...optionalRates,
  request: rate,
  tiers: fc.array(
    fc.record({
      aboveInputTokens: fc.nat({ max: 20_000 }),
      input: rate,
      output: rate,
      ...optionalRates,
    }, { requiredKeys: ["aboveInputTokens"] }),
    { maxLength: 3 },
  ),
  serviceTiers: fc.dictionary(
    fc.constantFrom("fast", "flex", "ultrafast"),
    fc.record({ factor: rate, input: rate, output: rate, ...optionalRates }, { requiredKeys: [] }),
  ),
  regions: fc.dictionary(fc.constantFrom("us", "eu"), rate),
}, { requiredKeys: ["input", "output"] }).map((one: ModelPrice) => resolvePrice(one));
export const anyRatio = fc.oneof(
  fc.double({ min: 0, max: 20, noNaN: true }),
  fc.constantFrom(1, 1.1),
);
