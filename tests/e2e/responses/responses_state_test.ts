import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import type { JsonObject } from "../../../lib/canonical/mod.ts";
import { getStoredResponse, replaceStoredResponse } from "../../../lib/store/responses/mod.ts";
import { eventually } from "../../store/temp_store.ts";
import { type FakeUpstream, pieces, type Seen, startUpstream } from "../fake_upstream.ts";
import { oneUpstream, startGateway, type TestGateway } from "../gateway.ts";
import { makeWallet, walletKey } from "../money/wallet.ts";

/** The stored responses of the gateway, through its API; the upstream stores nothing. */

interface Told {
  readonly status: number;
  readonly headers: Headers;
  readonly body: JsonObject;
}

async function call(
  { base, key }: Pick<TestGateway, "base" | "key">,
  address: string,
  body?: JsonObject,
): Promise<Told> {
  const [method, path] = address.split(" ");
  const response = await fetch(`${base}/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

const answerOf = (id: string, text: string): JsonObject => ({
  id,
  object: "response",
  created_at: 1,
  status: "completed",
  model: "m",
  output: [{
    id: `msg_${id}`,
    type: "message",
    status: "completed",
    role: "assistant",
    content: [{ type: "output_text", text, annotations: [] }],
  }],
  usage: { input_tokens: 7, output_tokens: 3, total_tokens: 10 },
});

function configFor(upstream: FakeUpstream): Record<string, unknown> {
  return {
    ...oneUpstream({ responses: upstream.base }, { models: ["plain"] }),
  };
}

async function withUpstream(
  answer: (seen: Seen) => Response | Promise<Response>,
  run: (gateway: TestGateway, upstream: FakeUpstream) => Promise<void>,
  config: Record<string, unknown> = {},
): Promise<void> {
  await using upstream = startUpstream(answer);
  await using gateway = await startGateway({ ...configFor(upstream), ...config });
  await run(gateway, upstream);
}

async function storedKeys({ parts }: TestGateway): Promise<number> {
  let count = 0;
  for (const prefix of ["response", "kept_text", "response_item", "conversation_page"]) {
    for await (const _ of parts.store.kv.list({ prefix: [prefix] })) count++;
  }
  return count;
}

const model = "plain";

Deno.test("responses state: an upstream of the format gets the whole history and `store: false`", () => {
  let count = 0;
  return withUpstream(
    () =>
      new Response(
        `{"id":"resp_${++count}","object":"response","created_at":1,"store":false,"status":"completed","model":"m","output":[{"id":"msg_${count}","type":"message","status":"completed","role":"assistant","content":[{"type":"output_text","text":"Hi ${count}","annotations":[]}]}],"usage":{"input_tokens":7,"output_tokens":3,"total_tokens":10},"x_vendor":1.50}`,
        {
          headers: { "content-type": "application/json" },
        },
      ),
    async (gateway, { seen }) => {
      const first = await call(gateway, "POST /responses", {
        model,
        input: "one",
        x_unknown: [1],
        reasoning: { effort: "low" },
      });
      assertEquals(JSON.parse(seen[0].body), {
        model,
        input: "one",
        x_unknown: [1],
        reasoning: { effort: "low" },
        store: false,
        include: ["reasoning.encrypted_content"],
      });
      assertEquals([first.body.id, first.body.store, first.body.x_vendor], ["resp_1", true, 1.5]);
      await call(gateway, "POST /responses", {
        model,
        input: "two",
        previous_response_id: "resp_1",
      });
      const sent = JSON.parse(seen[1].body);
      assertEquals(sent.previous_response_id, undefined);
      assertEquals(sent.input.map((item: JsonObject) => [item.role, item.id ?? null]), [
        ["user", null],
        ["assistant", "msg_1"],
        ["user", null],
      ]);
    },
  );
});

Deno.test("responses state: of the bytes of an answer only what the gateway knows better is changed", () =>
  withUpstream(
    () =>
      new Response(
        'event: response.created\ndata: {"type":"response.created", "sequence_number":0,"response":{ "id":"resp_1","store":false,"x":1.50}}\n\n' +
          'event: response.output_text.delta\ndata: {"type":"response.output_text.delta", "delta" : "Hi"}\n\n' +
          'event: response.completed\ndata: {"type":"response.completed","sequence_number":2,"response":{"id":"resp_1","status":"completed","store":false,"output":[],"x":1.50,"usage":{"input_tokens":7,"output_tokens":3,"total_tokens":10}}}\n\n',
        { headers: { "content-type": "text/event-stream" } },
      ),
    async ({ base, key }) => {
      const response = await fetch(`${base}/v1/responses`, {
        method: "POST",
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        body: JSON.stringify({ model, input: "hi", stream: true }),
      });
      assertEquals(
        await response.text(),
        'event: response.created\ndata: {"type":"response.created", "sequence_number":0,"response":{ "id":"resp_1","store":true,"x":1.50}}\n\n' +
          'event: response.output_text.delta\ndata: {"type":"response.output_text.delta", "delta" : "Hi"}\n\n' +
          'event: response.completed\ndata: {"type":"response.completed","sequence_number":2,"response":{"id":"resp_1","status":"completed","store":true,"output":[],"x":1.50,"usage":{"input_tokens":7,"output_tokens":3,"total_tokens":10}}}\n\n',
      );
    },
  ));

Deno.test("responses state: an end without the items that were streamed gets them, and so does what is stored", () =>
  withUpstream(
    () =>
      new Response(
        'data: {"type":"response.created","sequence_number":0,"response":{"id":"resp_1"}}\n\n' +
          'data: {"type":"response.output_item.done","sequence_number":1,"output_index":0,"item":{"id":"msg_1","type":"message","role":"assistant","status":"completed","content":[{"type":"output_text","text":"Hi","annotations":[]}]}}\n\n' +
          'data: {"type":"response.completed","sequence_number":2,"response":{"id":"resp_1","status":"completed","output":[],"usage":{"input_tokens":7,"output_tokens":3,"total_tokens":10}}}\n\n',
        { headers: { "content-type": "text/event-stream" } },
      ),
    async (gateway) => {
      const response = await fetch(`${gateway.base}/v1/responses`, {
        method: "POST",
        headers: { authorization: `Bearer ${gateway.key}`, "content-type": "application/json" },
        body: JSON.stringify({ model, input: "hi", stream: true }),
      });
      const last = JSON.parse((await response.text()).trim().split("\n\n").at(-1)?.slice(6) ?? "");
      assertEquals(last.response.output[0].id, "msg_1");
      assertEquals((await call(gateway, "GET /responses/resp_1")).body, last.response);
    },
  ));

Deno.test("responses state: what is another account's does not exist", () =>
  withUpstream(() => Response.json(answerOf("resp_mine", "secret")), async (gateway) => {
    await makeWallet(gateway.parts.store, 1_000_000_000n);
    await call(gateway, "POST /responses", { model, input: "secret" });
    const begun = await call(gateway, "POST /conversations", {
      items: [{ role: "user", content: "secret" }],
    });
    const other = { base: gateway.base, key: walletKey };
    const conversation = String(begun.body.id);
    const attempts: readonly (readonly [string, JsonObject | undefined, string])[] = [
      ["GET /responses/resp_mine", undefined, "response_not_found"],
      ["DELETE /responses/resp_mine", undefined, "response_not_found"],
      ["GET /responses/resp_mine/input_items", undefined, "response_not_found"],
      ["POST /responses/resp_mine/cancel", {}, "response_not_found"],
      ["POST /responses", {
        model,
        input: "x",
        previous_response_id: "resp_mine",
      }, "previous_response_not_found"],
      ["POST /responses", {
        model,
        input: [{ type: "item_reference", id: "msg_resp_mine" }],
      }, "item_not_found"],
      ["POST /responses", { model, input: "x", conversation }, "conversation_not_found"],
      [`GET /conversations/${conversation}`, undefined, "conversation_not_found"],
      [`POST /conversations/${conversation}`, { metadata: {} }, "conversation_not_found"],
      [`DELETE /conversations/${conversation}`, undefined, "conversation_not_found"],
      [`GET /conversations/${conversation}/items`, undefined, "conversation_not_found"],
      [`POST /conversations/${conversation}/items`, {
        items: [{ role: "user", content: "x" }],
      }, "conversation_not_found"],
    ];
    for (const [address, body, code] of attempts) {
      const told = await call(other, address, body);
      assertEquals((told.body.error as JsonObject | undefined)?.code, code, address);
      assert(!JSON.stringify(told.body).includes("secret"), address);
    }
    assertEquals((await call(gateway, "GET /responses/resp_mine")).status, 200);
  }));

Deno.test("responses state: an upstream that gives the same id twice mixes nothing and closes no circle", () => {
  let count = 0;
  return withUpstream(
    () => Response.json(answerOf("resp_same", `answer ${++count}`)),
    async (gateway, { seen }) => {
      for (const input of ["one", "two", "three"]) {
        await call(gateway, "POST /responses", {
          model,
          input,
          ...(input !== "one" && { previous_response_id: "resp_same" }),
        });
      }
      const sent = seen[2].body;
      const places = ["one", "answer 1", "two", "answer 2", "three"].map((words) =>
        sent.indexOf(words)
      );
      assert(places.every((place, at) => place > (places[at - 1] ?? 0)), sent);
      assertEquals(JSON.parse(sent).input.length, 5);
    },
  );
});

Deno.test("responses state: what one upstream sealed does not reach another", async () => {
  const thinking = (id: string): JsonObject => ({
    ...answerOf(id, `said by ${id}`),
    output: [
      { id: `rs_${id}`, type: "reasoning", summary: [], encrypted_content: `sealed by ${id}` },
      ...answerOf(id, `said by ${id}`).output as JsonObject[],
    ],
  });
  let isDown = false;
  await using first = startUpstream(() =>
    isDown ? new Response("busy", { status: 503 }) : Response.json(thinking("resp_first"))
  );
  await using second = startUpstream(() => Response.json(thinking("resp_second")));
  const upstream = (id: string, base: string, priority: number) => ({
    id,
    endpoints: { responses: base },
    apiKeys: ["x"],
    models: [{ id: "plain", upstreamModel: "gpt-5.1" }],
    priority,
  });
  await using gateway = await startGateway({
    upstreams: [upstream("first", first.base, 1), upstream("second", second.base, 0)],
  });
  const goOn = async (id?: string) =>
    (await call(gateway, "POST /responses", {
      model,
      input: "x",
      ...(id && { previous_response_id: id }),
    })).body.id;
  await goOn();
  assertStringIncludes(first.seen[0].body, '"include":["reasoning.encrypted_content"]');
  await goOn("resp_first");
  assertStringIncludes(first.seen[1].body, "sealed by resp_first");
  isDown = true;
  assertEquals(await goOn("resp_first"), "resp_second");
  assert(!second.seen[0].body.includes("sealed by resp_first"));
  assertStringIncludes(second.seen[0].body, "said by resp_first");
  isDown = false;
  await goOn("resp_second");
  assert(first.seen.every(({ body }) => !body.includes("sealed by resp_second")));
  assert(second.seen.every(({ body }) => !body.includes("sealed by resp_first")));
});

Deno.test("responses state: what is said so far must go into one request, and nothing of it is lost", () => {
  let count = 0;
  return withUpstream(
    () => Response.json(answerOf(`resp_${++count}`, "hi")),
    async (gateway) => {
      const input = "x".repeat(1_500);
      const goOn = (id?: string, more: JsonObject = {}) =>
        call(gateway, "POST /responses", {
          model,
          input,
          ...(id && { previous_response_id: id }),
          ...more,
        });
      await goOn();
      await goOn("resp_1");
      const refused = await goOn("resp_2");
      assertEquals([refused.status, (refused.body.error as JsonObject).code], [
        413,
        "body_too_large",
      ]);
      const wrong = await goOn("resp_1", { input: ["x"] });
      assertEquals([wrong.status, (wrong.body.error as JsonObject).param], [400, "input[0]"]);
    },
    { limits: { bodyBytesMax: 4_000 } },
  );
});

Deno.test("responses state: without a part of its chain a response is read, but not gone on from", () => {
  let count = 0;
  return withUpstream(
    () => Response.json(answerOf(`resp_${++count}`, "hi")),
    async (gateway) => {
      const goOn = (id?: string) =>
        call(gateway, "POST /responses", {
          model,
          input: "x",
          ...(id && { previous_response_id: id }),
        });
      await goOn();
      await goOn("resp_1");
      assertEquals((await call(gateway, "DELETE /responses/resp_1")).body, {
        id: "resp_1",
        object: "response",
        deleted: true,
      });
      assertEquals((await call(gateway, "GET /responses/resp_2")).status, 200);
      const { status, body } = await goOn("resp_2");
      assertEquals([status, (body.error as JsonObject).code], [400, "previous_response_not_found"]);
    },
  );
});

Deno.test("responses state: nothing is left of a call that says store: false, or says nothing where that is the default", async () => {
  const answer = () => Response.json(answerOf("resp_1", "hi"));
  await withUpstream(answer, async (gateway) => {
    await call(gateway, "POST /responses", { model, input: "x", store: false });
    assertEquals(await storedKeys(gateway), 0);
    assertEquals((await call(gateway, "GET /responses/resp_1")).status, 404);
  });
  await withUpstream(answer, async (gateway, { seen }) => {
    await call(gateway, "POST /responses", { model, input: "x" });
    assertEquals(await storedKeys(gateway), 0);
    assertEquals(seen[0].body, '{"model":"plain","input":"x"}');
    await call(gateway, "POST /responses", { model, input: "x", store: true });
    assertEquals((await call(gateway, "GET /responses/resp_1")).status, 200);
  }, { storeResponsesByDefault: false });
});

Deno.test("responses state: what is too large is answered and not stored, and says so; what relies on it is refused", () =>
  withUpstream(
    () => Response.json({ ...answerOf("resp_1", "hi"), store: false }),
    async (gateway) => {
      const input = "x".repeat(2_000);
      const { status, headers, body } = await call(gateway, "POST /responses", { model, input });
      assertEquals([status, body.store], [200, false]);
      assertStringIncludes(headers.get("tessera-notes") ?? "", "store dropped");
      assertEquals((await call(gateway, "GET /responses/resp_1")).status, 404);
      const { id } = (await call(gateway, "POST /conversations", {})).body;
      for (const more of [{ background: true }, { conversation: id }]) {
        const refused = await call(gateway, "POST /responses", { model, input, ...more });
        assertEquals([refused.status, (refused.body.error as JsonObject).code], [
          413,
          "body_too_large",
        ]);
      }
      await call(gateway, "POST /responses", { model, input: "x" });
      assertEquals((await call(gateway, "GET /responses/resp_1")).status, 200);
    },
    { limits: { storedResponseBytesMax: 1_500 } },
  ));

Deno.test("responses state: an answer that broke off, or whose caller left, is not stored", async () => {
  const begin =
    'data: {"type":"response.created","sequence_number":0,"response":{"id":"resp_1"}}\n\n' +
    'data: {"type":"response.output_text.delta","sequence_number":1,"delta":"Hi"}\n\n';
  const stream = (closes: boolean) => () =>
    new Response(pieces([begin], { closes }), { headers: { "content-type": "text/event-stream" } });
  const ask = ({ base, key }: TestGateway, signal?: AbortSignal) =>
    fetch(`${base}/v1/responses`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({ model, input: "hi", stream: true }),
      signal,
    });
  await withUpstream(stream(true), async (gateway) => {
    assertStringIncludes(await (await ask(gateway)).text(), "response.failed");
    assertEquals(await storedKeys(gateway), 0);
  });
  await withUpstream(stream(false), async (gateway, { seen }) => {
    const abort = new AbortController();
    const reader = (await ask(gateway, abort.signal)).body?.getReader();
    await reader?.read();
    abort.abort();
    await seen[0].aborted;
    assertEquals(await storedKeys(gateway), 0);
  });
});

Deno.test("responses state: a call that goes on from nothing reads nothing of the store", () =>
  withUpstream(() => Response.json(answerOf("resp_1", "hi")), async (gateway) => {
    const ask = () => call(gateway, "POST /responses", { model, input: "hi" });
    await ask();
    const reads: string[] = [];
    const { get, getMany } = Deno.Kv.prototype;
    Deno.Kv.prototype.get = function (this: Deno.Kv, ...args: Parameters<typeof get>) {
      reads.push(String(args[0][0]));
      return get.apply(this, args);
    } as typeof get;
    Deno.Kv.prototype.getMany = function (this: Deno.Kv, ...args: Parameters<typeof getMany>) {
      reads.push(String(args[0].map(([first]) => first)));
      return getMany.apply(this, args);
    } as typeof getMany;
    try {
      for (let time = 0; time < 20; time++) await ask();
    } finally {
      Object.assign(Deno.Kv.prototype, { get, getMany });
    }
    const own = reads.filter((name) => /response|kept_text|conversation/.test(name));
    assertEquals(own, []);
  }));

Deno.test("responses state: a background response whose maker is gone has failed, once and for all", async () => {
  await using gateway = await startGateway();
  const told = await call(gateway, "POST /responses", {
    model: "tessera-echo",
    input: "hi",
    background: true,
  });
  const id = String(told.body.id);
  const place = { accountId: await accountOf(gateway), id, nowMs: Date.now() };
  const { store } = gateway.parts;
  const ended = () =>
    getStoredResponse(store, place).then((entry) => entry?.response.background?.phase === "ended");
  assert(await eventually(ended));
  const entry = await getStoredResponse(store, place);
  assert(entry?.response.background);
  const background = { ...entry.response.background, phase: "running", runId: "gone" } as const;
  await replaceStoredResponse(store, {
    response: { ...entry.response, background: { ...background, aliveUntilMs: 0 } },
    versionstamp: entry.versionstamp,
    retentionMs: 60_000,
  });
  const answers = await Promise.all(
    Array.from({ length: 4 }, () => call(gateway, `GET /responses/${id}`)),
  );
  for (const { body } of answers) assertEquals([body.id, body.status], [id, "failed"]);
  const streamed = await fetch(`${gateway.base}/v1/responses/${id}?stream=true`, {
    headers: { authorization: `Bearer ${gateway.key}` },
  });
  assertStringIncludes(await streamed.text(), "event: response.failed");
  assertEquals((await call(gateway, `POST /responses/${id}/cancel`)).body.status, "failed");
});

Deno.test("responses state: deleting a background response disconnects the upstream and ends its stream", async () => {
  const hang = () =>
    new Response(
      pieces([
        'data: {"type":"response.created","sequence_number":0,"response":{"id":"resp_1"}}\n\n',
      ], { closes: false }),
      { headers: { "content-type": "text/event-stream" } },
    );
  await withUpstream(hang, async (gateway, { seen }) => {
    const { body } = await call(gateway, "POST /responses", {
      model,
      input: "hi",
      background: true,
    });
    const path = `/responses/${body.id}`;
    assert(await eventually(() => seen.length === 1));
    const stream = fetch(`${gateway.base}/v1${path}?stream=true`, {
      headers: { authorization: `Bearer ${gateway.key}` },
    }).then((response) => response.text());
    const early = await call(gateway, "POST /responses", {
      model,
      input: "x",
      previous_response_id: String(body.id),
    });
    assertStringIncludes(JSON.stringify(early.body), "still in progress");
    assertEquals((await call(gateway, `DELETE ${path}`)).status, 200);
    await seen[0].aborted;
    await stream;
    assertEquals((await call(gateway, `GET ${path}`)).status, 404);
  });
});

Deno.test("responses state: what costs nothing is bounded by the minute, for each account", async () => {
  await using gateway = await startGateway({ limits: { conversationBytesPerMinute: 20_000 } });
  await makeWallet(gateway.parts.store, 1_000_000_000n);
  const items = [{ role: "user", content: "x".repeat(8_000) }];
  const begin = (key = gateway.key) =>
    call({ base: gateway.base, key }, "POST /conversations", { items });
  const { id } = (await begin()).body;
  const added = await call(gateway, `POST /conversations/${id}/items`, { items });
  assertEquals(added.status, 200);
  const refused = await begin();
  assertEquals([refused.status, (refused.body.error as JsonObject).code], [
    429,
    "rate_limit_exceeded",
  ]);
  assert(Number(refused.headers.get("retry-after")) <= 60);
  assertEquals((await begin(walletKey)).status, 200);
});

Deno.test("responses state: pages of items follow one another in both orders", async () => {
  await using gateway = await startGateway();
  const items = Array.from({ length: 20 }, (_, at) => ({ role: "user", content: `item ${at}` }));
  const { id } = (await call(gateway, "POST /conversations", { items })).body;
  const path = `/conversations/${id}/items`;
  for (const order of ["asc", "desc"]) {
    const texts: string[] = [];
    let after = "";
    for (;;) {
      const { body } = await call(gateway, `GET ${path}?limit=7&order=${order}&after=${after}`);
      for (const { content } of body.data as JsonObject[]) {
        texts.push(String((content as JsonObject[])[0].text));
      }
      if (!body.has_more) break;
      after = String(body.last_id);
    }
    const wanted = items.map(({ content }) => content);
    assertEquals(texts, order === "asc" ? wanted : wanted.toReversed());
  }
  for (const query of ["limit=0", "limit=101", "limit=x", "order=up"]) {
    assertEquals((await call(gateway, `GET ${path}?${query}`)).status, 400, query);
  }
  assertEquals((await call(gateway, `GET ${path}?after=msg_none`)).status, 404);
  for (const bad of [{ role: "nobody", content: "x" }, { type: "item_reference", id: "msg_1" }]) {
    assertEquals((await call(gateway, `POST ${path}`, { items: [bad] })).status, 400);
    assertEquals((await call(gateway, "POST /conversations", { items: [bad] })).status, 400);
  }
  const many = [...items, items[0]];
  assertEquals((await call(gateway, `POST ${path}`, { items: many })).status, 400);
});

async function accountOf({ parts }: TestGateway): Promise<string> {
  for await (const { key } of parts.store.kv.list({ prefix: ["response"] })) return String(key[1]);
  throw new Error("Nothing is stored");
}
