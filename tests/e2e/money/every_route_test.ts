import { assert, assertEquals } from "@std/assert";
import type { Operation } from "../../../lib/formats/wire.ts";
import { servedEndpoints } from "../../../lib/operations/served.ts";
import { startApi } from "../../management/api.ts";
import { startUpstream } from "../fake_upstream.ts";
import { startGateway } from "../gateway.ts";
import { rowsOf } from "../interruptions/interrupted_call.ts";

/**
 * A spent budget holds on every address that reaches an upstream. Of other gateways, pass-through
 * routes ignored it, or it was neither stored nor enforced
 * (https://github.com/maximhq/bifrost/issues/2873, https://github.com/maximhq/bifrost/issues/5673,
 * https://github.com/BerriAI/litellm/issues/10750, https://github.com/BerriAI/litellm/issues/26672).
 */

const secret = "sk-spent-0123456789abcdefghij";

function form(fields: Record<string, string | Blob>): FormData {
  const made = new FormData();
  for (const [name, value] of Object.entries(fields)) made.set(name, value);
  return made;
}

const prompt = "How many planets are there? ".repeat(20);
const blob = new Blob([new Uint8Array(2_000)], { type: "application/octet-stream" });
const turn = [{ role: "user", content: prompt }];

/** A call of each operation that costs something, by its path, or by its parameter; the others cost nothing. */
const bodies: Readonly<Record<Operation, Readonly<Record<string, unknown>> | "free">> = {
  generate: {
    "/v1/chat/completions": { model: "m", messages: turn },
    "/v1/responses": { model: "m", input: prompt },
    "/v1/messages": { model: "m", max_tokens: 50, messages: turn },
    "{model}": { contents: [{ role: "user", parts: [{ text: prompt }] }] },
  },
  "compact-response": { "/v1/responses/compact": { model: "m", input: prompt } },
  embed: { "/v1/embeddings": { model: "m", input: prompt } },
  complete: { "/v1/completions": { model: "m", prompt, max_tokens: 50 } },
  "generate-image": { "/v1/images/generations": { model: "m", prompt } },
  "edit-image": { "/v1/images/edits": form({ model: "m", prompt, image: blob }) },
  speak: { "/v1/audio/speech": { model: "m", input: prompt, voice: "alloy" } },
  transcribe: { "/v1/audio/transcriptions": form({ model: "m", file: blob }) },
  translate: { "/v1/audio/translations": form({ model: "m", file: blob }) },
  moderate: { "/v1/moderations": { model: "m", input: prompt } },
  rerank: { "/v1/rerank": { model: "m", query: prompt, documents: [prompt] } },
  decide: { "/v1/decisions": { model: "m", input: prompt, questions: [{ type: "predicate" }] } },
  "count-tokens": "free",
  "list-models": "free",
  "get-model": "free",
  "get-usage": "free",
  "get-key": "free",
  "get-subscription": "free",
  "get-billing-usage": "free",
  "get-response": "free",
  "delete-response": "free",
  "cancel-response": "free",
  "list-input-items": "free",
  "create-conversation": "free",
  "get-conversation": "free",
  "update-conversation": "free",
  "delete-conversation": "free",
  "create-conversation-items": "free",
  "list-conversation-items": "free",
  "get-conversation-item": "free",
  "delete-conversation-item": "free",
};

interface Route {
  readonly path: string;
  readonly body: unknown;
}

/** Every address that costs something, with the variants of its body that take another way. */
const routes: readonly Route[] = servedEndpoints.flatMap(({ endpoint }) => {
  const made = bodies[endpoint.operation];
  if (made === "free") return [];
  const isModels = endpoint.path.includes("{model}");
  const path = endpoint.path.replace("{model}", "m") + (endpoint.verb ? `:${endpoint.verb}` : "");
  const body = made[isModels ? "{model}" : endpoint.path];
  const plain = { path, body };
  if (endpoint.operation !== "generate" || isModels) {
    return [plain];
  }
  const more = endpoint.path === "/v1/responses" ? [{ background: true }, { store: false }] : [];
  return [
    plain,
    ...[{ stream: true }, ...more].map((members) => ({
      path,
      body: { ...Object(body), ...members },
    })),
  ];
});

async function call(base: string, key: string, { path, body }: Route): Promise<Response> {
  const isForm = body instanceof FormData;
  return await fetch(base + path, {
    method: "POST",
    headers: {
      authorization: `Bearer ${key}`,
      ...(!isForm && { "content-type": "application/json" }),
    },
    body: isForm ? body : JSON.stringify(body),
  });
}

/** An upstream of all four formats, whose answers no spent key may get. */
const upstreamConfig = (base: string) => ({
  upstreams: [{
    id: "up",
    endpoints: {
      "chat-completions": `${base}/v1`,
      responses: `${base}/v1`,
      messages: base,
      "generate-content": `${base}/v1beta`,
    },
    apiKeys: ["x"],
    models: ["m"],
  }],
  models: [{
    id: "m",
    price: { input: 100, output: 100, audioInput: 100, audioOutput: 100, imageOutput: 100 },
  }],
});

Deno.test("every route is in the table: those that reach an upstream cost something", () => {
  const operations = new Set(servedEndpoints.map(({ endpoint }) => endpoint.operation));
  for (const operation of Object.keys(bodies)) {
    assert(operations.has(operation as Operation), operation); // sound: the table's own keys
  }
  assert(routes.length >= 20, `${routes.length} routes`);
});

for (const route of routes) {
  const { stream, background, store } = Object(route.body);
  const how = stream
    ? ", streamed"
    : background
    ? ", background"
    : store === false
    ? ", unstored"
    : "";
  Deno.test(`a spent budget holds at POST ${route.path}${how}`, async () => {
    await using upstream = startUpstream(() => Response.json({ unexpected: true }));
    await using gateway = await startGateway({
      ...upstreamConfig(upstream.base),
      keys: [{ name: "spent", value: secret, budget: { usd: 0.000_001, period: "total" } }],
    });
    const response = await call(gateway.base, secret, route);
    const text = await response.text();
    assertEquals(response.status, 402, text);
    assertEquals(upstream.seen.map(({ path }) => path), []);
    const [row] = await rowsOf(gateway);
    assertEquals([row.outcome, row.costNanoUsd], ["refused", undefined]);
  });
}

Deno.test("a budget that the management API set is read back and holds at every route", async () => {
  await using upstream = startUpstream(() => Response.json({ unexpected: true }));
  await using api = await startApi(upstreamConfig(upstream.base));
  const budgets = { total: "0.000001" };
  const made = await api.ask("POST", "/keys", { body: { name: "small", budgets } });
  assertEquals(made.status, 201, JSON.stringify(made.body));
  const read = await api.ask("GET", `/keys/${made.body.id}`);
  assertEquals([made.body.budgets.total, read.body.budgets.total], ["0.000001", "0.000001"]);
  for (const route of routes) {
    const response = await call(api.base, made.body.secret, route);
    assertEquals(response.status, 402, `${route.path} ${await response.text()}`);
  }
  assertEquals(upstream.seen.length, 0);
});
