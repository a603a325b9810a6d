import { assertEquals, assertStrictEquals } from "@std/assert";
import { nanoUsdOf } from "../../lib/ledger/price.ts";
import { createPrices } from "../../lib/ledger/prices.ts";
import type { Model, ModelPrices } from "../../lib/store/catalog/mod.ts";

const nowMs = Date.parse("2026-11-21T12:00:00Z");

function model(id: string, price?: ModelPrices, fields: Partial<Model> = {}): Model {
  return { id, createdAtMs: 1, origin: "config", ...(price && { price }), ...fields };
}

const flat = (usd: number) => ({ input: usd, output: usd });

const order = [
  {
    name: "the record of the public name",
    models: [model("gpt-5", flat(7)), model("up", flat(8))],
    names: { model: "gpt-5", upstreamModel: "up" },
    expected: 7,
  },
  {
    name: "the catalog's public name before the upstream's record",
    models: [model("up", flat(8))],
    names: { model: "gpt-5", upstreamModel: "up" },
    expected: 1.25,
  },
  {
    name: "a record without a price says nothing",
    models: [model("gpt-5"), model("up", flat(8))],
    names: { model: "gpt-5", upstreamModel: "up" },
    expected: 1.25,
  },
  {
    name: "the record of the upstream's name",
    models: [model("up", flat(8)), model("gpt-5", flat(7))],
    names: { model: "fast", upstreamModel: "up" },
    expected: 8,
  },
  {
    name: "the upstream's name in the catalog",
    models: [],
    names: { model: "fast", upstreamModel: "gpt-5-2025-08-07" },
    expected: 1.25,
  },
  { name: "a free model is priced", models: [], names: { model: "tessera-echo" }, expected: 0 },
  {
    name: "none of them",
    models: [model("other", flat(1))],
    names: { model: "fast", upstreamModel: "own" },
    expected: undefined,
  },
  {
    name: "a price that has not started yet is ignored",
    models: [model("gpt-5", [{ from: "2027-01-01T00:00:00Z", ...flat(9) }])],
    names: { model: "gpt-5" },
    expected: 1.25,
  },
];
for (const { name, models, names, expected } of order) {
  Deno.test(`priceFor: ${name}`, () => {
    const price = createPrices(() => models).priceFor(names, nowMs);
    assertEquals(
      price?.rates.inputTokens,
      expected === undefined ? undefined : nanoUsdOf(expected),
    );
  });
}

Deno.test("priceFor: a price in a list changes on its day", () => {
  const prices = createPrices(() => [
    model("m", [
      { from: "2026-01-01T00:00:00Z", ...flat(1) },
      { from: "2026-12-01T00:00:00Z", ...flat(2) },
    ]),
  ]);
  const inputAt = (at: string) =>
    prices.priceFor({ model: "m" }, Date.parse(at))?.rates.inputTokens;
  assertEquals(inputAt("2026-11-30T23:59:59Z"), 1_000_000_000n);
  assertEquals(inputAt("2026-12-01T00:00:00Z"), 2_000_000_000n);
  assertEquals(inputAt("2025-12-01T00:00:00Z"), undefined);
});

Deno.test("priceFor: resolves once, and sees another list at once", () => {
  let models = [model("m", flat(1))];
  const prices = createPrices(() => models);
  const price = prices.priceFor({ model: "m" }, nowMs);
  assertStrictEquals(prices.priceFor({ model: "m" }, nowMs), price);
  models = [model("m", flat(2))];
  assertEquals(prices.priceFor({ model: "m" }, nowMs)?.rates.inputTokens, 2_000_000_000n);
  models = [];
  assertEquals(prices.priceFor({ model: "m" }, nowMs), undefined);
});

const limits = [
  {
    name: "a record's own limits, and the catalog's where it is silent",
    models: [model("gpt-5", undefined, { contextWindow: 1_000 })],
    names: { model: "gpt-5" },
    expected: { contextWindow: 1_000, maxOutputTokens: 128_000 },
  },
  {
    name: "the upstream's name where the public one is unknown",
    models: [],
    names: { model: "fast", upstreamModel: "claude-haiku-4-5" },
    expected: { contextWindow: 200_000, maxOutputTokens: 64_000 },
  },
  { name: "nothing of an unknown model", models: [], names: { model: "fast" }, expected: {} },
];
for (const { name, models, names, expected } of limits) {
  Deno.test(`limitsFor: ${name}`, () => {
    assertEquals(createPrices(() => models).limitsFor(names), expected);
  });
}
