import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { consoleSegments } from "../../lib/http/address.ts";
import { RawClient } from "../raw_client.ts";
import { startGateway, testKey } from "./gateway.ts";

/** Carriers of a key, and `none`; `api-key` is Azure's, which opens nothing here. */
const carriers = {
  none: {},
  bearer: { authorization: `Bearer ${testKey}` },
  "x-api-key": { "x-api-key": testKey, "anthropic-version": "2023-06-01" },
  "x-goog-api-key": { "x-goog-api-key": testKey },
  "api-key": { "api-key": testKey },
} as const;
type Carrier = keyof typeof carriers;

/** The error format that a client expects. */
type Shape = "openai" | "anthropic" | "google" | "plain";

interface Row {
  readonly method?: string;
  readonly path: string;
  readonly key: Carrier;
  readonly status?: number;
  readonly code?: string;
  readonly shape?: Shape;
  /** A part of the message; `{base}` is the gateway's address. */
  readonly hint: string;
  readonly allow?: string;
}

const openAiBase = "Set the client's base URL to {base}/v1";
const anthropicBase = "base URL to {base} (or {base}/v1 where the client adds no version)";
const googleBase = "base URL to {base} (or {base}/v1beta where the client adds no version)";
const notAllowed = { status: 405, code: "method_not_allowed" } as const;

const rows: readonly Row[] = [
  // another gateway's prefixes
  { path: "/openai/v1/chat/completions", key: "bearer", hint: openAiBase },
  { path: "/openai/v1/chat/completions", key: "api-key", hint: openAiBase },
  { path: "/openai/v1/chat/completions", key: "none", hint: openAiBase },
  { path: "/openai/v1/responses", key: "bearer", hint: openAiBase },
  { path: "/openai/v1/embeddings", key: "bearer", hint: openAiBase },
  { path: "/openai/v1/images/generations", key: "bearer", hint: openAiBase },
  { method: "GET", path: "/openai/v1/models", key: "bearer", hint: openAiBase },
  { path: "/api/v1/chat/completions", key: "bearer", hint: openAiBase },
  { path: "/v2/chat/completions", key: "bearer", hint: openAiBase },
  { path: "//v1/chat/completions", key: "bearer", hint: openAiBase },
  { path: "/chat/completions", key: "bearer", hint: openAiBase },
  { path: "/anthropic/v1/messages", key: "x-api-key", shape: "anthropic", hint: anthropicBase },
  { path: "/anthropic/v1/messages", key: "none", shape: "anthropic", hint: anthropicBase },
  {
    path: "/anthropic/messages",
    key: "x-api-key",
    shape: "anthropic",
    hint: "base URL to {base}/v1",
  },
  {
    path: "/gemini/v1beta/models/tessera-echo:generateContent",
    key: "x-goog-api-key",
    shape: "google",
    hint: googleBase,
  },
  {
    path: "/gemini/models/tessera-echo:streamGenerateContent",
    key: "x-goog-api-key",
    shape: "google",
    hint: "base URL to {base}/v1beta",
  },
  {
    path: "/v1beta/v1/models/tessera-echo:generateContent",
    key: "x-goog-api-key",
    code: "duplicated_path_segment",
    shape: "google",
    hint: "base URL to {base} (or {base}/v1beta where the client adds no version)",
  },
  // the console's own address as the base URL
  { path: "/console/v1/chat/completions", key: "bearer", hint: openAiBase },
  { path: "/console/chat/completions", key: "bearer", hint: openAiBase },
  { path: "/", key: "bearer", hint: "Base URLs are {base}/v1 for OpenAI's clients" },
  { method: "GET", path: "/", key: "bearer", hint: "Base URLs are {base}/v1" },
  // vendors' parts that are not here
  { path: "/api/chat", key: "none", shape: "plain", hint: "base URL {base}/v1" },
  { path: "/api/generate", key: "bearer", shape: "plain", hint: "Ollama's own API is not offered" },
  { method: "GET", path: "/api/tags", key: "none", shape: "plain", hint: "base URL {base}/v1" },
  {
    path: "/openai/deployments/tessera-echo/chat/completions?api-version=2024-10-21",
    key: "api-key",
    hint: "the plain OpenAI client with the base URL {base}/v1",
  },
  { path: "/mcp", key: "bearer", hint: "Model Context Protocol is not offered here" },
  { method: "GET", path: "/mcp", key: "bearer", hint: "Model Context Protocol is not offered" },
  {
    path: "/upload/v1beta/files",
    key: "x-goog-api-key",
    shape: "google",
    hint: "Files are not offered here: send the file's data within the request",
  },
  { path: "/v1/files", key: "bearer", hint: "Files are not offered here" },
  { path: "/v1/batches", key: "bearer", hint: "Batches are not offered here" },
  {
    path: "/v1/messages/batches",
    key: "x-api-key",
    shape: "anthropic",
    hint: "Batches are not offered here: send each request by itself",
  },
  {
    path: "/v1beta/models/tessera-echo:batchGenerateContent",
    key: "x-goog-api-key",
    shape: "google",
    hint: "Batches are not offered here",
  },
  {
    path: "/v1beta/models/tessera-echo:embedContent",
    key: "x-goog-api-key",
    shape: "google",
    hint: "not offered here: POST to {base}/v1/embeddings",
  },
  {
    method: "GET",
    path: "/v1beta/models/tessera-echo:embedContent",
    key: "x-goog-api-key",
    shape: "google",
    hint: "not offered here: POST to {base}/v1/embeddings",
  },
  { path: "/v1/realtime/sessions", key: "bearer", hint: "Realtime sessions are not offered here" },
  // the nearest address, where there is one
  { path: "/v1/chat", key: "bearer", hint: "Did you mean /v1/chat/completions?" },
  { path: "/v1/chat/completion", key: "bearer", hint: "Did you mean /v1/chat/completions?" },
  { path: "/v1/response", key: "bearer", hint: "Did you mean /v1/responses?" },
  { path: "/v1/nothing/of/the/kind", key: "bearer", hint: "GET {base}/openapi.json lists" },
  { path: "/nothing", key: "x-api-key", shape: "anthropic", hint: "{base} for Anthropic's" },
  { path: "/nothing", key: "x-goog-api-key", shape: "google", hint: "{base} for Anthropic's" },
  { method: "GET", path: "/nothing", key: "none", hint: "No endpoint at this path" },
  // another method
  {
    method: "GET",
    path: "/v1/chat/completions",
    key: "bearer",
    ...notAllowed,
    allow: "POST",
    hint: "Cannot GET this address: use POST",
  },
  {
    method: "GET",
    path: "/v1beta/models/tessera-echo:generateContent",
    key: "x-goog-api-key",
    ...notAllowed,
    allow: "POST",
    shape: "google",
    hint: "Cannot GET this address: use POST",
  },
  {
    method: "PUT",
    path: "/v1/responses/resp_1",
    key: "bearer",
    ...notAllowed,
    allow: "GET, DELETE",
    hint: "use GET or DELETE",
  },
  {
    path: "/healthz",
    key: "none",
    ...notAllowed,
    allow: "GET, HEAD",
    hint: "use GET or HEAD",
  },
];

