import Anthropic from "@anthropic-ai/sdk";
import { GoogleGenAI } from "@google/genai";
import { assert, assertEquals } from "@std/assert";
import OpenAI from "openai";
import { createUpstream, deleteUpstream, updateUpstream } from "../../lib/store/catalog/mod.ts";
import { compose } from "../../main.ts";
import { startGateway, type TestGateway, testKey } from "../e2e/gateway.ts";
import { freePort } from "../e2e/server_process.ts";
import { sampleUpstream } from "../store/samples.ts";
import { eventually, withTempFolder } from "../store/temp_store.ts";
import { startOllama, startVllm } from "./model_list_server.ts";

/** The models that `GET /v1/models` lists for a key, after the upstreams' lists were fetched. */
async function listed({ base, parts }: TestGateway, key = testKey): Promise<string[]> {
  await parts.lists.firstLists(5_000);
  return await listedNow(base, key);
}

async function listedNow(base: string, key = testKey): Promise<string[]> {
  const response = await fetch(`${base}/v1/models`, {
    headers: { authorization: `Bearer ${key}` },
  });
  const { data }: { data: readonly { id: string }[] } = await response.json();
  return data.map(({ id }) => id);
}

async function ask({ base }: TestGateway, model: string, path = "/v1/chat/completions") {
  const response = await fetch(base + path, {
    method: "POST",
    headers: { authorization: `Bearer ${testKey}`, "content-type": "application/json" },
    body: JSON.stringify({ model, max_tokens: 9, messages: [{ role: "user", content: "hi" }] }),
  });
  return { status: response.status, text: await response.text() };
}

/** Starts a gateway that fetches its upstreams' lists, as a server does during its start. */
async function listing(config: Record<string, unknown>): Promise<TestGateway> {
  const gateway = await startGateway(config);
  gateway.parts.lists.start();
  return gateway;
}

const names = ["llama3.2:latest", "qwen3:4b", "nomic-embed-text:latest"];

Deno.test("model listing: OLLAMA_HOST alone offers what the server lists", async () => {
  await using server = startOllama(names);
  const parts = await compose({ TESSERA_KV: ":memory:", OLLAMA_HOST: server.base });
  const secret = parts.notices?.firstKeySecret ?? "";
  const http = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, parts.fetch);
  parts.lists.start();
  await parts.lists.firstLists(5_000);
  const found = await listedNow(`http://127.0.0.1:${http.addr.port}`, secret);
  await http.shutdown();
  await parts.close();
  assertEquals(found, [...names].sort());
});

const preset = (name: string, baseUrl: string) => ({ id: name, preset: name, baseUrl });

Deno.test("model listing: the vLLM preset offers the server's model, with its own limits, in four shapes", async () => {
  await using server = startVllm(["Qwen/Qwen3-8B"]);
  await using gateway = await listing({ upstreams: [preset("vllm", server.base)] });
  assertEquals(await listed(gateway), ["Qwen/Qwen3-8B"]);

  const openai = new OpenAI({ baseURL: `${gateway.base}/v1`, apiKey: testKey });
  assertEquals((await openai.models.list()).data.map(({ id }) => id), ["Qwen/Qwen3-8B"]);
  const anthropic = new Anthropic({ baseURL: gateway.base, apiKey: testKey });
  const { data: [model] } = await anthropic.models.list();
  assertEquals([model.id, model.max_input_tokens], ["Qwen/Qwen3-8B", 40_960]);
  const google = new GoogleGenAI({ apiKey: testKey, httpOptions: { baseUrl: gateway.base } });
  const pager = await google.models.list();
  assertEquals(pager.page.map(({ name }) => name), ["models/Qwen/Qwen3-8B"]);
  assertEquals((await ask(gateway, "Qwen/Qwen3-8B")).status, 200);
});

Deno.test("model listing: a pattern offers the upstream's names, not the catalog's", async () => {
  const own = ["gpt-5", "gpt-5-mini", "gpt-4o", "chatgpt-house", "whisper-1"];
  await using server = startVllm(own);
  const upstream = {
    ...preset("openai", server.base),
    apiKeys: ["k"],
    models: ["gpt-*", "chatgpt-*"],
  };
  await using gateway = await listing({ upstreams: [upstream] });
  assertEquals(await listed(gateway), ["chatgpt-house", "gpt-4o", "gpt-5", "gpt-5-mini"]);
});

