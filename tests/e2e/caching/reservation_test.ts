import { assert, assertEquals } from "@std/assert";
import type { FormatName } from "../../../lib/canonical/mod.ts";
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
    Deno.test(`caching: what is set aside covers breakpoints of the gateway's own, ${caller}, ${way}`, async () => {
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