/** The message, the code and the request id, from where the shape's clients read them. */
function readError(shape: Shape, body: Record<string, unknown>): Record<string, unknown> {
  if (shape === "plain") return { ...body, message: body.error };
  assertEquals(body.type === "error", shape === "anthropic");
  assert(typeof body.error === "object" && body.error !== null);
  const error = body.error as Record<string, unknown>; // an object, as was just seen
  assertEquals(typeof error.status === "string", shape === "google");
  assertEquals("param" in error, shape === "openai");
  return error;
}

Deno.test("misplaced: every call gets a typed error with what would work", async (test) => {
  await using gateway = await startGateway();
  for (const row of rows) {
    const { method = "POST", path, key, status = 404, code = "unknown_endpoint", hint } = row;
    await test.step(`${method} ${path} (${key}) → ${status} ${code}`, async () => {
      const response = await fetch(gateway.base + path, {
        method,
        headers: {
          ...carriers[key],
          ...(method !== "GET" && { "content-type": "application/json" }),
        },
        ...(method !== "GET" && { body: "{}" }),
        redirect: "manual",
      });
      const text = await response.text();
      assertEquals(response.status, status, text);
      assertStringIncludes(response.headers.get("content-type") ?? "", "application/json");
      const error = readError(row.shape ?? "openai", JSON.parse(text));
      assertEquals(row.shape === "google" ? error.reason : error.code, code);
      assertStringIncludes(String(error.message), hint.replaceAll("{base}", gateway.base));
      assertEquals(error.request_id, response.headers.get("x-request-id"));
      assertEquals(response.headers.get("allow"), row.allow ?? null);
    });
  }
});