Deno.test("model listing: without a list the operator's own names are offered, and no others", async () => {
  const endpoints = { "chat-completions": `http://127.0.0.1:${freePort()}/v1` };
  await using gateway = await listing({
    upstreams: [{ id: "away", endpoints, models: ["gpt-*", "named", "*"] }],
    models: [{ id: "gpt-house" }, { id: "other" }],
  });
  assertEquals(await listed(gateway), ["gpt-house", "named", "other"]);
});

Deno.test("model listing: an unlisted model is tried, after upstreams that list or name it", async () => {
  await using first = startOllama(["a"]);
  await using second = startOllama(["b"]);
  await using named = startOllama(["named"]);
  await using gateway = await listing({
    upstreams: [
      preset("ollama", first.base),
      { ...preset("vllm", second.base) },
      {
        id: "named",
        endpoints: { "chat-completions": `${named.base}/v1` },
        models: ["named"],
        priority: -5,
      },
    ],
  });
  await listed(gateway);
  for (let time = 0; time < 10; time++) {
    assertEquals((await ask(gateway, "b")).status, 200);
    assertEquals((await ask(gateway, "named")).status, 200);
  }
  const chats = (asked: readonly string[]) => asked.filter((path) => path.endsWith("completions"));
  assertEquals([first, second, named].map(({ asked }) => chats(asked).length), [0, 10, 10]);

  first.models.add("brand-new"); // nothing lists it yet
  for (let time = 0; time < 10; time++) assertEquals((await ask(gateway, "brand-new")).status, 200);
  const refused = await ask(gateway, "nobodys");
  assertEquals(refused.status, 404);
  assert(refused.text.includes("nobodys"), refused.text);
});

Deno.test("model listing: a key sees its group's models, and no upstream of other groups", async () => {
  await using server = startOllama(["open-1", "secret-1"]);
  await using others = startOllama(["others-1"]);
  await using gateway = await listing({
    upstreams: [
      preset("ollama", server.base),
      { ...preset("vllm", others.base), groups: ["vip"] },
    ],
    groups: [{ id: "default", models: ["open-*", "others-*"] }, { id: "vip" }],
    keys: [
      { name: "one", value: testKey },
      { name: "two", value: "sk-vip-0123456789abcdefghij", group: "vip" },
      { name: "three", value: "sk-few-0123456789abcdefghij", group: "vip", models: ["secret-*"] },
    ],
  });
  assertEquals(await listed(gateway), ["open-1"]);
  assertEquals(await listed(gateway, "sk-vip-0123456789abcdefghij"), [
    "open-1",
    "others-1",
    "secret-1",
  ]);
  assertEquals(await listed(gateway, "sk-few-0123456789abcdefghij"), ["secret-1"]);
});

Deno.test("model listing: lists are refreshed, and the last one is kept while the upstream is down", async () => {
  await using server = startOllama(["a"]);
  await using gateway = await listing({
    upstreams: [preset("ollama", server.base)],
    limits: { modelListRefreshMs: 50 },
  });
  assertEquals(await listed(gateway), ["a"]);
  server.models.add("b");
  assert(await eventually(async () => (await listedNow(gateway.base)).length === 2));
  const { instead } = server;
  server.instead = () => new Response("down", { status: 503 });
  const before = server.asked.length;
  assert(await eventually(() => server.asked.length > before));
  assertEquals(await listedNow(gateway.base), ["a", "b"]);
  server.instead = instead;
});

