import Anthropic from "@anthropic-ai/sdk";
import { GoogleGenAI } from "@google/genai";
import { assertEquals } from "@std/assert";
import OpenAI from "openai";
import { startGateway, type TestGateway, testKey } from "../e2e/gateway.ts";

const names = Array.from({ length: 45 }, (_, at) => `m-${String(at).padStart(2, "0")}`);
const config = {
  upstreams: [{
    id: "acme",
    endpoints: { "chat-completions": "http://127.0.0.1:9/v1" },
    models: names.toReversed(),
  }],
};

async function listed({ base }: TestGateway, path: string, headers: Record<string, string> = {}) {
  const response = await fetch(base + path, { headers: { "x-api-key": testKey, ...headers } });
  return { status: response.status, body: await response.json() };
}

const messages = { "anthropic-version": "2023-06-01" };

const pages: readonly (readonly [
  query: string,
  page: { readonly first: string | null; readonly count: number; readonly more: boolean },
])[] = [
  ["", { first: "m-00", count: 45, more: false }],
  ["?limit=20", { first: "m-00", count: 20, more: true }],
  ["?limit=20&after_id=m-19", { first: "m-20", count: 20, more: true }],
  ["?limit=20&after_id=m-39", { first: "m-40", count: 5, more: false }],
  ["?limit=20&before_id=m-25", { first: "m-05", count: 20, more: true }],
  ["?limit=20&before_id=m-05", { first: "m-00", count: 5, more: false }],
  ["?after_id=m-44", { first: null, count: 0, more: false }],
  ["?limit=20&after_id=m-19x", { first: "m-20", count: 20, more: true }],
  ["?limit=1000", { first: "m-00", count: 45, more: false }],
];

for (const [query, { first, count, more }] of pages) {
  Deno.test(`model pages: messages ${query || "without a query"}`, async () => {
    await using gateway = await startGateway(config);
    const { body } = await listed(gateway, `/v1/models${query}`, messages);
    assertEquals([body.first_id, body.data.length, body.has_more], [first, count, more]);
    assertEquals(body.last_id, body.data.at(-1)?.id ?? null);
  });
}

for (const query of ["limit=0", "limit=1001", "limit=x", "limit=1.5"]) {
  Deno.test(`model pages: messages ?${query} is refused and says why`, async () => {
    await using gateway = await startGateway(config);
    const { status, body } = await listed(gateway, `/v1/models?${query}`, messages);
    assertEquals([status, body.error.type], [400, "invalid_request_error"]);
    assertEquals(body.error.message.includes("limit"), true, body.error.message);
  });
}

Deno.test("model pages: generate-content follows its tokens to the end", async () => {
  await using gateway = await startGateway(config);
  const seen: string[] = [];
  let token = "";
  for (let page = 0; page < 5; page++) {
    const query = `pageSize=20${token && `&pageToken=${token}`}`;
    const { body } = await listed(gateway, `/v1beta/models?${query}`);
    seen.push(...body.models.map(({ name }: { name: string }) => name.replace("models/", "")));
    token = body.nextPageToken ?? "";
    if (token === "") break;
  }
  assertEquals(seen, names);
  const { body: all } = await listed(gateway, "/v1beta/models");
  assertEquals([all.models.length, all.nextPageToken], [45, undefined]);
  const bad = await listed(gateway, "/v1beta/models?pageSize=20&pageToken=%00");
  assertEquals([bad.status, bad.body.error.status], [400, "INVALID_ARGUMENT"]);
});

Deno.test("model pages: paging SDKs reach the end, and the other one gets the whole list", async () => {
  await using gateway = await startGateway(config);
  const anthropic = new Anthropic({ baseURL: gateway.base, apiKey: testKey });
  const google = new GoogleGenAI({ apiKey: testKey, httpOptions: { baseUrl: gateway.base } });
  const openai = new OpenAI({ baseURL: `${gateway.base}/v1`, apiKey: testKey });
  const bySdk: Record<string, string[]> = { anthropic: [], google: [], openai: [] };
  for await (const { id } of anthropic.models.list({ limit: 10 })) bySdk.anthropic.push(id);
  for await (const { name = "" } of await google.models.list({ config: { pageSize: 10 } })) {
    bySdk.google.push(name.replace("models/", ""));
  }
  for await (const { id } of openai.models.list()) bySdk.openai.push(id);
  assertEquals(bySdk, { anthropic: names, google: names, openai: names });
  const { body } = await listed(gateway, "/v1/models?limit=10", {});
  assertEquals(body.data.length, 45, "chat-completions does not page");
});

const readable = [
  "/v1/models",
  "/v1/models/m-00",
  "/v1beta/models",
  "/v1beta/models/m-00",
  "/healthz",
  "/readyz",
  "/metrics",
  "/openapi.json",
  "/docs",
  "/docs/api",
];

for (const path of readable) {
  Deno.test(`HEAD ${path} answers as GET does, without a body`, async () => {
    await using gateway = await startGateway(config);
    const ask = (method: string) =>
      fetch(gateway.base + path, { method, headers: { "x-api-key": testKey } });
    const [head, get] = await Promise.all([ask("HEAD"), ask("GET")]);
    const types = [head, get].map(({ headers }) => headers.get("content-type"));
    assertEquals([head.status, types[0]], [get.status, types[1]]);
    assertEquals(get.ok, true);
    assertEquals(await head.text(), "");
    await get.body?.cancel();
  });
}

Deno.test("HEAD answers the errors of GET, and endpoints without GET refuse it", async () => {
  await using gateway = await startGateway(config);
  const statusOf = async (path: string, headers: HeadersInit = { "x-api-key": testKey }) => {
    const response = await fetch(gateway.base + path, { method: "HEAD", headers });
    await response.body?.cancel();
    return response.status;
  };
  assertEquals(await statusOf("/v1/models", {}), 401);
  assertEquals(await statusOf("/v1/models/none"), 404);
  assertEquals(await statusOf("/v1/responses/resp_none"), 404);
  assertEquals(await statusOf("/v1/chat/completions"), 405);
});
