import { assert, assertEquals, assertNotEquals } from "@std/assert";
import OpenAI from "openai";
import type { JsonObject } from "../../lib/canonical/mod.ts";
import { auditStore } from "../../lib/audit/mod.ts";
import { listRequestLogs } from "../../lib/store/log/mod.ts";
import { chatAnswer } from "../formats/whole_answer.ts";
import { until } from "../waiting.ts";
import { pieces, type Seen, startUpstream } from "./fake_upstream.ts";
import { oneUpstream, startGateway, type TestGateway, testKey } from "./gateway.ts";
import { makeWallet, walletKey } from "./money/wallet.ts";

const usage = { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 };
const models = [{ id: "m", price: { input: 3, output: 4 } }];
/** Five tokens in and two out. */
const costNanoUsd = 23_000n;

let answers = 0;

/** Each answer is another one, so that only a stored answer can be the same. */
function vendor({ path, body }: Seen): Response {
  const content = `Answer ${++answers}`;
  if (path === "/v1/embeddings") {
    return Response.json({ object: "list", data: [], model: "m", id: content, usage });
  }
  if (path === "/v1/audio/transcriptions") return Response.json({ text: content, usage });
  const { stream } = JSON.parse(body);
  if (stream !== true) {
    return Response.json(chatAnswer({ content }, { id: content, model: "m", usage }));
  }
  return new Response(pieces(chunksOf(content)), { headers: eventStream });
}

const eventStream = { "content-type": "text/event-stream" };

function chunksOf(content: string): string[] {
  const chunk = (fields: JsonObject) =>
    `data: ${
      JSON.stringify({
        id: "c1",
        object: "chat.completion.chunk",
        created: 1,
        model: "m",
        ...fields,
      })
    }\n\n`;
  return [
    chunk({ choices: [{ index: 0, delta: { role: "assistant", content }, finish_reason: null }] }),
    chunk({ choices: [{ index: 0, delta: {}, finish_reason: "stop" }] }),
    chunk({ choices: [], usage }),
    "data: [DONE]\n\n",
  ];
}

interface Asked {
  readonly path: string;
  readonly body: () => BodyInit;
}

const json = (body: JsonObject) => () => JSON.stringify(body);
const messages = [{ role: "user", content: "hi" }];
const calls: Readonly<Record<string, Asked>> = {
  "a whole chat completion": { path: "/v1/chat/completions", body: json({ model: "m", messages }) },
  "a streamed chat completion": {
    path: "/v1/chat/completions",
    body: json({ model: "m", messages, stream: true, usage: { include: true } }),
  },
  "a streamed response": {
    path: "/v1/responses",
    body: json({ model: "m", input: "hi", stream: true }),
  },
  "a stored response in the background": {
    path: "/v1/responses",
    body: json({ model: "m", input: "hi", background: true }),
  },
  "a whole message": {
    path: "/v1/messages",
    body: json({ model: "m", max_tokens: 9, messages }),
  },
  "a streamed message": {
    path: "/v1/messages",
    body: json({ model: "m", max_tokens: 9, messages, stream: true }),
  },
  "generated content as an array": {
    path: "/v1beta/models/m:streamGenerateContent",
    body: json({ contents: [{ parts: [{ text: "hi" }] }] }),
  },
  "embeddings": { path: "/v1/embeddings", body: json({ model: "m", input: "hi" }) },
  "a transcription, whose form has another boundary": {
    path: "/v1/audio/transcriptions",
    body: () => {
      const form = new FormData();
      form.append("model", "m");
      form.append("file", new Blob(["RIFF"], { type: "audio/wav" }), "a.wav");
      return form;
    },
  },
};

async function ask(
  { base }: TestGateway,
  { path, body }: Asked,
  key: string,
  options: { readonly secret?: string; readonly signal?: AbortSignal } = {},
): Promise<Response> {
  const sent = body();
  return await fetch(base + path, {
    method: "POST",
    headers: {
      authorization: `Bearer ${options.secret ?? testKey}`,
      "idempotency-key": key,
      ...(typeof sent === "string" && { "content-type": "application/json" }),
    },
    body: sent,
    ...(options.signal && { signal: options.signal }),
  });
}

async function rowsOf({ parts: { store } }: TestGateway) {
  return (await listRequestLogs(store, { limit: 100 })).rows;
}

async function started(
  answer: (seen: Seen) => Response | Promise<Response> = vendor,
  settings: Record<string, unknown> = {},
) {
  const upstream = startUpstream(answer);
  const config = oneUpstream({ "chat-completions": `${upstream.base}/v1` });
  const gateway = await startGateway({ ...config, models, ...settings });
  return {
    upstream,
    gateway,
    [Symbol.asyncDispose]: async () => {
      await gateway[Symbol.asyncDispose]();
      await upstream[Symbol.asyncDispose]();
    },
  };
}