const hostile:
  readonly (readonly [name: string, answer: () => Response, offered: readonly string[]])[] = [
    [
      "HTML",
      () => new Response("<html>Sign in</html>", { headers: { "content-type": "text/html" } }),
      [],
    ],
    ["no JSON", () => new Response("[{"), []],
    ["another shape", () => Response.json({ data: { id: "x" } }), []],
    [
      "a redirect",
      () => new Response(null, { status: 302, headers: { location: "http://127.0.0.1:9/" } }),
      [],
    ],
    [
      "names for a shell, a page and a log",
      () =>
        Response.json({
          data: [
            { id: "good" },
            { id: "'; touch /tmp/x; '" },
            { id: "<script>alert(1)</script>" },
            { id: "line\nbreak" },
            { id: "nul\u0000" },
            { id: "\u202egnp" },
            { id: "`id`" },
            { id: "$(id)" },
            { id: "a".repeat(201) },
            { id: 7 },
            null,
          ],
        }),
      ["good"],
    ],
  ];

for (const [name, answer, offered] of hostile) {
  Deno.test(`model listing: an upstream that answers with ${name} adds nothing and hurts nobody`, async () => {
    await using server = startOllama([]);
    server.instead = answer;
    await using gateway = await listing({ upstreams: [preset("ollama", server.base)] });
    assertEquals(await listed(gateway), offered);
  });
}

Deno.test("model listing: a list of 100,000 names is cut to the limit", async () => {
  await using server = startOllama([]);
  server.instead = () =>
    Response.json({ data: Array.from({ length: 100_000 }, (_, at) => ({ id: `m-${at}` })) });
  await using gateway = await listing({ upstreams: [preset("ollama", server.base)] });
  assertEquals((await listed(gateway)).length, 5_000);
  assertEquals((await ask(gateway, "m-99999")).status, 404, "it was tried: the server refuses it");
});

Deno.test("model listing: long names are kept up to the size of a record", async () => {
  await using server = startOllama([]);
  const long = "x".repeat(180);
  server.instead = () =>
    Response.json({ data: Array.from({ length: 5_000 }, (_, at) => ({ id: `m-${at}-${long}` })) });
  await using gateway = await listing({ upstreams: [preset("ollama", server.base)] });
  const { length } = await listed(gateway);
  assert(length > 2_000 && length < 5_000, `${length}`);
});

Deno.test("model listing: an upstream that never answers delays neither the start nor an answer", async () => {
  const never = Promise.withResolvers<Response>();
  await using server = startOllama(["quick"]);
  await using stuck = startOllama(["b"]);
  stuck.instead = () => never.promise;
  await using gateway = await listing({
    upstreams: [preset("ollama", stuck.base), {
      ...preset("vllm", server.base),
      models: ["quick"],
    }],
    limits: { modelListTimeoutMs: 300 },
  });
  assert(await eventually(() => stuck.asked.length === 1));
  assertEquals((await ask(gateway, "quick")).status, 200);
  assertEquals(await listedNow(gateway.base), ["quick"]);
  await listed(gateway); // waits until the fetch timed out
  never.resolve(new Response());
});

Deno.test("model listing: a changed base URL is listed immediately", async () => {
  await using server = startOllama(["old"]);
  await using other = startOllama(["new"]);
  await using gateway = await listing({ upstreams: [] });
  const { store, directory } = gateway.parts;
  const timeouts = { connectMs: 1_000, firstByteMs: 1_000, idleMs: 1_000, totalMs: 1_000 };
  const at = (base: string) => ({ "chat-completions": `${base}/v1` });
  await createUpstream(
    store,
    sampleUpstream({ endpoints: at(server.base), timeouts, origin: "config" }),
  );
  assert(await eventually(async () => (await listedNow(gateway.base))[0] === "old"));
  await updateUpstream(store, "acme", (one) => ({ ...one, endpoints: at(other.base) }), {
    by: "config",
  });
  assert(await eventually(async () => (await listedNow(gateway.base))[0] === "new"));
  await directory.refresh();
  assertEquals(await listedNow(gateway.base), ["new"]);
});

Deno.test("model listing: two isolates on one store fetch once, and both have the list", async () => {
  await using server = startOllama(["a", "b"]);
  await withTempFolder(async (folder) => {
    const env = { TESSERA_KV: `${folder}/tessera.db`, OLLAMA_HOST: server.base };
    const both = [await compose(env), await compose(env)];
    for (const { lists } of both) lists.start();
    await Promise.all(both.map(({ lists }) => lists.firstLists(5_000)));
    const known = both.map(({ directory }) =>
      directory.upstreamLists().get("ollama")?.models.length
    );
    for (const { close } of both) await close();
    assertEquals(known, [2, 2]);
    assertEquals(server.asked, ["/v1/models"]);

    await server[Symbol.asyncDispose]();
    const restarted = await compose(env);
    restarted.lists.start();
    const kept = restarted.directory.upstreamLists().get("ollama")?.models.length;
    await restarted.close();
    assertEquals(kept, 2, "the list outlives a restart while the upstream is away");
  });
});

