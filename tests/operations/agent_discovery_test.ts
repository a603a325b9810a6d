import { assert, assertEquals } from "@std/assert";
import OpenAI from "openai";
import type { JsonObject } from "../../lib/canonical/mod.ts";
import { listRequestLogs } from "../../lib/store/log/mod.ts";
import { startStrict, strictCredential, type StrictUpstream } from "../strict/mod.ts";
import { oneUpstream, startGateway, type TestGateway, testKey } from "../e2e/gateway.ts";

/** The model list as coding agents read it, and the names under which they then call. */

const many = 2_000;
const mapped = (id: string) => ({ id, upstreamModel: "gpt-5.1" });
const few = ["gpt-5.1", "claude-opus-5", "acme-large", "text-embedding-3-small"];

interface Scene extends AsyncDisposable {
  readonly gateway: TestGateway;
  readonly upstream: StrictUpstream;
}

async function startScene(names: readonly string[] = few): Promise<Scene> {
  const upstream = startStrict("chat-completions", {});
  const gateway = await startGateway({
    ...oneUpstream({ "chat-completions": upstream.base }, {
      apiKeys: [strictCredential],
      models: names.map(mapped),
    }),
    models: [{ id: "acme-large", price: { input: 3, output: 4 } }],
  });
  return {
    gateway,
    upstream,
    [Symbol.asyncDispose]: async () => {
      await gateway[Symbol.asyncDispose]();
      await upstream[Symbol.asyncDispose]();
    },
  };
}

const numbered = Array.from({ length: many }, (_, at) => `vendor/model-number-${at}`);
const bearer = { authorization: `Bearer ${testKey}` };
const codex = { ...bearer, "user-agent": "codex_exec/0.171.0 (Debian 12.0.0; x86_64)" };
const claudeCode = {
  ...bearer,
  "anthropic-version": "2023-06-01",
  "user-agent": "claude-code/2.1.332",
};

async function read({ gateway }: Scene, path: string, headers: Record<string, string>) {
  const startedAt = performance.now();
  const response = await fetch(gateway.base + path, { headers, redirect: "error" });
  const text = await response.text();
  const body: JsonObject = text === "" ? {} : JSON.parse(text);
  return { response, text, body, ms: performance.now() - startedAt };
}

function idsIn(rows: unknown, member = "id"): string[] {
  return (rows as readonly JsonObject[]).map((row) => String(row[member]));
}

/** Without one of these Codex 0.171.0 refuses the whole list; each was left out once. */
const required = [
  "slug",
  "display_name",
  "supported_reasoning_levels",
  "shell_type",
  "visibility",
  "supported_in_api",
  "priority",
  "base_instructions",
  "support_verbosity",
  "truncation_policy",
  "experimental_supported_tools",
];

Deno.test("agent discovery: Codex gets its catalogue beside OpenAI's list", async () => {
  await using scene = await startScene();
  const { body, text } = await read(scene, "/v1/models?client_version=0.171.0", codex);
  assertEquals(idsIn(body.data), few.toSorted());
  const models = body.models as readonly JsonObject[];
  assertEquals(idsIn(models, "slug"), ["claude-opus-5", "gpt-5.1", "acme-large"]);
  for (const entry of models) {
    assertEquals(required.filter((name) => entry[name] === undefined), [], text);
    assertEquals(entry.prefer_websockets, true);
  }
  const [opus, gpt, acme] = models;
  assertEquals([opus.context_window, gpt.context_window, acme.context_window], [
    1_000_000,
    400_000,
    undefined,
  ]);
  assertEquals(idsIn(gpt.supported_reasoning_levels, "effort"), ["low", "medium", "high"]);
  assertEquals([acme.supported_reasoning_levels, acme.input_modalities], [[], ["text"]]);
  const plain = await read(scene, "/v1/models", bearer);
  assertEquals(plain.body.models, undefined);
});

Deno.test("agent discovery: OpenAI's client reads the list with a catalogue", async () => {
  await using scene = await startScene();
  const client = new OpenAI({
    baseURL: `${scene.gateway.base}/v1`,
    apiKey: testKey,
    defaultQuery: { client_version: "1" },
  });
  const ids: string[] = [];
  for await (const { id, object } of client.models.list()) ids.push(`${object} ${id}`);
  assertEquals(ids, few.toSorted().map((id) => `model ${id}`));
});