Deno.test("Idempotency-Key: a repetition gets the same bytes, and is not charged", async (test) => {
  await using context = await started();
  const { gateway, upstream } = context;
  for (const [at, [name, asked]] of Object.entries(calls).entries()) {
    await test.step(name, async () => {
      const before = upstream.seen.length;
      const first = await ask(gateway, asked, `key-${at}`);
      const text = await first.text();
      assertEquals(first.status, 200, text);
      await until(async () => (await rowsOf(gateway)).length === 2 * at + 1);
      const second = await ask(gateway, asked, `key-${at}`);
      assertEquals(await second.text(), text);
      assertEquals(upstream.seen.length, before + 1);
      assertEquals(first.headers.get("tessera-replayed"), null);
      const [{ headers }, ...others] = [second, first];
      assertEquals([second.status, headers.get("tessera-replayed")], [200, "true"]);
      assertEquals(headers.get("content-type"), others[0].headers.get("content-type"));
      assertEquals(headers.get("tessera-cost"), others[0].headers.get("tessera-cost"));
      assertNotEquals(headers.get("x-request-id"), others[0].headers.get("x-request-id"));
      const [replay, charged] = await rowsOf(gateway);
      assertEquals([replay.replayOf, replay.costNanoUsd, replay.outcome], [
        charged.id,
        0n,
        "completed",
      ]);
      assertEquals([replay.model, replay.stream], [charged.model, charged.stream]);
      assert((charged.costNanoUsd ?? 0n) > 0n);
    });
  }
  const audit = await auditStore(gateway.parts.store);
  assertEquals(audit.differences, []);
});

Deno.test("Idempotency-Key: another body is refused in the caller's format", async () => {
  await using context = await started();
  const { gateway } = context;
  for (const [at, asked] of Object.values(calls).entries()) {
    await (await ask(gateway, asked, `key-${at}`)).text();
    const other = { path: asked.path, body: json({ model: "m", input: "other", messages: [] }) };
    const refused = await ask(gateway, other, `key-${at}`);
    const { error } = await refused.json();
    assertEquals([refused.status, refused.headers.get("x-should-retry")], [409, "false"]);
    assertEquals(error.reason ?? error.code, "idempotency_key_reused");
  }
  const malformed = await ask(gateway, calls["a whole message"], "two words");
  assertEquals([malformed.status, (await malformed.json()).error.type], [
    400,
    "invalid_request_error",
  ]);
});

Deno.test("Idempotency-Key: a repetition reads the running stream from its beginning, though the first caller has left", async () => {
  const gate = Promise.withResolvers<void>();
  await using context = await started(() => {
    const [first, ...rest] = chunksOf("slow");
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(new TextEncoder().encode(first)),
      pull: async (controller) => {
        await gate.promise;
        controller.enqueue(new TextEncoder().encode(rest.join("")));
        controller.close();
      },
    }, { highWaterMark: 0 });
    return new Response(body, { headers: eventStream });
  });
  const { gateway, upstream } = context;
  const asked = calls["a streamed chat completion"];
  const leaving = new AbortController();
  const first = await ask(gateway, asked, "k", { signal: leaving.signal });
  const begun = (await first.body?.getReader().read())?.value;
  leaving.abort();
  const second = await ask(gateway, asked, "k");
  const reader = second.body?.getReader();
  const joined = (await reader?.read())?.value;
  assertEquals(joined, begun);
  gate.resolve();
  let rest = "";
  for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) {
    rest += new TextDecoder().decode(next.value);
  }
  assert(rest.endsWith("data: [DONE]\n\n"), rest);
  const third = await ask(gateway, asked, "k");
  assertEquals(await third.text(), new TextDecoder().decode(joined) + rest);
  assertEquals(upstream.seen.length, 1);
  const rows = await rowsOf(gateway);
  assertEquals(rows.map(({ outcome }) => outcome), ["completed", "completed", "completed"]);
  assertEquals(rows.reduce((sum, { costNanoUsd = 0n }) => sum + costNanoUsd, 0n), costNanoUsd);
});

Deno.test("Idempotency-Key: a failed call leaves its key, and calls at the same time run once", async () => {
  let fails = true;
  await using context = await started(async (seen) => {
    await new Promise((resolve) => setTimeout(resolve, 20));
    return fails ? Response.json({ error: { message: "no" } }, { status: 400 }) : vendor(seen);
  });
  const { gateway, upstream } = context;
  const asked = calls["a whole chat completion"];
  const failed = await ask(gateway, asked, "k");
  await failed.text();
  assertEquals(failed.status, 400);
  fails = false;
  const together = await Promise.all(Array.from({ length: 8 }, () => ask(gateway, asked, "k")));
  const texts = await Promise.all(together.map((one) => one.text()));
  assertEquals(new Set(texts).size, 1);
  assertEquals(upstream.seen.length, 2);
  const charged = (await rowsOf(gateway)).filter(({ costNanoUsd }) => costNanoUsd === 23_000n);
  assertEquals(charged.length, 1);
});

