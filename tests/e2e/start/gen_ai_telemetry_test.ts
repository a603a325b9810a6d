import { assert, assertEquals } from "@std/assert";
import { chatChunk, chatUsageChunk } from "../../formats/chat_chunk.ts";
import { chatAnswer } from "../../formats/whole_answer.ts";
import { removeFolder } from "../../store/temp_store.ts";
import { startUpstream } from "../fake_upstream.ts";
import { testKey } from "../gateway.ts";
import { startServer } from "../server_process.ts";
import { type CollectedPoint, type CollectedSpan, startCollector } from "./otlp_collector.ts";

const prompt = "words that only the prompt has";
const answer = "words that only the answer has";

const sse = { headers: { "content-type": "text/event-stream" } };
const usage = {
  prompt_tokens: 20,
  completion_tokens: 5,
  total_tokens: 25,
  prompt_tokens_details: { cached_tokens: 8 },
};

/** Streams, embeds, fails or answers, as it is asked. */
function startVendor() {
  return startUpstream(({ path, body }) => {
    const { model, stream } = JSON.parse(body);
    if (model === "broken") return Response.json({ error: { message: "no" } }, { status: 500 });
    if (path.includes("embeddings")) {
      const data = [{ object: "embedding", index: 0, embedding: [1] }];
      const used = { prompt_tokens: 3, total_tokens: 3 };
      return Response.json({ object: "list", data, model, usage: used });
    }
    if (!stream) return Response.json(chatAnswer({ content: answer }, { usage }));
    const chunks = [
      chatChunk({ delta: { role: "assistant", content: answer } }),
      chatChunk({ finish: "length" }),
      chatUsageChunk(usage),
      "data: [DONE]\n\n",
    ];
    return new Response(chunks.join(""), sse);
  });
}

const messages = [{ role: "user", content: prompt }];
const chat = { path: "/v1/chat/completions", status: 200 };
const calls = [
  { ...chat, body: { model: "m", messages } },
  { ...chat, body: { model: "m", messages, stream: true } },
  {
    path: "/v1/messages",
    status: 200,
    body: { model: "m", messages, max_tokens: 9, stream: true },
  },
  { path: "/v1/messages", status: 200, body: { model: "m", messages, max_tokens: 9 } },
  { path: "/v1/embeddings", status: 200, body: { model: "m", input: prompt } },
  { ...chat, status: 502, body: { model: "broken", messages } },
  { ...chat, status: 404, body: { model: "unknown", messages } },
  { ...chat, status: 401, key: "sk-wrong-0123456789abcdefghi", body: { model: "m", messages } },
] as const;

Deno.test("telemetry: a collector gets a span and metrics of each call, without its words", async () => {
  await using collector = startCollector();
  await using vendor = startVendor();
  const folder = await Deno.makeTempDir();
  const server = await startServer(folder, { config: configFor(vendor.base), env: collector.env });
  for (const { path, status, body, ...rest } of calls) {
    const response = await fetch(server.base + path, {
      method: "POST",
      headers: { authorization: `Bearer ${"key" in rest ? rest.key : testKey}` },
      body: JSON.stringify(body),
    });
    await response.text();
    assertEquals(response.status, status, path);
  }
  assertEquals(await server.stop(), 0);
  await removeFolder(folder);
  checkSpans(collector.spans(), vendor.base);
  checkPoints(collector.points());
  for (const words of [prompt, answer, testKey]) assert(!collector.text().includes(words), words);
});

function configFor(base: string) {
  return {
    upstreams: [{
      id: "vendor",
      preset: "mistral",
      endpoints: { "chat-completions": `${base}/v1` },
      apiKeys: ["x"],
      models: ["m", "broken"],
    }],
    models: [{ id: "m", price: { input: 10, cachedInput: 1, output: 100 } }],
    limits: { attemptsMax: 1 },
  };
}

