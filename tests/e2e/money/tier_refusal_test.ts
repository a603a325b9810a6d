import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { type FormatName, formatNames, type JsonObject } from "../../../lib/canonical/mod.ts";
import { startGateway, testKey } from "../gateway.ts";
import { callOnce, type Setting } from "./tier_wire.ts";

/** Callers bound by money are refused terms without a price; others are charged the dearest known rates. */

const usages: Readonly<Record<FormatName, JsonObject>> = {
  "chat-completions": { prompt_tokens: 60_000, completion_tokens: 1_000, total_tokens: 61_000 },
  responses: { input_tokens: 60_000, output_tokens: 1_000, total_tokens: 61_000 },
  messages: { input_tokens: 60_000, output_tokens: 1_000 },
  "generate-content": {
    promptTokenCount: 60_000,
    candidatesTokenCount: 1_000,
    totalTokenCount: 61_000,
  },
};
const model = "house-model";
const standardNanoUsd = 60_000n * 1_000n + 1_000n * 10_000n;

function setting(format: FormatName, options: Partial<Setting> = {}): Setting {
  return {
    upstream: format,
    model,
    answer: { usage: usages[format] },
    config: { models: [{ id: model, price: { input: 1, output: 10 } }] },
    ...options,
  };
}

interface Refusal {
  readonly format: FormatName;
  readonly members: JsonObject;
  /** The remedy that the message names. */
  readonly says: string;
}

const refusals: readonly Refusal[] = [
  ...(["chat-completions", "responses"] as const).flatMap((format) =>
    ["priority", "fast", "flex", "scale", "ultrafast"].map((word) => ({
      format,
      members: { service_tier: word },
      says: "set price.serviceTiers.",
    }))
  ),
  { format: "messages", members: { speed: "fast" }, says: "price.serviceTiers.fast" },
  { format: "messages", members: { inference_geo: "us" }, says: "price.regions.us" },
  {
    format: "messages",
    members: { fallbacks: [{ model: "unknown-model" }] },
    says: "fallback model 'unknown-model' has no price",
  },
  { format: "messages", members: { fallbacks: "default" }, says: "Name the fallback models" },
  {
    format: "generate-content",
    members: { serviceTier: "priority" },
    says: "price.serviceTiers.fast",
  },
  {
    format: "generate-content",
    members: { service_tier: "flex" },
    says: "price.serviceTiers.flex",
  },
];

for (const { format, members, says } of refusals) {
  const asked = JSON.stringify(members);
  for (const stream of [false, true]) {
    const way = stream ? "streamed" : "whole";
    Deno.test(`${format} ${asked} without a price: refused who pays, ${way}`, async () => {
      const { status, body, rows: [row], sent } = await callOnce(
        setting(format, { budgetUsd: 100 }),
        { caller: format, stream, members },
      );
      assertEquals(status, 403, body);
      assertStringIncludes(body, says);
      assertStringIncludes(body, "Not charged");
      assertEquals(sent, []);
      assertEquals([row.errorCode, row.costNanoUsd], ["tier_unpriced", undefined]);
    });
  }

  Deno.test(`${format} ${asked} without a price: sent on for who spends without end`, async () => {
    const { status, rows: [row], sent } = await callOnce(setting(format), {
      caller: format,
      stream: true,
      members,
    });
    assertEquals([status, row.costNanoUsd], [200, standardNanoUsd]);
    for (const [name, value] of Object.entries(members)) assertEquals(sent[0][name], value);
  });
}

for (const upstream of formatNames.filter((name) => name !== "chat-completions")) {
  Deno.test(`chat-completions: a tier that ${upstream} drops needs no price`, async () => {
    const { status, body, rows: [row], sent } = await callOnce(
      setting(upstream, { budgetUsd: 100 }),
      { caller: "chat-completions", stream: false, members: { service_tier: "warp" } },
    );
    assertEquals(status, 200, body);
    assertEquals(row.costNanoUsd, standardNanoUsd);
    assert(row.notes?.some(({ path }) => path === "serviceTier"));
    assert(!JSON.stringify(sent).includes("warp"));
  });
}

Deno.test("a served tier without any price costs the standard rates, and the row says so", async () => {
  const answer = { usage: usages.responses, beside: { service_tier: "priority" } };
  const { rows: [row] } = await callOnce(setting("responses", { answer, budgetUsd: 100 }), {
    caller: "responses",
    stream: true,
  });
  assertEquals(row.costNanoUsd, standardNanoUsd);
  assertEquals(row.usage?.servedTier, "fast");
  assertEquals(row.notes?.map(({ path, reason }) => [path, reason]), [[
    "serviceTier",
    "Served as fast, which has no price, so the highest known rates were charged",
  ]]);
});

Deno.test("an operator's price has tiers and regions of its own", async () => {
  const price = {
    input: 1,
    output: 10,
    serviceTiers: { priority: { factor: 3, output: 20 } },
    regions: { us: 2 },
  };
  const config = { models: [{ id: model, price }] };
  const { rows: [row], status, body } = await callOnce(
    setting("messages", { config, budgetUsd: 100 }),
    { caller: "messages", stream: false, members: { speed: "fast", inference_geo: "us" } },
  );
  assertEquals(status, 200, body);
  assertEquals(row.costNanoUsd, 60_000n * 6_000n + 1_000n * 40_000n);
  assertEquals(row.costLines?.map(({ tier }) => tier), ["fast us", "fast us"]);
});

Deno.test("a body that names its tier twice is refused", async () => {
  await using gateway = await startGateway();
  const response = await fetch(`${gateway.base}/v1/responses`, {
    method: "POST",
    headers: { authorization: `Bearer ${testKey}`, "content-type": "application/json" },
    body: `{"model":"tessera-echo","service_tier":"default","service_tier":"fast","input":"hi"}`,
  });
  assertEquals(response.status, 400);
  assertStringIncludes(await response.text(), "service_tier more than once");
});

Deno.test("money is set aside for a model that is free but for one tier", async () => {
  const price = { input: 0, output: 0, serviceTiers: { fast: { input: 1, output: 10 } } };
  const answer = { usage: usages.responses, beside: { service_tier: "priority" } };
  const config = { models: [{ id: model, price }] };
  const { status, body, sent } = await callOnce(
    setting("responses", { answer, config, budgetUsd: 0.01 }),
    { caller: "responses", stream: false, members: { service_tier: "fast" } },
  );
  assertEquals([status, sent], [402, []], body);
});
