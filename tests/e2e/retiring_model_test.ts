import { assertEquals } from "@std/assert";
import { startUpstream } from "./fake_upstream.ts";
import { oneUpstream, startGateway, testKey } from "./gateway.ts";

const answer = {
  id: "c1",
  object: "chat.completion",
  created: 1,
  model: "m",
  choices: [{ index: 0, message: { role: "assistant", content: "Hi" }, finish_reason: "stop" }],
  usage: { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 },
};

/** The date is the catalog's, of the model that answers. */
const models = [
  { id: "gpt-5", retires: "2026-12-11" },
  { id: "house", upstreamModel: "gpt-5", retires: "2026-12-11" },
  { id: "gpt-4o", upstreamModel: "gpt-6-luna", retires: null },
  { id: "gpt-6-luna", retires: null },
];

Deno.test("an answer of a model that its vendor shuts down says when", async () => {
  await using upstream = startUpstream(() => Response.json(answer));
  await using gateway = await startGateway(oneUpstream(
    { "chat-completions": `${upstream.base}/v1` },
    { models: models.map(({ retires: _, ...model }) => model) },
  ));
  for (const { id, retires } of models) {
    const response = await fetch(`${gateway.base}/v1/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer ${testKey}`, "content-type": "application/json" },
      body: JSON.stringify({ model: id, messages: [{ role: "user", content: "hi" }] }),
    });
    await response.body?.cancel();
    assertEquals(
      [response.status, response.headers.get("tessera-model-retires")],
      [200, retires],
      id,
    );
  }
});
