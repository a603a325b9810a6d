import { assertEquals } from "@std/assert";
import { type FormatName, formatNames, type JsonObject } from "../../../lib/canonical/mod.ts";
import type { WireAnswer } from "../../ledger/cost_wire.ts";
import { callOnce } from "./tier_wire.ts";

/** The answer decides which tier is charged: by the catalog's prices, for requests of 200 KB. */

/** Nano-dollars for one token at so many dollars by the million. */
function at(usd: number): bigint {
  return BigInt(Math.round(usd * 1_000));
}

/** A prompt has no more tokens than bytes. */
const longText = "The parser keeps its place. ".repeat(6_000);

interface Row {
  readonly name: string;
  readonly model: string;
  readonly format: FormatName;
  /** The members of a request of the same format. */
  readonly asked?: JsonObject;
  readonly answer: WireAnswer;
  readonly headers?: Readonly<Record<string, string>>;
  readonly nanoUsd: bigint;
  /** The tier of the lines of the charge. */
  readonly tier?: string;
}

const chatUsage = {
  prompt_tokens: 60_000,
  prompt_tokens_details: { cached_tokens: 50_000 },
  completion_tokens: 1_000,
  total_tokens: 61_000,
};
const responsesUsage = {
  input_tokens: 60_000,
  input_tokens_details: { cached_tokens: 50_000 },
  output_tokens: 1_000,
  output_tokens_details: { reasoning_tokens: 400 },
  total_tokens: 61_000,
};
const writes = {
  ...responsesUsage,
  input_tokens_details: {
    cached_tokens: 40_000,
    cache_write_tokens: 10_000,
    cache_write_tokens_details: { ttl_30m_tokens: 6_000, ttl_12h_tokens: 4_000 },
  },
};
const messagesUsage = {
  input_tokens: 10_000,
  cache_read_input_tokens: 40_000,
  cache_creation_input_tokens: 10_000,
  cache_creation: { ephemeral_5m_input_tokens: 6_000, ephemeral_1h_input_tokens: 4_000 },
  output_tokens: 1_000,
};
const geminiUsage = {
  promptTokenCount: 60_000,
  cachedContentTokenCount: 50_000,
  candidatesTokenCount: 600,
  thoughtsTokenCount: 400,
  totalTokenCount: 61_000,
};

/** 10,000 tokens of prompt, 50,000 from the cache and 1,000 of answer. */
function simple(input: number, cached: number, output: number): bigint {
  return 10_000n * at(input) + 50_000n * at(cached) + 1_000n * at(output);
}

