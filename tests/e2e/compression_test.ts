import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { RawClient } from "../raw_client.ts";
import { startGateway, testKey } from "./gateway.ts";

const prompt = "A prompt as long as those of agents. ".repeat(1_200); // 44 KB, and so is its echo
const generate = { model: "tessera-echo", messages: [{ role: "user", content: prompt }] };

/** The head of an answer to a client that accepts every compression. */
async function headOf(
  base: string,
  request: string,
  body = "",
  accepted = "gzip, br, zstd",
): Promise<string> {
  const url = new URL(base);
  const client = await RawClient.to(url);
  const headers = [
    `host: ${url.hostname}`,
    `accept-encoding: ${accepted}`,
    `authorization: Bearer ${testKey}`,
    "content-type: application/json",
    `content-length: ${new TextEncoder().encode(body).length}`,
  ];
  await client.write(`${request} HTTP/1.1\r\n${headers.join("\r\n")}\r\n\r\n${body}`);
  const head = await client.readUntil("\r\n\r\n");
  client.close();
  return head.toLowerCase();
}

const apiCalls = [
  { name: "a whole answer", request: "POST /v1/chat/completions", body: generate },
  { name: "a stream", request: "POST /v1/chat/completions", body: { ...generate, stream: true } },
  { name: "an error", request: "POST /v1/chat/completions", body: { model: "x".repeat(2_000) } },
  { name: "the model list", request: "GET /v1/models" },
  { name: "an unknown endpoint", request: "GET /v1/nothing" },
];

for (const { name, request, body } of apiCalls) {
  Deno.test(`compression: ${name} of the API is sent as it is`, async () => {
    await using gateway = await startGateway();
    const head = await headOf(gateway.base, request, body && JSON.stringify(body));
    assert(!head.includes("content-encoding"), head);
    assertStringIncludes(/^cache-control: .*$/m.exec(head)?.[0] ?? "", "no-transform");
  });
}

for (
  const path of [
    "/login",
    "/docs",
    "/docs/api",
    "/docs/start/clients.md",
    "/openapi.json",
    "/css/base.css",
  ]
) {
  Deno.test(`compression: ${path} is sent with Brotli, once`, async () => {
    await using gateway = await startGateway();
    const head = await headOf(gateway.base, `GET ${path}`);
    assertEquals(head.match(/^content-encoding: .*$/gm), ["content-encoding: br"], head);
    assertStringIncludes(head, "accept-encoding");
    const older = await headOf(gateway.base, `GET ${path}`, "", "gzip, br;q=0");
    assertStringIncludes(older, "content-encoding: gzip");
    const plain = await fetch(gateway.base + path, { headers: { "accept-encoding": "identity" } });
    const zipped = await fetch(gateway.base + path, { headers: { "accept-encoding": "gzip" } });
    const brotli = await fetch(gateway.base + path, { headers: { "accept-encoding": "br, gzip" } });
    const { length } = await plain.text();
    assertEquals((await zipped.text()).length, length, "but for nonces");
    assertEquals((await brotli.text()).length, length, "but for nonces");
  });
}

Deno.test("compression: a client that refuses both gets a page as it is", async () => {
  await using gateway = await startGateway();
  const response = await fetch(`${gateway.base}/docs`, {
    headers: { "accept-encoding": "br;q=0, gzip;q=0, identity" },
  });
  assertEquals(response.headers.get("content-encoding"), null);
  assertStringIncludes(await response.text(), "<html");
});
