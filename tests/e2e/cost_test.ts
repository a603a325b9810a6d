import Anthropic from "@anthropic-ai/sdk";
import { GoogleGenAI } from "@google/genai";
import { assert, assertEquals } from "@std/assert";
import OpenAI from "openai";
import type { JsonObject } from "../../lib/canonical/mod.ts";
import { listRequestLogs } from "../../lib/store/log/mod.ts";
import { messagesAnswer } from "../formats/whole_answer.ts";
import { pieces, type Seen, startUpstream } from "./fake_upstream.ts";
import { oneUpstream, startGateway, type TestGateway, testKey } from "./gateway.ts";

const usage = { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 };
/** Five tokens in and two out at the prices below. */
const cost = "0.000023";
const chunk = (fields: JsonObject) =>
  `data: ${
    JSON.stringify({ id: "c1", object: "chat.completion.chunk", created: 1, model: "m", ...fields })
  }\n\n`;

/** Answers chat completions as a strict vendor does: it refuses members that it does not know. */
function vendor({ body }: Seen): Response {
  const request: JsonObject = JSON.parse(body);
  if (request.usage !== undefined) {
    const error = {
      message: "Unrecognized request argument supplied: usage",
      type: "invalid_request_error",
    };
    return Response.json({ error }, { status: 400 });
  }
  if (request.input !== undefined) {
    return Response.json({
      object: "list",
      data: [],
      model: "m",
      usage: { prompt_tokens: 5, total_tokens: 5 },
    });
  }
  if (request.stream !== true) {
    return new Response(
      '{"id":"c1","object":"chat.completion","created":1,"model":"m","big":12345678901234567890,' +
        '"choices":[{"index":0,"message":{"role":"assistant","content":"Hi"},"finish_reason":"stop"}],' +
        `"usage":${JSON.stringify(usage)}}`,
      { headers: { "content-type": "application/json" } },
    );
  }
  const asksUsage = body.includes('"include_usage":true');
  return new Response(
    pieces([
      chunk({
        choices: [{ index: 0, delta: { role: "assistant", content: "Hi" }, finish_reason: null }],
      }),
      chunk({ choices: [{ index: 0, delta: {}, finish_reason: "stop" }] }),
      ...(asksUsage ? [chunk({ choices: [], usage })] : []),
      "data: [DONE]\n\n",
    ]),
    { headers: { "content-type": "text/event-stream" } },
  );
}

const prices = { input: 3, output: 4 };

function gatewayTo(base: string): Promise<TestGateway> {
  return startGateway({
    ...oneUpstream({ "chat-completions": `${base}/v1` }, { models: ["m", "unpriced"] }),
    models: [{ id: "m", price: prices }],
  });
}

