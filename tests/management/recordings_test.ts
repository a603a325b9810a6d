import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import type { JsonObject } from "../../lib/canonical/mod.ts";
import { exportLines } from "../../lib/store/transfer/mod.ts";
import { pieces, type Seen, startUpstream } from "../e2e/fake_upstream.ts";
import { oneUpstream, testKey } from "../e2e/gateway.ts";
import { chatAnswer } from "../formats/whole_answer.ts";
import { until } from "../waiting.ts";
import { type ApiAnswer, startApi, type TestApi } from "./api.ts";

const usage = { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 };
const hostile = `<script>alert(1)</script> \u001b[31m \u202e evil`;
const image = "iVBORw0KGgo".repeat(30_000);
const messages = [{ role: "system", content: "Be kind" }, {
  role: "user",
  content: [
    { type: "text", text: hostile },
    { type: "image_url", image_url: { url: `data:image/png;base64,${image}` } },
    { type: "text", text: "after the image" },
  ],
}];

function vendor({ body }: Seen): Response {
  const { stream } = JSON.parse(body);
  if (!stream) return Response.json(chatAnswer({ content: "forty-two" }, { model: "m", usage }));
  return new Response(
    pieces([chunk("forty-"), chunk("two"), chunk("", "stop"), "data: [DONE]\n\n"]),
    {
      headers: { "content-type": "text/event-stream" },
    },
  );
}

function chunk(content: string, finish_reason: string | null = null): string {
  const choices = [{ index: 0, delta: { content }, finish_reason }];
  const fields = { id: "c", object: "chat.completion.chunk", created: 1, model: "m", choices };
  return `data: ${JSON.stringify(fields)}\n\n`;
}

async function call({ base }: TestApi, fields: JsonObject = {}): Promise<[string, string]> {
  const response = await fetch(`${base}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${testKey}`, "content-type": "application/json" },
    body: JSON.stringify({ model: "m", messages, ...fields }),
  });
  return [response.headers.get("x-request-id") ?? "", await response.text()];
}

/** Contents are stored after their answers. */
async function contentOf(api: TestApi, id: string): Promise<ApiAnswer["body"]> {
  let read: ApiAnswer | undefined;
  await until(async () => {
    read = await api.ask("GET", `/calls/${id}/content`);
    return read.status === 200;
  });
  return read?.body;
}

async function storedTexts(api: TestApi): Promise<string> {
  const all: string[] = [];
  for await (const { key, value } of api.store.kv.list({ prefix: [] })) {
    all.push(
      `${JSON.stringify(key)} ${
        Deno.inspect(value, { strAbbreviateSize: 1e6, iterableLimit: 1e6 })
      }`,
    );
  }
  return all.join("\n");
}