const rows: readonly Row[] = [
  ...["priority", "fast"].map((word): Row => ({
    name: `${word} is twice the standard rates`,
    model: "gpt-6-sol",
    format: "responses",
    asked: { service_tier: word },
    answer: { usage: responsesUsage, beside: { service_tier: "priority" } },
    nanoUsd: simple(4, 0.4, 20),
    tier: "fast",
  })),
  {
    name: "fast that was served as default costs the standard rates",
    model: "gpt-6-sol",
    format: "responses",
    asked: { service_tier: "fast" },
    answer: { usage: responsesUsage, beside: { service_tier: "default" } },
    nanoUsd: simple(2, 0.2, 10),
  },
  {
    name: "a project's default tier is charged though the call named none",
    model: "gpt-6-sol",
    format: "responses",
    answer: { usage: responsesUsage, beside: { service_tier: "priority" } },
    nanoUsd: simple(4, 0.4, 20),
    tier: "fast",
  },
  {
    name: "an answer without a tier is charged at the requested tier",
    model: "gpt-6-sol",
    format: "chat-completions",
    asked: { service_tier: "flex" },
    answer: { usage: chatUsage },
    nanoUsd: simple(1, 0.1, 5),
    tier: "flex",
  },
  {
    name: "flex is half",
    model: "gpt-6.1-terra",
    format: "responses",
    asked: { service_tier: "flex" },
    answer: { usage: responsesUsage, beside: { service_tier: "flex" } },
    nanoUsd: simple(0.5, 0.025, 2.5),
    tier: "flex",
  },
  {
    name: "ultrafast is six times",
    model: "gpt-6.1-sol",
    format: "responses",
    asked: { service_tier: "ultrafast" },
    answer: { usage: responsesUsage, beside: { service_tier: "ultrafast" } },
    nanoUsd: simple(12, 0.6, 60),
    tier: "ultrafast",
  },
  {
    name: "a served tier without a price costs the dearest that has one",
    model: "gpt-6-sol",
    format: "responses",
    answer: { usage: responsesUsage, beside: { service_tier: "hyperfast" } },
    nanoUsd: simple(4, 0.4, 20),
    tier: "fast",
  },
  {
    name: "cache writes for 12 hours cost 2.5 times the input",
    model: "gpt-6-sol",
    format: "responses",
    answer: { usage: writes },
    nanoUsd: 10_000n * at(2) + 40_000n * at(0.2) + 6_000n * at(2.5) + 4_000n * at(5) +
      1_000n * at(10),
  },
  {
    name: "cache writes for 12 hours in fast cost five times the input",
    model: "gpt-6-sol",
    format: "responses",
    asked: { service_tier: "fast" },
    answer: { usage: writes, beside: { service_tier: "fast" } },
    nanoUsd: 10_000n * at(4) + 40_000n * at(0.4) + 6_000n * at(5) + 4_000n * at(10) +
      1_000n * at(20),
    tier: "fast",
  },
  {
    name: "fast, a long prompt and cache writes multiply",
    model: "gpt-6-astra",
    format: "responses",
    asked: { service_tier: "fast", instructions: longText },
    answer: {
      usage: {
        ...writes,
        input_tokens: 300_000,
        total_tokens: 301_000,
      },
      beside: { service_tier: "priority" },
    },
    nanoUsd: 250_000n * at(40) + 40_000n * at(4) + 6_000n * at(50) + 4_000n * at(100) +
      1_000n * at(150),
    tier: "fast",
  },
  {
    name: "fast of gpt-5-mini is 1.8 times",
    model: "gpt-5-mini",
    format: "chat-completions",
    asked: { service_tier: "priority" },
    answer: { usage: chatUsage, beside: { service_tier: "priority" } },
    nanoUsd: simple(0.45, 0.045, 3.6),
    tier: "fast",
  },
  {
    name: "fast of gpt-4o-mini has rates of its own",
    model: "gpt-4o-mini",
    format: "chat-completions",
    asked: { service_tier: "priority" },
    answer: { usage: chatUsage, beside: { service_tier: "priority" } },
    nanoUsd: simple(0.25, 0.125, 1),
    tier: "fast",
  },
  {
    name: "flex of chat-completions is half",
    model: "gpt-5",
    format: "chat-completions",
    asked: { service_tier: "flex" },
    answer: { usage: chatUsage, beside: { service_tier: "flex" } },
    nanoUsd: 10_000n * 625n + 50_000n * 62n + 25_000n + 1_000n * at(5), // 0.0625 by the token
    tier: "flex",
  },
  {
    name: "speed fast is twice, cache reads and writes included",
    model: "claude-opus-5-5",
    format: "messages",
    asked: { speed: "fast" },
    answer: { usage: { ...messagesUsage, service_tier: "standard", speed: "fast" } },
    nanoUsd: 10_000n * at(8) + 40_000n * at(0.4) + 6_000n * at(10) + 4_000n * at(16) +
      1_000n * at(40),
    tier: "fast",
  },
  {
    name: "inference in the US is a tenth more",
    model: "claude-haiku-5-5",
    format: "messages",
    asked: { inference_geo: "us" },
    answer: { usage: { ...messagesUsage, inference_geo: "us" } },
    nanoUsd: 10_000n * 110n + 40_000n * 11n + 6_000n * 137n + 3_000n + 4_000n * 220n +
      1_000n * 550n, // the write: 137.5
    tier: "us",
  },
  {
    name: "fast and the US multiply, also where the workspace's default says the region",
    model: "claude-opus-5-5",
    format: "messages",
    asked: { speed: "fast" },
    answer: { usage: { ...messagesUsage, speed: "fast", inference_geo: "us" } },
    nanoUsd: 10_000n * at(8.8) + 40_000n * at(0.44) + 6_000n * at(11) + 4_000n * at(17.6) +
      1_000n * at(44),
    tier: "fast us",
  },
  {
    name: "capacity that was bought costs the standard rates",
    model: "claude-opus-5-5",
    format: "messages",
    answer: { usage: { ...messagesUsage, service_tier: "priority", speed: "standard" } },
    nanoUsd: 10_000n * at(4) + 40_000n * at(0.2) + 6_000n * at(5) + 4_000n * at(8) +
      1_000n * at(20),
  },
  {
    name: "priority by the header is 1.8 times",
    model: "gemini-3.5-flash",
    format: "generate-content",
    asked: { serviceTier: "priority" },
    answer: { usage: geminiUsage },
    headers: { "x-gemini-service-tier": "priority" },
    nanoUsd: simple(2.7, 0.27, 16.2),
    tier: "fast",
  },
  {
    name: "priority that the header says was served as standard costs the standard rates",
    model: "gemini-3.5-flash",
    format: "generate-content",
    asked: { service_tier: "priority" },
    answer: { usage: geminiUsage },
    headers: { "x-gemini-service-tier": "standard" },
    nanoUsd: simple(1.5, 0.15, 9),
  },
  {
    name: "flex by the traffic type, whose cached rate is rounded",
    model: "gemini-3.5-flash-lite",
    format: "generate-content",
    asked: { serviceTier: "flex" },
    answer: { usage: { ...geminiUsage, trafficType: "ON_DEMAND_FLEX" } },
    nanoUsd: simple(0.15, 0.02, 1.25),
    tier: "flex",
  },
  {
    name: "flex does not halve what the cache served of a long prompt",
    model: "gemini-3.1-pro-preview",
    format: "generate-content",
    asked: { serviceTier: "flex", systemInstruction: { parts: [{ text: longText }] } },
    answer: {
      usage: {
        ...geminiUsage,
        promptTokenCount: 250_000,
        totalTokenCount: 251_000,
        trafficType: "ON_DEMAND_FLEX",
      },
    },
    nanoUsd: 200_000n * at(2) + 50_000n * at(0.4) + 1_000n * at(9),
    tier: "flex",
  },
  {
    name: "tokens of a compaction are charged beside the answer's",
    model: "claude-opus-5-5",
    format: "messages",
    asked: { context_management: { edits: [{ type: "compact_20260112" }] } },
    answer: {
      usage: {
        input_tokens: 23_000,
        output_tokens: 1_000,
        iterations: [
          { type: "compaction", input_tokens: 180_000, output_tokens: 3_500 },
          { type: "message", model: "up", input_tokens: 23_000, output_tokens: 1_000 },
        ],
      },
    },
    nanoUsd: 203_000n * at(4) + 4_500n * at(20),
  },
  {
    name: "a fallback model is charged by its own price, and the hop that declined too",
    model: "claude-opus-5-5",
    format: "messages",
    asked: { fallbacks: [{ model: "claude-haiku-4-5" }] },
    answer: {
      usage: {
        input_tokens: 60_000,
        output_tokens: 1_000,
        iterations: [
          { type: "message", model: "up", input_tokens: 60_000, output_tokens: 5 },
          {
            type: "fallback_message",
            model: "claude-haiku-4-5",
            input_tokens: 20_000,
            cache_creation_input_tokens: 40_000,
            cache_creation: { ephemeral_1h_input_tokens: 40_000 },
            output_tokens: 1_000,
          },
        ],
      },
    },
    nanoUsd: 60_000n * at(4) + 5n * at(20) + 20_000n * at(1) + 40_000n * at(2) + 1_000n * at(5),
  },
];

