import { assert, assertEquals } from "@std/assert";
import type { FormatName, JsonObject } from "../../../lib/canonical/mod.ts";
import { callOnce } from "./tier_wire.ts";

/**
 * A price that the upstream states in its answer is the call's cost, and no caller sees it: neither
 * in the answer, whole or streamed, nor converted to another format.
 */

const counts = {
  "chat-completions": { prompt_tokens: 60_000, completion_tokens: 1_000, total_tokens: 61_000 },
  responses: { input_tokens: 60_000, output_tokens: 1_000, total_tokens: 61_000 },
  messages: { input_tokens: 60_000, output_tokens: 1_000 },
} as const satisfies Partial<Record<FormatName, JsonObject>>;

const nanoUsd = 71_317_793n;
const prices: readonly { readonly name: string; readonly members: JsonObject }[] = [
  {
    name: "in dollars",
    members: {
      cost: 0.071317793,
      is_byok: false,
      cost_details: { upstream_inference_cost: 0.071317793 },
    },
  },
  { name: "in ticks", members: { cost_in_usd_ticks: 713_177_930 } },
];
/** The price, and the names that an upstream gives it. */
const said = /71317793|713177930|is_byok|cost_details|usd_ticks/;
/** 60,000 tokens at $2 and 1,000 at $10 by the million. */
const chargedNanoUsd = 130_000_000n;

for (const upstream of ["chat-completions", "responses", "messages"] as const) {
  for (const { name, members } of prices) {
    for (const stream of [false, true]) {
      for (
        const caller of [upstream, upstream === "messages" ? "responses" : "messages"] as const
      ) {
        const way = `${upstream} to ${caller}, ${stream ? "streamed" : "whole"}`;
        Deno.test(`a price stated ${name} is the cost, and stays here: ${way}`, async () => {
          const answer = { usage: { ...counts[upstream], ...members } };
          const { status, body, rows: [row] } = await callOnce(
            { upstream, model: "gpt-6-sol", answer, costs: { factor: 0.5 } },
            { caller, stream },
          );
          assertEquals(status, 200, body);
          assert(body.includes("Hi"), body);
          assert(!said.test(body), body);
          assertEquals(row.costNanoUsd, chargedNanoUsd);
          assertEquals(row.upstreamCost, { nanoUsd, isStated: true });
        });
      }
    }
  }
}
