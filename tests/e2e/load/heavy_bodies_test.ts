import { assert, assertEquals } from "@std/assert";
import { startUpstream } from "../fake_upstream.ts";
import { oneUpstream, startGateway, testKey } from "../gateway.ts";
import { assertHealthy, post, startWatched } from "./heavy_load.ts";

/** Requests and answers that cost more than they are long, at the sizes at which they are sent. */

const mebibyte = 1024 * 1024;

const arrays = `[${"[],".repeat(32 * mebibyte / 3 - 100)}[]]`;
const hostile = [
  { name: "[[],[],…]", json: arrays },
  { name: "[[[[…", json: "[".repeat(32 * mebibyte - 200) },
  { name: '{"a":{"a":…', json: `{"a":`.repeat(32 * mebibyte / 5 - 100) },
  {
    name: "objects with a member each",
    json: `[${'{"a":0},'.repeat(32 * mebibyte / 8 - 100)}0]`,
  },
];

Deno.test("heavy bodies are refused before they are parsed", async (t) => {
  await using watched = await startWatched({});
  for (const { name, json } of hostile) {
    await t.step(`32 MiB of ${name}`, async () => {
      const body = new Blob([`{"model":"tessera-echo","messages":${json}}`]);
      await assertHealthy(watched, name, async () => {
        const answers = await Promise.all([1, 2, 3, 4].map(() => post(watched, { body })));
        for (const { status, code } of answers) {
          assertEquals([status, code], [413, "body_too_complex"]);
        }
      });
    });
  }
  const { peakBytes } = await watched.during(() => Promise.resolve());
  assert(peakBytes < 900 * mebibyte, `the process took ${peakBytes} bytes`);
});

Deno.test("a caller without money or without a key cannot make the gateway read 32 MiB", async (t) => {
  const poorKey = "sk-test-poor-0123456789abcdefghij";
  const spentKey = "sk-test-spent-0123456789abcdefghij";
  await using watched = await startWatched({
    config: {
      keys: [
        { name: "test", group: "default", value: testKey },
        {
          name: "spent",
          group: "default",
          value: spentKey,
          budget: { usd: 0.001, period: "total" },
        },
      ],
      models: [{ id: "tessera-echo", price: { input: 0, output: 0, request: 0.001 } }],
    },
  });
  const small = {
    model: "tessera-echo",
    max_tokens: 1,
    messages: [{ role: "user", content: "a" }],
  };
  const spent = await post(watched, { key: spentKey, body: JSON.stringify(small) });
  assertEquals(spent.status, 200, spent.text);
  const content = "lorem ipsum ".repeat(31 * mebibyte / 12);
  const body = new Blob([
    JSON.stringify({ model: "tessera-echo", messages: [{ role: "user", content }] }),
  ]);
  const unknown = {
    name: "an unknown key",
    key: poorKey,
    path: "/v1/chat/completions",
    answer: [401, "invalid_api_key"],
  };
  const paths = ["chat/completions", "embeddings", "messages/count_tokens", "conversations"];
  const spentOnes = paths.map((path) => ({
    name: "a spent budget",
    key: spentKey,
    path: `/v1/${path}`,
    answer: [402, "insufficient_quota"],
  }));
  for (const { name, key, path, answer } of [unknown, ...spentOnes]) {
    await t.step(`${name} at ${path}`, async () => {
      const refused = await post(watched, { path, key, body });
      assertEquals([refused.status, refused.code], answer, refused.text.slice(0, 300));
    });
  }
  const { peakBytes } = await watched.during(() => Promise.resolve());
  assert(peakBytes < 320 * mebibyte, `the process took ${peakBytes} bytes`);
});

const vector = `[${Array.from({ length: 3_072 }, (_, n) => `0.${1 + n % 9}1`).join()}]`;