Deno.test("model listing: deleting an upstream deletes its list", async () => {
  await using server = startOllama(["a"]);
  await using gateway = await listing({ upstreams: [] });
  const { store } = gateway.parts;
  const endpoints = { "chat-completions": `${server.base}/v1` };
  const timeouts = { connectMs: 1_000, firstByteMs: 1_000, idleMs: 1_000, totalMs: 1_000 };
  await createUpstream(store, sampleUpstream({ endpoints, timeouts, origin: "config" }));
  assert(await eventually(async () => (await listedNow(gateway.base))[0] === "a"));
  await deleteUpstream(store, "acme", { by: "config" });
  const left = await Array.fromAsync(store.kv.list({ prefix: ["upstream_list"] }));
  assertEquals(left, []);
});

Deno.test("model listing: the first start exports a chat model that the server lists", async () => {
  await using server = startOllama(["bge-m3:latest", "nomic-embed-text:latest", "qwen3:4b"]);
  await withTempFolder(async (folder) => {
    const process = new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", new URL("../../main.ts", import.meta.url).pathname],
      env: { PORT: "0", TESSERA_KV: `${folder}/tessera.db`, OLLAMA_HOST: server.base },
      stdout: "piped",
      stderr: "null",
    }).spawn();
    const reader = process.stdout.getReader();
    const { value } = await reader.read();
    process.kill("SIGTERM");
    await reader.cancel();
    await process.status;
    const printed = new TextDecoder().decode(value);
    assert(printed.includes("export MODEL=qwen3:4b\n"), printed);
  });
});

Deno.test("model listing: models that do not chat list their endpoints", async () => {
  const own = ["gpt-5-mini", "text-embedding-3-small", "whisper-1", "gpt-image-1", "gpt-realtime"];
  await using server = startVllm(own);
  await using gateway = await listing({
    upstreams: [{ ...preset("openai", server.base), apiKeys: ["k"] }],
    groups: [{ id: "default" }, { id: "messages-only", formats: ["messages"] }],
    keys: [
      { name: "one", value: testKey },
      { name: "two", value: "sk-msg-0123456789abcdefghij", group: "messages-only" },
    ],
  });
  await listed(gateway);
  const ask = async (path: string, headers: Record<string, string>) =>
    await (await fetch(gateway.base + path, { headers })).json();
  const { data } = await ask("/v1/models", { authorization: `Bearer ${testKey}` });
  const endpoints = Object.fromEntries(
    data.map((one: Record<string, unknown>) => [one.id, one.supported_endpoints]),
  );
  assertEquals(endpoints, {
    "gpt-5-mini": [
      "/v1/chat/completions",
      "/v1/responses",
      "/v1/messages",
      "/v1beta/models/{model}:generateContent",
    ],
    "gpt-image-1": ["/v1/images/generations", "/v1/images/edits"],
    "gpt-realtime": [],
    "text-embedding-3-small": ["/v1/embeddings"],
    "whisper-1": ["/v1/audio/transcriptions", "/v1/audio/translations"],
  });
  const { models } = await ask("/v1beta/models", { "x-goog-api-key": testKey });
  const methods = Object.fromEntries(
    models.map((one: Record<string, unknown>) => [one.name, one.supportedGenerationMethods]),
  );
  assertEquals(methods["models/text-embedding-3-small"], []);
  assertEquals(methods["models/gpt-5-mini"].length, 3);
  const few = await ask("/v1/models/text-embedding-3-small", {
    "x-api-key": "sk-msg-0123456789abcdefghij",
    "anthropic-version": "2023-06-01",
  });
  assertEquals(few.supported_endpoints, [], "embeddings want the chat-completions format");
});