Deno.test("agent discovery: If-None-Match gives 304 while nothing changes", async () => {
  await using scene = await startScene();
  const paths = ["/v1/models", "/v1/models?client_version=0.171.0", "/v1beta/models"];
  const tags = new Set<string>();
  for (const path of paths) {
    const etag = (await read(scene, path, codex)).response.headers.get("etag") ?? "";
    tags.add(etag);
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`]) {
      const again = await read(scene, path, { ...codex, "if-none-match": known });
      assertEquals([again.response.status, again.text], [304, ""], known);
      assertEquals(again.response.headers.get("etag"), etag);
    }
    assertEquals(
      (await read(scene, path, { ...codex, "if-none-match": '"old"' })).response.status,
      200,
    );
  }
  assertEquals(tags.size, paths.length);
});

Deno.test(`agent discovery: ${many} models fit into what each agent reads, in time`, async () => {
  await using scene = await startScene([...few, ...numbered]);
  const catalog = await read(scene, "/v1/models?client_version=0.171.0", codex);
  assert(catalog.text.length < 1_048_576, `${catalog.text.length}`);
  assert(catalog.ms < 2_000, `${catalog.ms} ms`); // Codex waits for 5 s
  assertEquals((catalog.body.data as unknown[]).length, many + few.length);
  const slugs = idsIn(catalog.body.models, "slug");
  assertEquals(slugs.slice(0, 2), ["claude-opus-5", "gpt-5.1"]); // known limits first
  assert(slugs.length > 700, `${slugs.length}`);
  const list = await read(scene, "/v1/models?limit=1000", claudeCode);
  assert(list.ms < 1_500, `${list.ms} ms`); // Claude Code waits for 3 s
  assertEquals((list.body.data as unknown[]).length, many + few.length);
});

Deno.test("agent discovery: Claude Code gets every model under a name that it keeps", async () => {
  await using scene = await startScene();
  const { body } = await read(scene, "/v1/models?limit=1000", claudeCode);
  const ids = idsIn(body.data);
  assert(ids.every((id) => /claude|anthropic/i.test(id)), ids.join());
  assert(ids.includes("claude-opus-5"));
  assert(ids.includes("claude-gw/gpt-5.1"));
  const gpt = (body.data as readonly JsonObject[]).find(({ id }) => id === "claude-gw/gpt-5.1");
  assertEquals(gpt?.display_name, "GPT-5.1");
  assertEquals(gpt?.description, "Set CLAUDE_CODE_MAX_CONTEXT_TOKENS=400000 for this model");
  const other = { ...claudeCode, "user-agent": "Anthropic/JS 1.14.0" };
  assertEquals(idsIn((await read(scene, "/v1/models", other)).body.data), few.toSorted());
  const one = await read(scene, "/v1/models/claude-gw%2Fgpt-5.1", claudeCode);
  assertEquals([one.body.id, one.body.max_input_tokens], ["claude-gw/gpt-5.1", 400_000]);
});

function post({ gateway }: Scene, path: string, model: string, more: JsonObject = {}) {
  return fetch(gateway.base + path, {
    method: "POST",
    headers: { ...claudeCode, "content-type": "application/json" },
    body: JSON.stringify({
      model,
      max_tokens: 32,
      messages: [{ role: "user", content: "hello" }],
      ...more,
    }),
  });
}

Deno.test("agent discovery: a call by an alias is routed, priced and logged by the model", async () => {
  await using scene = await startScene();
  const alias = "claude-gw/acme-large";
  for (const more of [{}, { stream: true }]) {
    const response = await post(scene, "/v1/messages?beta=true", alias, more);
    assertEquals(response.status, 200, await response.text());
  }
  assertEquals(scene.upstream.seen.map(({ body }) => body.model), ["gpt-5.1", "gpt-5.1"]);
  const { store } = scene.gateway.parts;
  const { rows } = await listRequestLogs(store, { limit: 9 });
  assertEquals(rows.map(({ model }) => model), ["acme-large", "acme-large"]);
  assert(rows.every(({ costNanoUsd = 0n }) => costNanoUsd > 0n));
  const counted = await post(scene, "/v1/messages/count_tokens", alias);
  assertEquals(counted.status, 200);
  const unknown = await post(scene, "/v1/messages", "claude-gw/nothing");
  assertEquals(unknown.status, 404);
  assert((await unknown.text()).includes("'nothing'"));
});

Deno.test("agent discovery: a model that has the name of an alias is served itself", async () => {
  const own = "claude-gw/acme-large";
  await using scene = await startScene([own, "claude-*"]);
  const response = await post(scene, "/v1/messages", own);
  assertEquals((await response.json()).model, own);
  const { body } = await read(scene, "/v1/models?limit=1000", claudeCode);
  assert(idsIn(body.data).includes(`claude-gw/${own}`)); // so that no alias hides it
  assertEquals((await (await post(scene, "/v1/messages", `claude-gw/${own}`)).json()).model, own);
});

Deno.test("agent discovery: an alias to an upstream of its own format changes the model alone", async () => {
  await using upstream = startStrict("messages", {});
  const models = ["claude-opus-5"];
  await using gateway = await startGateway(
    oneUpstream({ messages: upstream.base }, { apiKeys: [strictCredential], models }),
  );
  const response = await fetch(`${gateway.base}/v1/messages`, {
    method: "POST",
    headers: { ...claudeCode, "content-type": "application/json" },
    body:
      '{"model":"claude-gw/claude-opus-5","of_tomorrow":1.50,"max_tokens":9,"messages":[{"role":"user","content":"hi"}]}',
  });
  await response.body?.cancel();
  assertEquals(upstream.seen[0].body.model, "claude-opus-5");
});