const pages = [
  { path: "/", status: 302 },
  { path: "/nothing", status: 404 },
  { path: "/openai/v1/chat/completions", status: 404 },
  { path: "/console", status: 303 },
  { path: "/console/token?key=0123", status: 303 },
] as const;

Deno.test("misplaced: page loads of browsers and forms of the console get pages", async (test) => {
  await using gateway = await startGateway();
  const headers = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" };
  for (const { path, status } of pages) {
    await test.step(`a browser loads ${path}`, async () => {
      const response = await fetch(gateway.base + path, { headers, redirect: "manual" });
      assertEquals(response.status, status);
      const text = await response.text();
      if (status === 404) assertStringIncludes(text, "<!DOCTYPE html>");
    });
  }
  await test.step("a browser behind a proxy that adds a bearer token of its own", async () => {
    for (const [path, status] of [["/", 302], ["/console", 303]] as const) {
      const response = await fetch(gateway.base + path, {
        headers: { ...headers, authorization: "Bearer eyJhbGciOi.e30.sig" },
        redirect: "manual",
      });
      await response.body?.cancel();
      assertEquals(response.status, status, path);
    }
  });
  await test.step("a form of the console", async () => {
    const response = await fetch(`${gateway.base}/login`, {
      method: "POST",
      headers,
      body: new URLSearchParams({ email: "a@example.com", password: "none of them" }),
      redirect: "manual",
    });
    assertStringIncludes(response.headers.get("content-type") ?? "", "text/html");
    await response.body?.cancel();
  });
});

Deno.test("misplaced: the console's pages and files are under the segments that are named as its own", async () => {
  const root = new URL("../../", import.meta.url);
  const names: string[] = [];
  for (const folder of ["routes", "static"]) {
    for await (const { name } of Deno.readDir(new URL(folder, root))) names.push(name);
  }
  const own = names.map((name) => name.replace(/\.tsx?$/, ""))
    .filter((name) => !name.startsWith("_") && name !== "index");
  assertEquals(own.filter((name) => !consoleSegments.has(name)), []);
});

const origins = [
  { name: "publicUrl", config: { publicUrl: "https://gw.example" }, base: "https://gw.example" },
  {
    name: "a trusted proxy",
    config: { trustedProxies: ["127.0.0.1"] },
    base: "https://seen.example",
  },
] as const;
for (const { name, config, base } of origins) {
  Deno.test(`misplaced: the hint has the origin of ${name}`, async () => {
    await using gateway = await startGateway(config);
    const response = await fetch(`${gateway.base}/openai/v1/chat/completions`, {
      method: "POST",
      headers: {
        ...carriers.bearer,
        "x-forwarded-for": "203.0.113.7",
        "x-forwarded-proto": "https",
        "x-forwarded-host": "seen.example",
      },
      body: "{}",
    });
    const { error } = await response.json();
    assertStringIncludes(error.message, `base URL to ${base}/v1`);
  });
}

Deno.test("misplaced: an escaped colon before the method of a model is read", async () => {
  await using gateway = await startGateway();
  const response = await fetch(`${gateway.base}/v1beta/models/tessera-echo%3AgenerateContent`, {
    method: "POST",
    headers: { ...carriers["x-goog-api-key"], "content-type": "application/json" },
    body: JSON.stringify({ contents: [{ parts: [{ text: "hi" }] }] }),
  });
  const body = await response.json();
  assertEquals(response.status, 200, JSON.stringify(body));
  assertStringIncludes(body.candidates[0].content.parts[0].text, "hi");
});

Deno.test("misplaced: a WebSocket of Realtime is not sent to an address that does not exist", async () => {
  await using gateway = await startGateway();
  using client = await RawClient.to(new URL(gateway.base));
  await client.write(
    `GET /v1/realtime?model=m HTTP/1.1\r\nhost: gw.example\r\nconnection: Upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`,
  );
  const text = await client.readSome();
  assert(text.startsWith("HTTP/1.1 426 "), text);
  assert(!text.includes("POST to the same address"), text);
  assertStringIncludes(text, "Realtime sessions are not offered here");
});

Deno.test("misplaced: the message without a key names every carrier", async () => {
  await using gateway = await startGateway();
  const response = await fetch(`${gateway.base}/v1/models`);
  const { error } = await response.json();
  for (const carrier of ["Bearer", "x-api-key", "x-goog-api-key", "x-alt-api-key", "?key="]) {
    assertStringIncludes(error.message, carrier);
  }
});
