import { assert, assertEquals } from "@std/assert";
import { RawClient } from "../raw_client.ts";
import { startGateway, testKey } from "./gateway.ts";

Deno.test("surfaces", async (test) => {
  await using gateway = await startGateway();
  const at = (path: string, init: RequestInit = {}) =>
    fetch(gateway.base + path, { redirect: "manual", ...init });
  const bearer = { authorization: `Bearer ${testKey}` };

  for (const path of ["/", "/api/hello"]) {
    await test.step(`HEAD ${path} answers without a key`, async () => {
      assertEquals((await at(path, { method: "HEAD" })).status, 200);
    });
  }
  for (const path of ["/healthz", "/readyz", "/metrics", "/openapi.json"]) {
    await test.step(`GET ${path} answers without a key`, async () => {
      const response = await at(path);
      assertEquals(response.status, 200);
      assert((await response.text()).length > 0);
    });
  }
  const sockets = { "/v1/responses": 101, "/v1/messages": 426, "/v1/chat/completions": 426 };
  for (const [path, status] of Object.entries(sockets)) {
    await test.step(`a WebSocket at ${path} is ${status} at once`, async () => {
      using client = await RawClient.to(new URL(gateway.base));
      await client.write(
        `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: Upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\nauthorization: Bearer ${testKey}\r\n\r\n`,
      );
      assert((await client.readSome()).startsWith(`HTTP/1.1 ${status} `));
    });
  }

  const carriers: Record<string, { headers?: Record<string, string>; query?: string }> = {
    "Authorization: Bearer": { headers: bearer },
    "x-api-key": { headers: { "x-api-key": testKey } },
    "x-alt-api-key": { headers: { "x-alt-api-key": testKey } },
    "x-goog-api-key": { headers: { "x-goog-api-key": testKey } },
    "?key=": { query: `?key=${testKey}` },
  };
  const calls: Record<string, unknown> = {
    "/v1/chat/completions": { model: "tessera-echo", messages: [{ role: "user", content: "hi" }] },
    "/v1/responses": { model: "tessera-echo", input: "hi" },
    "/v1/messages": {
      model: "tessera-echo",
      max_tokens: 50,
      messages: [{ role: "user", content: "hi" }],
    },
    "/v1beta/models/tessera-echo:generateContent": { contents: [{ parts: [{ text: "hi" }] }] },
    "/v1/models/tessera-echo:generateContent": { contents: [{ parts: [{ text: "hi" }] }] },
  };
  for (const [name, { headers = {}, query = "" }] of Object.entries(carriers)) {
    for (const [path, body] of Object.entries(calls)) {
      await test.step(`${name} opens ${path}`, async () => {
        const response = await at(path + query, {
          method: "POST",
          headers: { ...headers, "content-type": "application/json" },
          body: JSON.stringify(body),
        });
        assertEquals(response.status, 200, await response.clone().text());
        await response.body?.cancel();
      });
    }
  }

  await test.step("GET /v1/models has one body for two SDKs and another for the third", async () => {
    const list = await (await at("/v1/models", { headers: bearer })).json();
    assertEquals(list.object, "list");
    assertEquals(list.data[0].object, "model");
    assertEquals(list.data[0].type, "model");
    assertEquals([list.has_more, list.first_id, list.last_id], [
      false,
      "tessera-echo",
      "tessera-echo",
    ]);
    const google = await (await at("/v1/models", { headers: { "x-goog-api-key": testKey } }))
      .json();
    assertEquals(google.models[0].name, "models/tessera-echo");
    assertEquals(await (await at("/v1beta/models", { headers: bearer })).json(), google);
  });
  await test.step("streamGenerateContent without alt=sse is one JSON array", async () => {
    const response = await at("/v1beta/models/tessera-echo:streamGenerateContent", {
      method: "POST",
      headers: { ...bearer, "content-type": "application/json" },
      body: JSON.stringify({ contents: [{ parts: [{ text: "hi there you" }] }] }),
    });
    assert(response.headers.get("content-type")?.startsWith("application/json"));
    const chunks = await response.json();
    assert(Array.isArray(chunks) && chunks.length > 1);
    assertEquals(chunks.at(-1).candidates[0].finishReason, "STOP");
  });
  await test.step("a response that is not stored is a typed 404", async () => {
    const response = await at("/v1/responses/resp_none", { headers: bearer });
    assertEquals(response.status, 404);
    assertEquals((await response.json()).error.code, "response_not_found");
  });
  await test.step("compressed bodies are read", async () => {
    const text = JSON.stringify(calls["/v1/chat/completions"]);
    for (
      const [encoding, format] of [["gzip", "gzip"], ["deflate", "deflate"], [
        "br",
        "brotli",
      ]] as const
    ) {
      const body = new Blob([text]).stream().pipeThrough(new CompressionStream(format));
      const response = await at("/v1/chat/completions", {
        method: "POST",
        headers: { ...bearer, "content-type": "application/json", "content-encoding": encoding },
        body: await new Response(body).bytes(),
      });
      assertEquals(response.status, 200, encoding);
      await response.body?.cancel();
    }
  });
});