Deno.test("Idempotency-Key: an answer that is not stored says so, and its repetition is refused without a charge", async () => {
  await using context = await started(vendor, { limits: { idempotentAnswerBytesMax: 10 } });
  const { gateway, upstream } = context;
  const whole = await ask(gateway, calls["a whole message"], "whole");
  await whole.text();
  assertEquals(whole.headers.get("tessera-replayable"), "false");
  const stream = await ask(gateway, calls["a streamed message"], "stream");
  const events = await stream.text();
  assert(events.includes(": tessera-replayable false\n\n") && events.includes("message_stop"));
  for (const [key, name] of [["whole", "a whole message"], ["stream", "a streamed message"]]) {
    const refused = await ask(gateway, calls[name], key);
    assertEquals([refused.status, (await refused.json()).error.code], [409, "answer_not_stored"]);
  }
  assertEquals(upstream.seen.length, 2);
});

Deno.test("Idempotency-Key: the keys of an account are its own", async () => {
  await using context = await started();
  const { gateway, upstream } = context;
  await makeWallet(gateway.parts.store, 10n ** 9n);
  const asked = calls["a whole chat completion"];
  const texts = [];
  for (const secret of [testKey, walletKey]) {
    texts.push(await (await ask(gateway, asked, "k", { secret })).text());
  }
  assertNotEquals(texts[0], texts[1]);
  assertEquals(upstream.seen.length, 2);
});

Deno.test("Idempotency-Key: a key of the account gets no answer of a model that it may not use", async () => {
  const [virtual, member] = ["sk-test-virtual-9876543210", "sk-test-member-9876543210"];
  const keys = [{ secret: testKey, models: ["*"] }, { secret: virtual, models: ["v"] }, {
    secret: member,
    models: ["m"],
  }].map(({ secret, models }) => ({ name: secret, group: "default", value: secret, models }));
  const chain = { id: "v", members: ["m"] };
  await using context = await started(vendor, { keys, models: [...models, chain] });
  const { gateway, upstream } = context;
  const asked = { path: "/v1/chat/completions", body: json({ model: "v", messages }) };
  const secrets = [testKey, virtual, member];
  const statuses = [];
  for (const secret of secrets) {
    const response = await ask(gateway, asked, "k", { secret });
    await response.text();
    statuses.push(response.status);
  }
  assertEquals(statuses, [200, 200, 403]);
  assertEquals(upstream.seen.length, 1);
});

Deno.test("Idempotency-Key: a claim that the store does not confirm gives no answer away", async () => {
  let fail = () => {};
  await using context = await started((seen) => {
    fail();
    return vendor(seen);
  });
  const { gateway } = context;
  const kv = gateway.parts.store.kv as { atomic: unknown };
  const { atomic } = kv;
  for (const [key, name] of [["w", "a whole message"], ["s", "a streamed message"]]) {
    fail = () => {
      kv.atomic = () => {
        kv.atomic = atomic;
        throw new Error("No store");
      };
    };
    const text = await (await ask(gateway, calls[name], key)).text();
    fail = () => {};
    assert(text.includes("did not confirm") && !text.includes("message_stop"), text);
    const repeated = await ask(gateway, calls[name], key);
    assertEquals(repeated.status, 200, await repeated.text());
  }
  const rows = await rowsOf(gateway);
  assertEquals(rows.map(({ costNanoUsd = 0n }) => costNanoUsd), [23_000n, 0n, 23_000n, 0n]);
  assertEquals((await auditStore(gateway.parts.store)).differences, []);
});

Deno.test("Idempotency-Key: OpenAI's SDK retries a call that timed out, and it is charged once", async () => {
  await using context = await started(async (seen) => {
    await new Promise((resolve) => setTimeout(resolve, 700));
    return vendor(seen);
  });
  const { gateway, upstream } = context;
  const client = new OpenAI({
    baseURL: `${gateway.base}/v1`,
    apiKey: testKey,
    timeout: 300,
    maxRetries: 3,
  });
  const request = { model: "m", messages: [{ role: "user", content: "hi" }] } as const;
  const headers = { "Idempotency-Key": "stainless-node-retry-7" };
  const answer = await client.chat.completions.create({
    ...request,
    messages: [...request.messages],
  }, { headers });
  assert(answer.choices[0].message.content?.startsWith("Answer"));
  assertEquals(upstream.seen.length, 1);
  const charged = (await rowsOf(gateway)).filter(({ costNanoUsd }) => costNanoUsd === 23_000n);
  assertEquals(charged.length, 1);
});
