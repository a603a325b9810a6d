import { assert, assertEquals } from "@std/assert";
import type { FormatName } from "../../lib/canonical/mod.ts";
import { parsedTexts } from "../parsed_texts.ts";
import { startUpstream } from "./fake_upstream.ts";
import { startGateway, type TestGateway, testKey } from "./gateway.ts";

const turns = Array.from({ length: 121 }, (_, at) => ({
  role: at % 2 === 0 ? "user" : "assistant",
  content: `turn ${at}: "Größe" \\ 日本語 ${"and so on ".repeat(15)}`,
}));

/** A conversation of 20 KB in each format, and a whole answer to it. */
const samples: Readonly<Record<FormatName, { path: string; body: object; answer: object }>> = {
  "chat-completions": {
    path: "/v1/chat/completions",
    body: { model: "m", messages: turns, max_tokens: 100 },
    answer: {
      choices: [{ index: 0, message: { role: "assistant", content: "Hi" }, finish_reason: "stop" }],
      usage: { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 },
    },
  },
  responses: {
    path: "/v1/responses",
    body: { model: "m", input: turns, store: false, max_output_tokens: 100 },
    answer: {
      object: "response",
      status: "completed",
      output: [],
      usage: { input_tokens: 7, output_tokens: 3, total_tokens: 10 },
    },
  },
  messages: {
    path: "/v1/messages",
    body: { model: "m", max_tokens: 100, messages: turns },
    answer: {
      type: "message",
      role: "assistant",
      content: [],
      stop_reason: "end_turn",
      usage: { input_tokens: 7, output_tokens: 3 },
    },
  },
  "generate-content": {
    path: "/v1beta/models/m:generateContent",
    body: { contents: turns.map(({ role, content }) => ({ role, parts: [{ text: content }] })) },
    answer: {
      candidates: [{ content: { role: "model", parts: [{ text: "Hi" }] }, finishReason: "STOP" }],
      usageMetadata: { promptTokenCount: 7, candidatesTokenCount: 3, totalTokenCount: 10 },
    },
  },
};

/** A gateway with two upstreams for a model, so that the conversation decides which one answers. */
function startWithTwo(format: FormatName, base: string): Promise<TestGateway> {
  const endpoints = { [format]: base };
  const models = [{ id: "m", upstreamModel: "real-name" }];
  return startGateway({
    upstreams: ["a", "b"].map((id) => ({ id, endpoints, apiKeys: ["x"], models })),
    models: [{ id: "m", price: { input: 1, output: 1 } }],
    keys: [{ name: "test", value: testKey, budget: { usd: 1_000, period: "total" } }],
  });
}

function post({ base }: TestGateway, path: string, body: string): Promise<Response> {
  const headers = { authorization: `Bearer ${testKey}`, "content-type": "application/json" };
  return fetch(base + path, { method: "POST", headers, body });
}

for (const [format, { path, body, answer }] of Object.entries(samples)) {
  Deno.test(`long request: ${format} passes a conversation on without parsing it`, async () => {
    await using upstream = startUpstream(() => Response.json(answer));
    await using gateway = await startWithTwo(format as FormatName, upstream.base); // the table's own key
    const call = () => post(gateway, path, JSON.stringify(body));
    await (await call()).body?.cancel(); // leases money
    const parsed = await parsedTexts(async () => {
      const response = await call();
      assertEquals(response.status, 200, await response.text());
    });
    assertEquals(
      parsed.filter(({ length }) => length > 2_048).map((text) => text.slice(0, 100)),
      [],
    );
    assertEquals(JSON.parse(upstream.seen[1].body), {
      ...body,
      ...("model" in body && { model: "real-name" }),
    });
  });
}

const manyTurns = Array.from({ length: 3_501 }, (_, at) => turns[at % 2]);

Deno.test("long request: a conversation of 750 KB passes on without being parsed", async () => {
  const { path, body, answer } = samples["chat-completions"];
  await using upstream = startUpstream(() => Response.json(answer));
  await using gateway = await startWithTwo("chat-completions", upstream.base);
  const text = JSON.stringify({ ...body, messages: manyTurns });
  await (await post(gateway, path, text)).body?.cancel(); // leases money
  const parsed = await parsedTexts(async () => {
    const response = await post(gateway, path, text);
    assertEquals(response.status, 200, await response.text());
  });
  assertEquals(parsed.filter(({ length }) => length > 2_048).map((text) => text.slice(0, 100)), []);
  assert(upstream.seen[1].body === text.replace('"m"', '"real-name"'));
});

const picture = "iVBORw0KGgo+/".repeat(320_000);
const question = { type: "text", text: "What is it?" };
const shown = [
  { type: "image", source: { type: "base64", media_type: "image/png", data: picture } },
  question,
];

Deno.test("long request: a picture of 4 MB passes on as it came", async () => {
  const { path, body, answer } = samples.messages;
  await using upstream = startUpstream(() => Response.json(answer));
  await using gateway = await startWithTwo("messages", upstream.base);
  const text = JSON.stringify({ ...body, messages: [...turns, { role: "user", content: shown }] });
  const response = await post(gateway, path, text);
  assertEquals(response.status, 200, await response.text());
  assert(upstream.seen[0].body === text.replace('"m"', '"real-name"'));
});

Deno.test("long request: a picture of 4 MB is converted whole", async () => {
  const { path, body } = samples.messages;
  await using upstream = startUpstream(() => Response.json(samples["chat-completions"].answer));
  await using gateway = await startWithTwo("chat-completions", upstream.base);
  const messages = [{ role: "user", content: shown }];
  const response = await post(gateway, path, JSON.stringify({ ...body, messages }));
  assertEquals(response.status, 200, await response.text());
  const [{ content: [image, text] }] = JSON.parse(upstream.seen[0].body).messages;
  assert(image.image_url.url === `data:image/png;base64,${picture}`);
  assertEquals(text, question);
});

const space = " ".repeat(6_000);
const turn = '{"role":"user","content":"hi"}';

/** Conversations that nobody should send; `PAD` is long or nothing. */
const oddLists = {
  "without a turn": "[PAD]",
  "of one turn behind space": `[PAD${turn}]`,
  "with a text as a turn": `["text"PAD,${turn}]`,
  "with null as a turn": `[${turn},nullPAD]`,
  "with a list as a turn": `[[PAD${turn}]]`,
  "with a turn without a role": '[{"content":"hi"PAD}]',
};

for (const [format, { path, body, answer }] of Object.entries(samples)) {
  for (const [name, list] of Object.entries(oddLists)) {
    Deno.test(`long request: ${format} treats a conversation ${name} as in a short one`, async () => {
      await using upstream = startUpstream(() => Response.json(answer));
      await using gateway = await startWithTwo(format as FormatName, upstream.base); // the table's own key
      const [member] = Object.keys(body).filter((key) => lists.includes(key));
      const text = JSON.stringify({ ...body, [member]: 0 });
      const outcomes = [];
      for (const pad of ["", space]) {
        const sent = text.replace(`"${member}":0`, `"${member}":${list.replace("PAD", pad)}`);
        const response = await post(gateway, path, sent);
        const { error = {} } = await response.json();
        outcomes.push([
          response.status,
          error.message?.replace(/req_\w+/, ""),
          upstream.seen.length,
        ]);
      }
      const [[status, message, calls], long] = outcomes;
      assertEquals(long, [status, message, 2 * calls]);
      assert(status !== 500, message);
    });
  }
}

const lists = ["messages", "input", "contents"];