function checkSpans(spans: readonly CollectedSpan[], base: string): void {
  const ours = spans.filter(({ attributes }) => "tessera.request.id" in attributes);
  assertEquals(ours.map(({ name }) => name), [
    ...["chat m", "chat m", "chat m", "chat m", "embeddings m", "chat broken", "chat unknown"],
  ]);
  for (const span of ours) {
    assertEquals(span.kind, 3, "a client's");
    const parent = spans.find(({ spanId }) => spanId === span.parentSpanId);
    assertEquals(parent?.kind, 2, "below the request to the gateway");
  }
  const [whole, streamed, converted, convertedWhole, embedded, broken, unknown] = ours;
  const { port } = new URL(base);
  const called = {
    "gen_ai.operation.name": "chat",
    "gen_ai.provider.name": "mistral_ai",
    "gen_ai.request.model": "m",
    "server.address": "127.0.0.1",
    "server.port": BigInt(port),
    "gen_ai.usage.input_tokens": 20n,
    "gen_ai.usage.output_tokens": 5n,
    "gen_ai.usage.cache_read.input_tokens": 8n,
    "tessera.cost.usd": 0.000628,
    "tessera.upstream.id": "vendor",
    "tessera.group.id": "default",
    "tessera.attempts": 1n,
    "tessera.outcome": "completed",
  };
  assertHas(whole, { ...called, "gen_ai.response.finish_reasons": ["stop"] });
  const longAnswer = {
    "gen_ai.response.finish_reasons": ["length"],
    "gen_ai.request.stream": true,
  };
  assertHas(streamed, { ...called, ...longAnswer, "tessera.format": "chat-completions" });
  assertHas(converted, { ...called, ...longAnswer, "tessera.format": "messages" });
  assertHas(convertedWhole, { ...called, "gen_ai.response.finish_reasons": ["stop"] });
  for (const { attributes } of [streamed, converted]) {
    assert(Number(attributes["gen_ai.response.time_to_first_chunk"]) > 0);
  }
  assertEquals("gen_ai.response.time_to_first_chunk" in whole.attributes, false);
  assertHas(embedded, { "gen_ai.operation.name": "embeddings", "gen_ai.usage.input_tokens": 3n });
  assertHas(broken, { "error.type": "upstream_error", "tessera.outcome": "upstream_error" });
  assertHas(unknown, { "error.type": "model_not_found", "gen_ai.provider.name": "tessera" });
  assertEquals(ours.map(({ status }) => status), [0, 0, 0, 0, 0, 2, 2]);
  checkFamily(spans, ours);
}

/** Each call of an upstream is a child of its call's span; a call of an unknown key ends its span, too. */
function checkFamily(spans: readonly CollectedSpan[], ours: readonly CollectedSpan[]): void {
  const children = ours.map(({ spanId }) =>
    spans.filter(({ parentSpanId }) => parentSpanId === spanId).length
  );
  assertEquals(children, [1, 1, 1, 1, 1, 1, 0]);
  const refused = spans.filter(({ name, attributes }) =>
    name === "call" && attributes["error.type"] === "401"
  );
  assertEquals(refused.length, 1);
}

function checkPoints(points: readonly CollectedPoint[]): void {
  const last = (
    metric: string,
    wanted: Readonly<Record<string, string>>,
  ): Omit<CollectedPoint, "metric"> => {
    const found = points.filter((point) =>
      point.metric === metric &&
      Object.entries(wanted).every(([name, value]) => point.attributes[name] === value)
    );
    return found.at(-1) ?? { count: 0, sum: 0, attributes: {} };
  };
  const labels = {
    "gen_ai.provider.name": "mistral_ai",
    "gen_ai.request.model": "m",
    "gen_ai.operation.name": "chat",
    "tessera.upstream.id": "vendor",
    "tessera.group.id": "default",
  };
  const chat = { ...labels, "tessera.format": "chat-completions" };
  assertEquals(last("gen_ai.client.operation.duration", chat).count, 2);
  assertEquals(last("gen_ai.client.operation.time_to_first_chunk", chat).count, 1);
  const input = last("gen_ai.client.token.usage", { ...chat, "gen_ai.token.type": "input" });
  assertEquals([input.count, input.sum], [2, 40]);
  assertEquals(last("tessera.client.cost", chat).sum, 2 * 0.000628);
  const failed = last("gen_ai.client.operation.duration", { "error.type": "upstream_error" });
  assertEquals([failed.count, failed.attributes["gen_ai.request.model"]], [1, "broken"]);
  const unknown = last("gen_ai.client.operation.duration", { "error.type": "model_not_found" });
  assertEquals(unknown.attributes["gen_ai.request.model"], "other");
}

function assertHas(
  { attributes }: CollectedSpan,
  wanted: Readonly<Record<string, unknown>>,
): void {
  const found = Object.fromEntries(Object.keys(wanted).map((name) => [name, attributes[name]]));
  assertEquals(found, { ...wanted });
}