Deno.test("a recording: request and answer are kept sealed for a time, and every read is audited", async (test) => {
  await using upstream = startUpstream(vendor);
  await using api = await startApi(oneUpstream({ "chat-completions": `${upstream.base}/v1` }));
  const [key] = (await api.ask("GET", "/keys")).body.data;
  const path = `/keys/${key.id}/recording`;

  await test.step("nothing is recorded unless an operator says so", async () => {
    const [id] = await call(api);
    assertEquals((await api.ask("GET", `/calls/${id}/content`)).status, 404);
    assertEquals((await api.ask("GET", "/recordings")).body.data, []);
    const refused = await api.ask("POST", path, { body: { hours: 24 * 31 } });
    assertEquals(refused.body.error.param, "hours");
  });

  const started = await api.ask("POST", path, { body: { hours: 2 } });
  assertEquals(started.status, 200, JSON.stringify(started.body));
  assertEquals(started.body.key_id, key.id);
  const [id, answer] = await call(api);

  await test.step("a whole answer", async () => {
    const content = await contentOf(api, id);
    assertEquals(content.answer.text, answer);
    assertEquals(content.request.bytes > image.length, true);
    assertEquals(content.request.base64_bytes, image.length);
    assertStringIncludes(content.request.text, "after the image");
    assert(!content.request.text.includes(image));
    const said = content.messages.map((one: { role: string; blocks: { text: string }[] }) => [
      one.role,
      one.blocks.map(({ text }) => text),
    ]);
    const elided = `[${image.length} bytes of base64 not recorded]`;
    assertEquals(said[0], ["system", ["Be kind"]]);
    assertEquals(said[1][1], [hostile, elided, "after the image"]);
    assertEquals(said[2], ["assistant", ["forty-two"]]);
  });

  await test.step("a stream, as its caller received it", async () => {
    const [id, answer] = await call(api, { stream: true });
    const content = await contentOf(api, id);
    assertEquals(content.answer.text, answer);
    assertEquals(content.messages.at(-1).blocks, [{ type: "text", name: null, text: "forty-two" }]);
  });

  await test.step("an error", async () => {
    const [id, answer] = await call(api, { model: "missing" });
    const content = await contentOf(api, id);
    assertEquals(content.answer.text, answer);
    assertEquals(content.messages.at(-1).from, "request");
  });

  await test.step("each read has an audit entry, and starting has one and an event", async () => {
    const read = await api.ask("GET", "/audit?action=content-read");
    assert(read.body.data.some((one: { target: { id: string } }) => one.target.id === id));
    const made = await api.ask("GET", "/audit?action=recording-started");
    assertEquals(made.body.data[0].target.id, key.id);
  });

  await test.step("only a token that names contents may read them", async () => {
    const reader = await api.newToken({ scopes: ["*:read"] });
    assertEquals((await api.ask("GET", `/calls/${id}/content`, { token: reader })).status, 403);
    const named = await api.newToken({ scopes: ["recordings:read"] });
    assertEquals((await api.ask("GET", `/calls/${id}/content`, { token: named })).status, 200);
    assertEquals((await api.ask("DELETE", path, { token: named })).status, 403);
  });

  await test.step("sealed in the store, and in no export, list or other answer", async () => {
    const stored = await storedTexts(api);
    assertStringIncludes(stored, id);
    assert(!stored.includes("forty-two") && !stored.includes("after the image"));
    const entries = api.store.kv.list({ prefix: ["recorded_content"] });
    const lines = await Array.fromAsync(exportLines(entries as never, 0));
    assertEquals(lines.length, 2); // its head and its foot
    const { body } = await api.ask("GET", `/calls/${id}`);
    assert(!JSON.stringify(body).includes("forty-two"));
  });

  await test.step("a stopped recording records no more, and keeps what it has", async () => {
    assertEquals((await api.ask("DELETE", path)).status, 204);
    assertEquals((await api.ask("DELETE", path)).status, 404);
    const [later] = await call(api);
    await contentOf(api, id);
    assertEquals((await api.ask("GET", `/calls/${later}/content`)).status, 404);
  });
});

Deno.test("the contents of a user's calls are deleted with the key or the user", async () => {
  await using upstream = startUpstream(vendor);
  await using api = await startApi(oneUpstream({ "chat-completions": `${upstream.base}/v1` }));
  const made = await api.ask("POST", "/keys", { body: { name: "k" } });
  const { id: keyId, user_id: userId, secret } = made.body;
  await api.ask("POST", `/users/${userId}/recording`, { body: { hours: 1 } });
  const response = await fetch(`${api.base}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${secret}` },
    body: JSON.stringify({ model: "m", messages }),
  });
  const id = response.headers.get("x-request-id") ?? "";
  await response.body?.cancel();
  await contentOf(api, id);
  assertEquals((await api.ask("DELETE", `/keys/${keyId}`)).status, 204);
  assertEquals((await api.ask("GET", `/calls/${id}/content`)).status, 404);
  const left = await Array.fromAsync(api.store.kv.list({ prefix: ["kept_text"] }));
  assertEquals(left.length, 0);
});