async function post(
  { base }: TestGateway,
  path: string,
  body: JsonObject,
  headers: Record<string, string> = {},
): Promise<Response> {
  return await fetch(base + path, {
    method: "POST",
    headers: { authorization: `Bearer ${testKey}`, "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
}

const messages = [{ role: "user", content: "hi" }];
const contents = [{ role: "user", parts: [{ text: "hi" }] }];
const wholeCalls: readonly (readonly [path: string, body: JsonObject])[] = [
  ["/v1/chat/completions", { model: "m", messages }],
  ["/v1/responses", { model: "m", input: "hi" }],
  ["/v1/messages", { model: "m", max_tokens: 9, messages }],
  ["/v1beta/models/m:generateContent", { contents }],
];

for (const [path, body] of wholeCalls) {
  Deno.test(`cost: a whole answer of POST ${path} says what it cost`, async () => {
    await using upstream = startUpstream(vendor);
    await using gateway = await gatewayTo(upstream.base);
    const response = await post(gateway, path, body);
    assertEquals(response.status, 200, await response.text());
    assertEquals(response.headers.get("tessera-cost"), cost);
    const { rows: [row] } = await listRequestLogs(gateway.parts.store, {
      accountId: "owner",
      limit: 1,
    });
    assertEquals(row.costNanoUsd, 23_000n, "as the log has it");
  });
}

Deno.test("cost: an answer that is passed on says what it cost", async () => {
  await using upstream = startUpstream(vendor);
  await using gateway = await gatewayTo(upstream.base);
  const response = await post(gateway, "/v1/embeddings", { model: "m", input: "hi" });
  await response.body?.cancel();
  assertEquals(response.headers.get("tessera-cost"), "0.000015");
});

Deno.test("cost: what is free costs 0, and what has no price says nothing", async () => {
  await using upstream = startUpstream(vendor);
  await using gateway = await gatewayTo(upstream.base);
  const unpriced = await post(gateway, "/v1/chat/completions", { model: "unpriced", messages });
  assertEquals([unpriced.status, unpriced.headers.get("tessera-cost")], [200, null]);
  await unpriced.body?.cancel();
  await using embedded = await startGateway();
  const free = await post(embedded, "/v1/chat/completions", { model: "tessera-echo", messages });
  assertEquals(free.headers.get("tessera-cost"), "0");
  await free.body?.cancel();
});

const streamCalls: readonly (readonly [path: string, body: JsonObject, end: RegExp])[] = [
  ["/v1/chat/completions", { model: "m", messages, stream: true }, /data: \[DONE\]\n\n$/],
  [
    "/v1/responses",
    { model: "m", input: "hi", stream: true },
    /event: response.completed\ndata: .*\n\n$/,
  ],
  [
    "/v1/messages",
    { model: "m", max_tokens: 9, messages, stream: true },
    /event: message_stop\ndata: .*\n\n$/,
  ],
];

for (const [path, body, end] of streamCalls) {
  Deno.test(`cost: a stream of POST ${path} says before its end what it cost`, async () => {
    await using upstream = startUpstream(vendor);
    await using gateway = await gatewayTo(upstream.base);
    const response = await post(gateway, path, body);
    const text = await response.text();
    assertEquals(text.match(/^: tessera-cost .*$/gm), [`: tessera-cost ${cost}`], text);
    assert(/\n\n: tessera-cost 0\.000023\n\n/.test(text), text);
    assert(end.test(text), text);
    assert(!text.includes('"cost"'), text);
  });
}

Deno.test("cost: a stream of generate-content has no comment, on which LangChain's client fails", async () => {
  await using upstream = startUpstream(vendor);
  await using gateway = await gatewayTo(upstream.base);
  const path = "/v1beta/models/m:streamGenerateContent?alt=sse";
  const text = await (await post(gateway, path, { contents })).text();
  assert(text.startsWith("data: ") && !/^:/m.test(text), text);
});

Deno.test("cost: a JSON array of chunks stays one", async () => {
  await using upstream = startUpstream(vendor);
  await using gateway = await gatewayTo(upstream.base);
  const response = await post(gateway, "/v1beta/models/m:streamGenerateContent", { contents });
  const chunks = await response.json();
  assert(Array.isArray(chunks) && chunks.length > 0);
});

const asking = { model: "m", messages, usage: { include: true } };

Deno.test("cost: usage has it for who asks, and the rest of a whole answer stays as it came", async () => {
  await using upstream = startUpstream(vendor);
  await using gateway = await gatewayTo(upstream.base);
  const response = await post(gateway, "/v1/chat/completions", asking);
  const text = await response.text();
  assertEquals(response.status, 200, text);
  assertEquals(JSON.parse(text).usage, { ...usage, cost: 0.000023 });
  assert(text.includes('"cost":0.000023') && text.includes("12345678901234567890"), text);
  assert(!upstream.seen[0].body.includes('"include"'), upstream.seen[0].body);
});

Deno.test("cost: usage of a stream has it for who asks, without stream_options", async () => {
  await using upstream = startUpstream(vendor);
  await using gateway = await gatewayTo(upstream.base);
  const response = await post(gateway, "/v1/chat/completions", { ...asking, stream: true });
  const text = await response.text();
  const chunks = text.match(/^data: \{.*$/gm)?.map((line) => JSON.parse(line.slice(6))) ?? [];
  const stated = chunks.filter((one) => one.usage);
  assertEquals(stated.map((one) => one.usage), [{ ...usage, cost: 0.000023 }], text);
  assert(text.endsWith("data: [DONE]\n\n"), text);
});

Deno.test("cost: usage that comes beside the last words waits for its cost, as Mistral states it", async () => {
  const last = { choices: [{ index: 0, delta: { content: "!" }, finish_reason: "stop" }], usage };
  await using upstream = startUpstream(() =>
    new Response(
      pieces([
        chunk({ choices: [{ index: 0, delta: { content: "Hi" }, finish_reason: null }] }),
        chunk(last),
        "data: [DONE]\n\n",
      ]),
      { headers: { "content-type": "text/event-stream" } },
    )
  );
  await using gateway = await gatewayTo(upstream.base);
  const response = await post(gateway, "/v1/chat/completions", { ...asking, stream: true });
  const text = await response.text();
  assert(text.includes('"cost":0.000023') && text.endsWith("data: [DONE]\n\n"), text);
});

Deno.test("cost: a stream that breaks off behind its usage has no clean end", async () => {
  await using upstream = startUpstream(() =>
    new Response(
      pieces([
        chunk({ choices: [{ index: 0, delta: { content: "Hi" }, finish_reason: null }] }),
        chunk({ choices: [], usage }),
      ]),
      { headers: { "content-type": "text/event-stream" } },
    )
  );
  await using gateway = await gatewayTo(upstream.base);
  const response = await post(gateway, "/v1/chat/completions", { ...asking, stream: true });
  const text = await response.text();
  assert(text.includes('"error"') && !text.includes("[DONE]"), text);
  assert(text.includes(": tessera-cost "), text);
});

Deno.test("cost: who asks on an upstream of another format gets it too", async () => {
  const answer = messagesAnswer({ usage: { input_tokens: 5, output_tokens: 2 } });
  await using upstream = startUpstream(() => Response.json(answer));
  await using gateway = await startGateway({
    ...oneUpstream({ messages: upstream.base }),
    models: [{ id: "m", price: prices }],
  });
  for (const stream of [false, true]) {
    const response = await post(gateway, "/v1/chat/completions", { ...asking, stream }, {
      "tessera-strict": "true",
    });
    const text = await response.text();
    assertEquals([response.status, text.includes('"cost":0.000023')], [200, true], text);
    assert(!upstream.seen.at(-1)?.body.includes('"include"'));
  }
});

Deno.test("cost: the OpenAI SDK hands out the header and the member", async () => {
  await using upstream = startUpstream(vendor);
  await using gateway = await gatewayTo(upstream.base);
  const openai = new OpenAI({ baseURL: `${gateway.base}/v1`, apiKey: testKey });
  const { data, response } = await openai.chat.completions.create(
    {
      model: "m",
      messages: [{ role: "user", content: "hi" }],
      ...{ usage: { include: true } }, // a member that the SDK does not know
    },
  ).withResponse();
  assertEquals(response.headers.get("tessera-cost"), cost);
  assertEquals({ ...data.usage }, { ...usage, cost: 0.000023 });
});

/** The vendors' own SDKs read streams with the comment in them, as if it were not there. */
Deno.test("cost: the SDKs of all formats read streams that say it", async () => {
  await using upstream = startUpstream(vendor);
  await using gateway = await gatewayTo(upstream.base);
  const openai = new OpenAI({ baseURL: `${gateway.base}/v1`, apiKey: testKey });
  const said: string[] = [];
  let text = "";
  const chat = await openai.chat.completions.create({
    model: "m",
    messages: [{ role: "user", content: "hi" }],
    stream: true,
  });
  for await (const { choices } of chat) text += choices[0]?.delta?.content ?? "";
  said.push(text);
  const responses = openai.responses.stream({ model: "m", input: "hi" });
  said.push((await responses.finalResponse()).output_text);
  const anthropic = new Anthropic({ baseURL: gateway.base, apiKey: testKey });
  const message = anthropic.messages.stream({
    model: "m",
    max_tokens: 9,
    messages: [{ role: "user", content: "hi" }],
  });
  said.push(await message.finalText());
  const google = new GoogleGenAI({ apiKey: testKey, httpOptions: { baseUrl: gateway.base } });
  text = "";
  for await (
    const one of await google.models.generateContentStream({ model: "m", contents: "hi" })
  ) {
    text += one.text ?? "";
  }
  said.push(text);
  assertEquals(said, ["Hi", "Hi", "Hi", "Hi"]);
});
