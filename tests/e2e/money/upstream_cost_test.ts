import { assert, assertEquals } from "@std/assert";
import type { FormatName, JsonObject } from "../../../lib/canonical/mod.ts";
import { listRequestLogs } from "../../../lib/store/log/mod.ts";
import { failedCall } from "../../../lib/webhooks/grouped_calls.ts";
import { wireFormats } from "../../ledger/cost_wire.ts";
import { startUpstream } from "../fake_upstream.ts";
import { oneUpstream, startGateway, testKey } from "../gateway.ts";
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

const relayedUsage = { prompt_tokens: 60, completion_tokens: 20, total_tokens: 80 };
const statedUsage = { ...relayedUsage, ...prices[0].members };
const chunk = { id: "c", object: "text_completion", created: 1, model: "gpt-6-sol" };
const sse = [
  { ...chunk, choices: [{ index: 0, text: "Hi", finish_reason: "stop" }] },
  { ...chunk, choices: [], usage: statedUsage },
].map((event) => `data: ${JSON.stringify(event)}\n\n`).join("");

const unusual = {
  "behind white space": {
    path: "chat/completions",
    answer: `\n   \n${
      JSON.stringify(wireFormats["chat-completions"].whole({ usage: statedUsage }))
    }`,
  },
  "in embeddings": {
    path: "embeddings",
    answer: JSON.stringify({ object: "list", data: [{ said: "Hi" }], usage: statedUsage }),
  },
  "in a stream of completions": { path: "completions", answer: `${sse}data: [DONE]\n\n` },
} as const;

for (const [name, { path, answer }] of Object.entries(unusual)) {
  Deno.test(`a stated price stays here: ${name}`, async () => {
    const type = answer.startsWith("data") ? "text/event-stream" : "application/json";
    const headers = { "content-type": type };
    await using upstream = startUpstream(() => new Response(answer, { headers }));
    await using gateway = await startGateway(
      oneUpstream({ "chat-completions": upstream.base }, { models: ["gpt-6-sol"] }),
    );
    const prompt = { messages: [{ role: "user", content: "Hi" }], input: "Hi", prompt: "Hi" };
    const response = await fetch(`${gateway.base}/v1/${path}`, {
      method: "POST",
      headers: { authorization: `Bearer ${testKey}`, "content-type": "application/json" },
      body: JSON.stringify({
        model: "gpt-6-sol",
        ...prompt,
        ...(path === "completions" && { stream: true, stream_options: { include_usage: true } }),
      }),
    });
    const text = await response.text();
    assertEquals(response.status, 200, text);
    assert(text.includes("Hi") && !said.test(text), text);
  });
}

/** Everything that a key reads about itself. */
const ownAddresses = [
  "/v1/usage",
  "/v1/usage?session=one",
  "/v1/dashboard/billing/usage?start_date=2026-01-01",
  "/v1/dashboard/billing/subscription",
  "/v1/models",
  "/v1/models/gpt-6-sol",
];

Deno.test("no address of a key, and no event, says what its calls cost the operator", async () => {
  const usage = { prompt_tokens: 60, completion_tokens: 20, total_tokens: 80 };
  const answer = { usage: { ...usage, ...prices[0].members } };
  await using upstream = startUpstream(() =>
    Response.json(wireFormats["chat-completions"].whole(answer))
  );
  await using gateway = await startGateway(
    oneUpstream({ "chat-completions": upstream.base }, { models: ["gpt-6-sol"] }),
  );
  const headers = { authorization: `Bearer ${testKey}`, "tessera-session": "one" };
  const called = await fetch(`${gateway.base}/v1/chat/completions`, {
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body: JSON.stringify({ model: "gpt-6-sol", messages: [{ role: "user", content: "Hi" }] }),
  });
  assertEquals(called.headers.get("tessera-cost"), "0.00032");
  const texts = [await called.text(), JSON.stringify([...called.headers])];
  for (const path of ownAddresses) {
    const response = await fetch(gateway.base + path, { headers });
    const text = await response.text();
    assertEquals(response.status, 200, `${path}: ${text}`);
    texts.push(text);
  }
  assert(texts.some((text) => text.includes("0.00032")), "the charge is shown");
  const { rows: [row] } = await listRequestLogs(gateway.parts.store, { limit: 1 });
  assertEquals(row.upstreamCost?.nanoUsd, nanoUsd);
  const failed = failedCall({ ...row, outcome: "upstream_error" });
  texts.push(JSON.stringify(failed));
  for (const text of texts) assert(!said.test(text) && !/margin|upstream_?cost/i.test(text), text);
});
