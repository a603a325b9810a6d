import { assert, assertEquals } from "@std/assert";
import type { FormatName, JsonObject } from "../../../lib/canonical/mod.ts";
import { callOnce } from "../money/tier_wire.ts";

/** 80,000 tokens are written to the cache because the gateway set breakpoints. */
const written = 80_000;
const answer = {
  usage: { input_tokens: 0, cache_creation_input_tokens: written, output_tokens: 500 },
};
/** More than the call costs without writes ($0.2475), and less than it costs with them ($0.3075). */
const budgetUsd = 0.28;

for (const caller of ["chat-completions", "responses", "generate-content"] satisfies FormatName[]) {
  for (const stream of [false, true]) {
    const way = stream ? "streamed" : "whole";
    Deno.test(`caching: the reservation covers the gateway's own breakpoints, ${caller}, ${way}`, async () => {
      const setting = { upstream: "messages" as const, model: "claude-sonnet-4-5", answer };
      const asked = { caller, stream };
      const poor = await callOnce({ ...setting, budgetUsd }, asked);
      assertEquals(poor.rows[0].uncoveredNanoUsd, undefined);
      assertEquals([poor.status, poor.sent.length], [402, 0], poor.body);
      const rich = await callOnce({ ...setting, budgetUsd: 100 }, asked);
      assertEquals(rich.status, 200, rich.body);
      const cost = rich.rows[0].costNanoUsd ?? 0n;
      assert(cost > BigInt(budgetUsd * 1e9), `${cost}`);
      assert(JSON.stringify(rich.sent).includes("cache_control"));
    });
  }
}

interface Row {
  readonly name: string;
  readonly caller: FormatName;
  readonly upstream: FormatName;
  readonly model: string;
  readonly members: JsonObject;
  readonly usage: JsonObject;
  /** Members of the answer beside its usage. */
  readonly beside?: JsonObject;
  /** More than the call costs at the rate of shorter writes, and less than it costs. */
  readonly budgetUsd: number;
}

const rows: readonly Row[] = [
  {
    name: "thirty minutes that become an hour",
    caller: "chat-completions",
    upstream: "messages",
    model: "claude-sonnet-4-5",
    members: { prompt_cache_options: { mode: "implicit", ttl: "30m" } },
    usage: {
      input_tokens: 0,
      cache_creation_input_tokens: written,
      cache_creation: { ephemeral_1h_input_tokens: written },
      output_tokens: 500,
    },
    budgetUsd: 0.42,
  },
  {
    name: "an hour that becomes twelve",
    caller: "messages",
    upstream: "responses",
    model: "gpt-6-sol",
    members: { cache_control: { type: "ephemeral", ttl: "1h" } },
    usage: {
      input_tokens: 78_000,
      input_tokens_details: {
        cache_write_tokens: 78_000,
        cache_write_tokens_details: { ttl_12h_tokens: 78_000 },
      },
      output_tokens: 500,
    },
    beside: { service_tier: "priority" }, // a project's default tier
    budgetUsd: 0.6,
  },
];

for (const { name, caller, upstream, model, members, usage, beside, budgetUsd } of rows) {
  Deno.test(`caching: the reservation covers ${name}`, async () => {
    const setting = { upstream, model, answer: { usage, ...(beside && { beside }) } };
    const asked = { caller, stream: false, members };
    const poor = await callOnce({ ...setting, budgetUsd }, asked);
    assertEquals(poor.rows[0].uncoveredNanoUsd, undefined);
    assertEquals([poor.status, poor.sent.length], [402, 0], poor.body);
    const rich = await callOnce({ ...setting, budgetUsd: 100 }, asked);
    assertEquals(rich.status, 200, rich.body);
    const cost = rich.rows[0].costNanoUsd ?? 0n;
    assert(cost > BigInt(Math.round(budgetUsd * 1e9)), `${cost}`);
  });
}
