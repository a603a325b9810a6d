import { assert, assertEquals } from "@std/assert";
import { RawClient } from "../raw_client.ts";
import { startUpstream } from "./fake_upstream.ts";
import { oneUpstream, startGateway, testKey } from "./gateway.ts";

/** Every kind of answer of the API says that nobody keeps it, changes it or guesses its type. */

const says = ["no-store, no-transform", "nosniff"];
const turn = [{ role: "user", content: "hi" }];
const contents = [{ role: "user", parts: [{ text: "hi" }] }];
const model = "tessera-echo";
const withKey = { authorization: `Bearer ${testKey}` };

const calls: Readonly<Record<string, readonly [string, unknown?, Record<string, string>?]>> = {
  "chat-completions": ["/v1/chat/completions", { model, messages: turn }],
  "chat-completions, streamed": ["/v1/chat/completions", { model, messages: turn, stream: true }],
  "responses": ["/v1/responses", { model, input: "hi" }],
  "responses, streamed": ["/v1/responses", { model, input: "hi", stream: true }],
  "responses, in the background": ["/v1/responses", { model, input: "hi", background: true }],
  "messages": ["/v1/messages", { model, max_tokens: 9, messages: turn }],
  "messages, streamed": ["/v1/messages", { model, max_tokens: 9, messages: turn, stream: true }],
  "generate-content": [`/v1beta/models/${model}:generateContent`, { contents }],
  "generate-content, streamed": [
    `/v1beta/models/${model}:streamGenerateContent?alt=sse`,
    { contents },
  ],
  "generate-content, as an array": [
    `/v1beta/models/${model}:streamGenerateContent`,
    { contents },
  ],
  "a count of tokens": ["/v1/messages/count_tokens", { model, messages: turn }],
  "speech": ["/v1/audio/speech", { model: "m", input: "hi", voice: "a" }],
  "the model list": ["/v1/models"],
  "the key's usage": ["/v1/usage"],
  "a missing key": ["/v1/models", undefined, {}],
  "an upstream's failure": ["/v1/chat/completions", { model: "m", messages: turn }],
  "bad JSON": ["/v1/messages", "{"],
  "an unknown endpoint": ["/v1/nothing"],
  "a wrong method": ["/v1/chat/completions"],
};

Deno.test("answer headers: every answer of the API has no-store and nosniff", async (test) => {
  await using upstream = startUpstream(({ path }) =>
    path.endsWith("/speech")
      ? new Response("sound", { headers: { "content-type": "audio/mpeg" } })
      : new Response("fault", { status: 500 })
  );
  const endpoints = { "chat-completions": `${upstream.base}/v1` };
  await using gateway = await startGateway(oneUpstream(endpoints));
  for (const [name, [path, body, headers = withKey]] of Object.entries(calls)) {
    await test.step(name, async () => {
      const text = typeof body === "string" ? body : JSON.stringify(body);
      const response = await fetch(gateway.base + path, {
        headers,
        ...(body !== undefined && { method: "POST", body: text }),
      });
      await response.body?.cancel();
      assertEquals(
        [response.headers.get("cache-control"), response.headers.get("x-content-type-options")],
        says,
        `${response.status}`,
      );
    });
  }
});

for (const path of ["/metrics", "/healthz", "/readyz", "/openapi.json", "/api/v1/keys"]) {
  Deno.test(`answer headers: ${path} has nosniff`, async () => {
    await using gateway = await startGateway();
    const response = await fetch(gateway.base + path);
    await response.body?.cancel();
    assertEquals(response.headers.get("x-content-type-options"), "nosniff");
    if (path.startsWith("/api/") || path === "/metrics") {
      assertEquals(response.headers.get("cache-control"), "no-store");
    }
  });
}

Deno.test("answer headers: a malformed host's error has no-store and nosniff", async () => {
  await using gateway = await startGateway();
  using client = await RawClient.to(new URL(gateway.base));
  await client.write("GET /v1/models HTTP/1.1\r\nhost: [\r\n\r\n");
  const head = (await client.readUntil("\r\n\r\n")).toLowerCase();
  assert(/^cache-control: no-store, no-transform\r$/m.test(head), head);
  assert(/^x-content-type-options: nosniff\r$/m.test(head), head);
});