Deno.test("a batch of 2,048 x 3,072 embedding floats passes as a request and as an answer", async () => {
  const item = `{"object":"embedding","index":0,"embedding":${vector.replaceAll(".", ".0100")}}`;
  const answer = `{"object":"list","model":"m","data":[${
    Array(2_048).fill(item).join()
  }],"usage":{"prompt_tokens":7,"total_tokens":7}}`;
  await using upstream = startUpstream(() =>
    new Response(answer, { headers: { "content-type": "application/json" } })
  );
  await using watched = await startWatched({
    config: {
      limits: { valuesMax: 10_000_000 },
      ...oneUpstream({ "chat-completions": upstream.base }),
      keys: [{
        name: "test",
        group: "default",
        value: testKey,
        limits: { tokensPerMinute: 1_000_000_000 },
      }],
    },
  });
  const body = `{"model":"m","input":[${Array(2_048).fill(vector).join()}]}`;
  assert(body.length > 30 * mebibyte && body.length < 32 * mebibyte, `${body.length}`);
  assert(answer.length > 54 * mebibyte && answer.length < 64 * mebibyte, `${answer.length}`);
  await assertHealthy(watched, "embeddings", async () => {
    const { status, text } = await post(watched, { path: "/v1/embeddings", body });
    assertEquals(status, 200, text.slice(0, 300));
    assert(text === answer, "the answer is as it came");
  });
  assert(upstream.seen[0].body === body, "the request is as it came");
});

Deno.test("calls in flight hold no more bodies than there is memory for", async () => {
  const arrived = Promise.withResolvers<void>();
  const answered = Promise.withResolvers<void>();
  await using upstream = startUpstream(async () => {
    arrived.resolve();
    await answered.promise;
    return Response.json({
      object: "list",
      data: [],
      usage: { prompt_tokens: 1, total_tokens: 1 },
    });
  });
  await using gateway = await startGateway({
    limits: { bodiesHeapPercent: 1, bodiesWaitMs: 100 },
    ...oneUpstream({ "chat-completions": upstream.base }),
  });
  const body = JSON.stringify({ model: "m", input: "a".repeat(20 * mebibyte) });
  const call = () => post({ server: gateway }, { path: "/v1/embeddings", body });
  const first = call();
  await arrived.promise;
  const refused = await call();
  assertEquals([refused.status, refused.code], [429, "rate_limit_exceeded"], refused.text);
  answered.resolve();
  assertEquals((await first).status, 200);
  assertEquals((await call()).status, 200);
});

for (const isDeclared of [true, false]) {
  Deno.test(`of bodies that arrive together some are served, ${isDeclared ? "with" : "without"} a declared length`, async () => {
    await using upstream = startUpstream(() =>
      Response.json({ object: "list", data: [], usage: { prompt_tokens: 1, total_tokens: 1 } })
    );
    await using gateway = await startGateway({
      limits: { bodiesHeapPercent: 1, bodiesWaitMs: 100 },
      ...oneUpstream({ "chat-completions": upstream.base }),
    });
    const body = JSON.stringify({ model: "m", input: "a".repeat(20 * mebibyte) });
    const calls = Array.from({ length: 6 }, async () => {
      const response = await fetch(`${gateway.base}/v1/embeddings`, {
        method: "POST",
        headers: { authorization: `Bearer ${testKey}`, "content-type": "application/json" },
        body: isDeclared ? body : new Blob([body]).stream(),
      });
      await response.body?.cancel();
      return response.status;
    });
    const statuses = await Promise.all(calls);
    assert(statuses.includes(200), `${statuses}`);
    assertEquals(statuses.filter((status) => status !== 200 && status !== 429), []);
  });
}

Deno.test("arguments of a call that are too complex are no JSON to a conversion", async () => {
  const seen: string[] = [];
  await using upstream = startUpstream(({ body }) => {
    seen.push(body);
    return new Response("{}", { status: 400 });
  });
  await using gateway = await startGateway(oneUpstream({ messages: upstream.base }));
  const before = Deno.memoryUsage().rss;
  const args = `{"a":[${"[],".repeat(9 * mebibyte)}[]]}`;
  const call = { id: "c1", type: "function", function: { name: "f", arguments: args } };
  const body = JSON.stringify({
    model: "m",
    messages: [
      { role: "user", content: "a" },
      { role: "assistant", tool_calls: [call] },
      { role: "tool", tool_call_id: "c1", content: "b" },
    ],
  });
  const { status } = await post({ server: gateway }, { body });
  assertEquals(status, 400);
  assert(seen[0].includes(`"input":{"input":"{`), "they go on as the text that they are");
  const grownBytes = Deno.memoryUsage().rss - before;
  assert(grownBytes < 800 * mebibyte, `the process grew by ${grownBytes} bytes`);
});
