import { assert, assertEquals } from "@std/assert";
import type { FormatName, JsonObject } from "../../../lib/canonical/mod.ts";
import type { WireAnswer } from "../../ledger/cost_wire.ts";
import { callOnce } from "./tier_wire.ts";

/**
 * Reservations cover the dearest tier that a call may get: a budget that pays for the standard
 * rates and not for those refuses the call instead of being overdrawn by its answer.
 */

interface Row {
  readonly name: string;
  readonly format: FormatName;
  readonly model: string;
  readonly members?: JsonObject;
  readonly answer: WireAnswer;
  /** More than the call costs at the standard rates, and less than it costs as it is served. */
  readonly budgetUsd: number;
  /** The members that have the same call served at the standard rates. */
  readonly standard?: JsonObject;
}

const tokens = { input_tokens: 60_000, output_tokens: 500 };

const rows: readonly Row[] = [
  {
    name: "a requested tier",
    format: "responses",
    model: "gpt-6-sol",
    members: { service_tier: "fast" },
    answer: { usage: tokens, beside: { service_tier: "priority" } },
    budgetUsd: 0.23,
    standard: { service_tier: "default" },
  },
  {
    name: "a project's default tier",
    format: "chat-completions",
    model: "gpt-6-sol",
    answer: {
      usage: { prompt_tokens: 60_000, completion_tokens: 500, total_tokens: 60_500 },
      beside: { service_tier: "priority" },
    },
    budgetUsd: 0.23,
    standard: { service_tier: "default" },
  },
  {
    name: "ultrafast",
    format: "responses",
    model: "gpt-6.1-sol",
    members: { service_tier: "ultrafast" },
    answer: { usage: tokens, beside: { service_tier: "ultrafast" } },
    budgetUsd: 0.5,
    standard: { service_tier: "fast" },
  },
  {
    name: "unrequested cache writes",
    format: "responses",
    model: "gpt-6-sol",
    members: { service_tier: "default" },
    answer: {
      usage: {
        ...tokens,
        input_tokens: 78_000,
        input_tokens_details: { cache_write_tokens: 78_000 },
      },
      beside: { service_tier: "default" },
    },
    budgetUsd: 0.19,
  },
  {
    name: "fast speed",
    format: "messages",
    model: "claude-opus-5-5",
    members: { speed: "fast", inference_geo: "global" },
    answer: { usage: { ...tokens, speed: "fast" } },
    budgetUsd: 0.38,
    standard: { speed: "standard", inference_geo: "global" },
  },
  {
    name: "a compaction",
    format: "messages",
    model: "claude-opus-5-5",
    members: {
      context_management: { edits: [{ type: "compact_20260112" }] },
      inference_geo: "global",
    },
    answer: {
      usage: { ...tokens, iterations: [{ type: "compaction", ...tokens }, message()] },
    },
    budgetUsd: 0.33,
    standard: { inference_geo: "global" },
  },
  {
    name: "priority",
    format: "generate-content",
    model: "gemini-3.5-flash",
    members: { service_tier: "PRIORITY" },
    answer: {
      usage: {
        promptTokenCount: 50_000,
        candidatesTokenCount: 500,
        totalTokenCount: 50_500,
        trafficType: "ON_DEMAND_PRIORITY",
      },
    },
    budgetUsd: 0.13,
    standard: { service_tier: "STANDARD" },
  },
];

function message(): JsonObject {
  return { type: "message", model: "up", ...tokens };
}

for (const { name, format, model, members, answer, budgetUsd, standard } of rows) {
  for (const stream of [false, true]) {
    const setting = { upstream: format, model, answer, budgetUsd };
    const way = stream ? "streamed" : "whole";

    Deno.test(`${format}: what is set aside covers ${name}, ${way}`, async () => {
      const asked = { caller: format, stream, members };
      const { status, body, rows: [row], sent } = await callOnce(setting, asked);
      assertEquals(row.uncoveredNanoUsd, undefined);
      assertEquals(status, 402, body);
      assertEquals(sent, []);
      const rich = await callOnce({ ...setting, budgetUsd: 100 }, asked);
      const cost = rich.rows[0].costNanoUsd ?? 0n;
      assert(cost > BigInt(Math.round(budgetUsd * 1e9)), `${cost}`);
    });
  }

  if (!standard) continue;
  Deno.test(`${format}: ${name} is not set aside for a call that cannot get it`, async () => {
    const plain = {
      usage: format === "generate-content" ? answer.usage : withoutTiers(answer.usage),
    };
    const served = { ...plain, beside: { service_tier: "default" } };
    const setting = { upstream: format, model, answer: served, budgetUsd };
    const { status, body } = await callOnce(setting, {
      caller: format,
      stream: true,
      members: standard,
    });
    assertEquals(status, 200, body);
  });
}

function withoutTiers({ speed: _speed, iterations: _iterations, ...usage }: JsonObject) {
  return usage;
}