for (const row of rows) {
  const { model, format, answer, headers } = row;
  for (const stream of [false, true]) {
    const way = stream ? "streamed" : "whole";
    Deno.test(`${format}, ${row.name}: ${way}`, async () => {
      const setting = {
        upstream: format,
        model,
        answer,
        headers,
        budgetUsd: 100,
        costs: { factor: 0.5 },
      };
      const called = await callOnce(setting, { caller: format, stream, members: row.asked });
      assertCharged(called, row);
    });
  }
  if (row.asked) continue; // another format cannot ask for it
  for (const caller of formatNames.filter((name) => name !== format)) {
    Deno.test(`${format}, ${row.name}: converted from ${caller}, streamed`, async () => {
      const setting = {
        upstream: format,
        model,
        answer,
        headers,
        budgetUsd: 100,
        costs: { factor: 0.5 },
      };
      assertCharged(await callOnce(setting, { caller, stream: true }), row);
    });
  }
}

/** Tiers that a caller of another format asks for, where the upstream's format has a word for them. */
const convertedRows:
  readonly (Row & { readonly caller: FormatName; readonly statedTier?: string })[] = [
    {
      name: "priority of chat-completions",
      caller: "chat-completions",
      model: "gpt-6-sol",
      format: "responses",
      asked: { service_tier: "priority" },
      answer: { usage: responsesUsage, beside: { service_tier: "priority" } },
      nanoUsd: simple(4, 0.4, 20),
      tier: "fast",
    },
    {
      name: "flex of generate-content",
      caller: "generate-content",
      model: "gpt-5.4",
      format: "chat-completions",
      asked: { serviceTier: "flex" },
      answer: { usage: chatUsage, beside: { service_tier: "flex" } },
      nanoUsd: simple(1.25, 0.125, 7.5),
      tier: "flex",
    },
    {
      name: "priority of responses, served as standard",
      caller: "responses",
      model: "gemini-3.5-flash",
      format: "generate-content",
      asked: { service_tier: "priority" },
      answer: { usage: { ...geminiUsage, trafficType: "ON_DEMAND" } },
      nanoUsd: simple(1.5, 0.15, 9),
      statedTier: "default",
    },
    {
      name: "priority of responses",
      caller: "responses",
      model: "gemini-3.5-flash",
      format: "generate-content",
      asked: { service_tier: "priority" },
      answer: { usage: { ...geminiUsage, trafficType: "ON_DEMAND_PRIORITY" } },
      nanoUsd: simple(2.7, 0.27, 16.2),
      tier: "fast",
      statedTier: "priority",
    },
    {
      name: "priority of responses, which has no meaning there",
      caller: "responses",
      model: "claude-opus-5-5",
      format: "messages",
      asked: { service_tier: "priority" },
      answer: { usage: { ...messagesUsage, speed: "standard", service_tier: "standard" } },
      nanoUsd: 10_000n * at(4) + 40_000n * at(0.2) + 6_000n * at(5) + 4_000n * at(8) +
        1_000n * at(20),
      statedTier: "default",
    },
  ];

for (const { caller, statedTier, ...row } of convertedRows) {
  const { name, model, format, answer, asked } = row;
  for (const stream of [false, true]) {
    const way = stream ? "streamed" : "whole";
    Deno.test(`${name} at an upstream of ${format}, ${way}`, async () => {
      const setting = { upstream: format, model, answer, budgetUsd: 100, costs: { factor: 0.5 } };
      const called = await callOnce(setting, { caller, stream, members: asked });
      assertCharged(called, row);
      const named = [...called.body.matchAll(/"service_tier":"(\w+)"/g)].at(-1)?.[1];
      if (statedTier !== undefined) assertEquals(named, statedTier);
    });
  }
}

function assertCharged(
  { status, body, rows: [logged] }: Awaited<ReturnType<typeof callOnce>>,
  { nanoUsd, tier }: Row,
): void {
  assertEquals(status, 200, body);
  assertEquals(logged.costNanoUsd, nanoUsd);
  assertEquals(logged.upstreamCost, { nanoUsd: nanoUsd / 2n });
  assertEquals(logged.uncoveredNanoUsd, undefined);
  const tiers = new Set(logged.costLines?.map((line) => "tier" in line ? line.tier : undefined));
  assertEquals([...tiers], [tier]);
}
