import { assertEquals } from "@std/assert";
import { createPrices, rateOf } from "../../lib/ledger/mod.ts";
import { candidatesFor, preferenceOf } from "../../lib/routing/mod.ts";
import { upstreamOrders } from "../../lib/store/catalog/mod.ts";
import { unknown, upstream } from "./upstreams.ts";

const query = { model: "m", format: "messages", groupId: "default" } as const;

Deno.test("preferenceOf orders upstreams of one priority by price or by speed, or not at all", () => {
  const served = (own: string) => ({ models: [{ id: "m", upstreamModel: own }] });
  const upstreams = [
    upstream("dear", served("dear-1")),
    upstream("cheap", served("cheap-1")),
    upstream("unpriced", served("unknown-1")),
    upstream("better", { ...served("dear-1"), priority: 1 }),
  ];
  const model = (id: string, usd: number) =>
    ({ id, price: { input: usd, output: usd }, createdAtMs: 0, origin: "config" }) as const;
  const prices = createPrices(() => [model("dear-1", 5), model("cheap-1", 1)]);
  const firstByteMs: Record<string, number> = { dear: 150, cheap: 900 };
  const health = {
    ...unknown,
    observed: ({ upstream: { id } }: { upstream: { id: string } }) => ({
      errorShare: 0,
      firstByteMs: firstByteMs[id] ?? 300,
    }),
  };
  const orders = upstreamOrders.map((order) => {
    const preference = preferenceOf(order, {
      health,
      rateOf: (name) => rateOf(prices, name, 0),
      now: () => 0,
    });
    const found = candidatesFor(query, upstreams, {
      health: unknown,
      nowMs: 0,
      random: () => 0.5,
      preference,
    });
    return [order, found.map(({ upstream }) => upstream.id)];
  });
  assertEquals(orders, [
    ["even", ["better", "dear", "cheap", "unpriced"]],
    ["cheapest", ["better", "cheap", "dear", "unpriced"]],
    ["fastest", ["better", "dear", "unpriced", "cheap"]],
  ]);
});
