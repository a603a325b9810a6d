import { assert, assertEquals, assertMatch } from "@std/assert";
import { type FormatName, formatNames } from "../../../lib/canonical/mod.ts";
import { getRequestLog } from "../../../lib/store/log/mod.ts";
import { textSoFar } from "../conversion/broken_body.ts";
import { pieces, startUpstream } from "../fake_upstream.ts";
import { oneUpstream, startGateway, testKey } from "../gateway.ts";

const messages = (content: string) => [{ role: "user", content }];
const wires: Readonly<
  Record<FormatName, (text: string, stream: boolean) => readonly [string, Record<string, unknown>]>
> = {
  "chat-completions": (text, stream) => [
    "/v1/chat/completions",
    { model: "tessera-echo", messages: messages(text), stream },
  ],
  responses: (text, stream) => ["/v1/responses", { model: "tessera-echo", input: text, stream }],
  messages: (text, stream) => [
    "/v1/messages",
    { model: "tessera-echo", max_tokens: 99, messages: messages(text), stream },
  ],
  "generate-content": (text, stream) => [
    `/v1beta/models/tessera-echo:${stream ? "streamGenerateContent?alt=sse" : "generateContent"}`,
    { contents: [{ role: "user", parts: [{ text }] }] },
  ],
};

async function ask(
  base: string,
  [path, body]: readonly [string, Record<string, unknown>],
  key = testKey,
) {
  const response = await fetch(base + path, {
    method: "POST",
    headers: { authorization: `Bearer ${key}` },
    body: JSON.stringify(body),
  });
  const id = response.headers.get("x-request-id") ?? "";
  return { id, text: await textSoFar(response) };
}

for (const format of formatNames) {
  Deno.test(`${format}: an error says where its row is shown, whole and streamed`, async () => {
    await using gateway = await startGateway();
    const { base, parts: { store } } = gateway;
    for (const [words, stream] of [["fail 500", false], ["fail 500", true]] as const) {
      const { id, text } = await ask(base, wires[format](words, stream));
      assertEquals(JSON.parse(text).error.log_url, `${base}/console/log/${id}`);
      assert(await getRequestLog(store, id));
    }
    const { id, text } = await ask(base, wires[format]("fail midway", true));
    assertEquals(text.split(`"log_url":"${base}/console/log/${id}"`).length, 2, text);
    assertMatch(text, /"code":("upstream_error"|502)/);
  });

  Deno.test(`${format}: an error without a row has no link`, async () => {
    await using gateway = await startGateway();
    const { text } = await ask(gateway.base, wires[format]("hi", false), "sk-unknown");
    assertEquals([JSON.parse(text).error.code, text.includes("log_url")], [
      "invalid_api_key",
      false,
    ]);
  });
}

Deno.test("an error of what is passed on as it is says where its row is shown", async () => {
  await using gateway = await startGateway();
  const { id, text } = await ask(gateway.base, [
    "/v1/embeddings",
    { model: "tessera-echo", input: "hi" },
  ]);
  assertEquals(JSON.parse(text).error.log_url, `${gateway.base}/console/log/${id}`);
});

Deno.test("the link leads to the public address, passed through or not", async () => {
  const begun = 'data: {"id":"c","object":"chat.completion.chunk","choices":[{"index":0,' +
    '"delta":{"content":"Hi"},"finish_reason":null}]}\n\n';
  await using upstream = startUpstream(() =>
    new Response(pieces([begun]), { headers: { "content-type": "text/event-stream" } })
  );
  await using gateway = await startGateway({
    publicUrl: "https://gateway.example.com",
    ...oneUpstream({ "chat-completions": upstream.base }, {
      models: ["tessera-echo"],
      priority: 9,
    }),
  });
  for (const format of ["chat-completions", "messages"] as const) {
    const { id, text } = await ask(gateway.base, wires[format]("hi", true));
    assert(text.includes(`"log_url":"https://gateway.example.com/console/log/${id}"`), text);
    assert(text.includes("upstream_truncated"), text);
  }
});
