import { assertEquals } from "@std/assert";
import {
  createModel,
  getModel,
  type ModelPrices,
  priceInForce,
} from "../../../lib/store/catalog/mod.ts";
import { sampleModel } from "../samples.ts";
import { testOnStores } from "../temp_store.ts";

const full = {
  input: 3,
  output: 15,
  cachedInput: 0.3,
  imageOutput: 30,
  request: 0.001,
  hostedTools: { "web-search": 10 },
  tiers: [{ aboveInputTokens: 200_000, input: 6 }],
};

const prices: Record<string, ModelPrices> = {
  "one price": full,
  "a list of dated prices": [{ from: "2026-01-01T00:00:00Z", ...full }],
};

for (const [name, price] of Object.entries(prices)) {
  testOnStores(`model: ${name} is read as it was written`, async (store) => {
    const model = sampleModel({ price });
    await createModel(store, model);
    assertEquals(await getModel(store, model.id), model);
  });
}

const dated = [
  { from: "2027-01-01T00:00:00Z", input: 3, output: 3 },
  { from: "2026-01-01T00:00:00Z", input: 1, output: 1 },
  { from: "no time", input: 9, output: 9 },
];
const rows = [
  { at: "2025-06-01T00:00:00Z", expected: undefined },
  { at: "2026-01-01T00:00:00Z", expected: 1 },
  { at: "2027-01-01T00:00:00Z", expected: 3 },
];
for (const { at, expected } of rows) {
  Deno.test(`priceInForce at ${at} is the latest that has started`, () => {
    assertEquals(priceInForce(dated, Date.parse(at))?.input, expected);
  });
}
