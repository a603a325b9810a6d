import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { explainRoute } from "../../../lib/routing/mod.ts";
import { type Attempt, listRequestLogs, type RequestLogRow } from "../../../lib/store/log/mod.ts";
import { chatAnswer } from "../../formats/whole_answer.ts";
import { type FakeUpstream, pieces, type Seen, startUpstream } from "../fake_upstream.ts";
import { startGateway, type TestGateway } from "../gateway.ts";
import { bodySizes, ofSize } from "../load/sized_body.ts";

const json = { "content-type": "application/json" };
const sse = { "content-type": "text/event-stream" };

const whole = JSON.stringify(
  chatAnswer({ content: "Hi" }, {
    usage: { prompt_tokens: 3, completion_tokens: 1, total_tokens: 4 },
  }),
);

const chunk = (delta: unknown, finish_reason: string | null = null) =>
  `data: ${JSON.stringify({ id: "c", choices: [{ index: 0, delta, finish_reason }] })}\n\n`;

const streamed = `${chunk({ role: "assistant", content: "Hi" })}${
  chunk({}, "stop")
}data: [DONE]\n\n`;

function answering({ body }: Seen): Response {
  return JSON.parse(body).stream === true
    ? new Response(streamed, { headers: sse })
    : new Response(whole, { headers: json });
}

const failing = (status: number, headers: Record<string, string> = {}) => () =>
  new Response(JSON.stringify({ error: { message: `fails with ${status}` } }), { status, headers });

type Fields = Record<string, unknown>;

function declared(id: string, { base }: Pick<FakeUpstream, "base">, more: Fields = {}): Fields {
  return {
    id,
    endpoints: { "chat-completions": base },
    apiKeys: [`key-of-${id}`],
    models: ["m"],
    ...more,
  };
}

function call({ base, key }: TestGateway, more: Fields = {}, signal?: AbortSignal) {
  return fetch(`${base}/v1/chat/completions`, {
    method: "POST",
    headers: { ...json, authorization: `Bearer ${key}` },
    body: JSON.stringify({ model: "m", messages: [{ role: "user", content: "hi" }], ...more }),
    ...(signal && { signal }),
  });
}

async function lastRow({ parts: { store } }: TestGateway): Promise<RequestLogRow> {
  const { rows: [row] } = await listRequestLogs(store, { limit: 1 });
  return row;
}

function told({ upstreamId, outcome, errorCode, status }: Attempt) {
  return [upstreamId, outcome, errorCode, status];
}

/** Faults of an upstream, and the recorded attempt of each. */
const faults: readonly {
  readonly name: string;
  readonly stream: boolean;
  readonly answer: () => Response;
  readonly recorded: readonly unknown[];
}[] = [
  {
    name: "an error",
    stream: false,
    answer: failing(503),
    recorded: ["upstream_error", "upstream_overloaded", 503],
  },
  {
    name: "an empty body",
    stream: false,
    answer: () => new Response("", { headers: json }),
    recorded: ["upstream_error", "upstream_invalid_response", undefined],
  },
  {
    name: "an answer that says nothing",
    stream: false,
    answer: () =>
      new Response('{"choices":[{"message":{"role":"assistant","content":""}}]}', {
        headers: json,
      }),
    recorded: ["upstream_error", "upstream_invalid_response", undefined],
  },
  {
    name: "an answer that says nothing where a stream was asked",
    stream: true,
    answer: () => new Response('{"choices":[{"message":{"content":null}}]}', { headers: json }),
    recorded: ["upstream_error", "upstream_invalid_response", undefined],
  },
  {
    name: "a stream without an event",
    stream: true,
    answer: () => new Response("", { headers: sse }),
    recorded: ["truncated", "upstream_truncated", undefined],
  },
  {
    name: "a stream of nothing but its end",
    stream: true,
    answer: () => new Response("data: [DONE]\n\n", { headers: sse }),
    recorded: ["truncated", "upstream_truncated", undefined],
  },
  {
    name: "a stream that begins with an error",
    stream: true,
    answer: () =>
      new Response('data: {"error":{"message":"no","type":"server_error"}}\n\n', { headers: sse }),
    recorded: ["upstream_error", "upstream_error", undefined],
  },
];

for (const { name, stream, answer, recorded } of faults) {
  Deno.test(`a call moves on after ${name}, and the log keeps both attempts`, async () => {
    await using first = startUpstream(answer);
    await using second = startUpstream(answering);
    await using gateway = await startGateway({
      upstreams: [declared("first", first, { priority: 1 }), declared("second", second)],
    });
    const response = await call(gateway, { stream });
    assertStringIncludes(await response.text(), "Hi");
    const { attempts = [], upstreamId, outcome } = await lastRow(gateway);
    assertEquals([upstreamId, outcome], ["second", "completed"]);
    assertEquals(attempts.map(told), [
      ["first", ...recorded],
      ["second", "completed", undefined, 200],
    ]);
    for (const { credentialId, upstreamFormat, startedAfterMs, durationMs } of attempts) {
      assert(/^[0-9a-f]{8}$/.test(credentialId ?? ""));
      assertEquals(upstreamFormat, "chat-completions");
      assert(startedAfterMs >= 0 && durationMs >= 0);
    }
  });
}

Deno.test("a short answer is an answer: with a reason for its end, no content and no usage", async () => {
  const short =
    '{"choices":[{"index":0,"message":{"role":"assistant","content":""},"finish_reason":"stop"}]}';
  await using upstream = startUpstream(() => new Response(short, { headers: json }));
  await using gateway = await startGateway({ upstreams: [declared("up", upstream)] });
  const response = await call(gateway);
  assertEquals([response.status, await response.text()], [200, short]);
});

Deno.test("a stream that is empty behind its opening ends in an error, not in a clean end", async () => {
  const opening = chunk({ role: "assistant" });
  await using upstream = startUpstream(() =>
    new Response(pieces([opening, "data: [DONE]\n\n"]), { headers: sse })
  );
  await using gateway = await startGateway({ upstreams: [declared("up", upstream)] });
  const text = await (await call(gateway, { stream: true })).text();
  assertStringIncludes(text, "upstream_truncated");
  assert(!text.includes("[DONE]"));
  const { outcome, attempts = [] } = await lastRow(gateway);
  assertEquals(outcome, "truncated");
  assertEquals(attempts.map(({ errorCode }) => errorCode), ["upstream_truncated"]);
});

Deno.test("a refused credential is left alone while the upstream's other one answers", async () => {
  const secrets: string[] = [];
  await using upstream = startUpstream((seen) => {
    const secret = seen.headers.get("authorization")?.replace("Bearer ", "") ?? "";
    secrets.push(secret);
    return secret === "bad" ? failing(401)() : answering(seen);
  });
  await using gateway = await startGateway({
    upstreams: [declared("up", upstream, { apiKeys: ["bad", "good"] })],
  });
  for (let n = 0; n < 20; n++) {
    const response = await call(gateway, { messages: [{ role: "user", content: `hi ${n}` }] });
    assertEquals(response.status, 200);
    await response.body?.cancel();
  }
  assertEquals(secrets.filter((secret) => secret === "bad").length, 1);
  const { health } = gateway.parts.gateway;
  const out = health.snapshot().filter(({ state }) => state === "open");
  assertEquals(
    out.map(({ upstreamId, lastError, model }) => [upstreamId, lastError?.code, model]),
    [
      ["up", "upstream_unauthorized", undefined],
    ],
  );
  const query = { model: "m", format: "chat-completions", groupId: "default" } as const;
  const route = explainRoute(query, gateway.parts.gateway.upstreams(), {
    health,
    nowMs: Date.now(),
  });
  assertEquals(route.map(({ verdict, order }) => [verdict, order]), [["candidate", 1], [
    "open",
    2,
  ]]);
  const metrics = await (await fetch(`${gateway.base}/metrics`)).text();
  assertStringIncludes(metrics, 'tessera_upstream_breakers{upstream="up",state="open"} 1');
  assertStringIncludes(
    metrics,
    'tessera_attempts_total{upstream="up",result="upstream_unauthorized"} 1',
  );
  assertStringIncludes(metrics, 'tessera_attempts_total{upstream="up",result="answered"} 20');
  assert(!/"(bad|good)"/.test(metrics));
});

Deno.test("credentials are used in turn, and a conversation keeps its own", async () => {
  const used = new Map<string, Set<string>>();
  await using upstream = startUpstream((seen) => {
    const conversation = JSON.parse(seen.body).messages[0].content;
    const secrets = used.get(conversation) ?? new Set();
    used.set(conversation, secrets.add(seen.headers.get("authorization") ?? ""));
    return answering(seen);
  });
  await using gateway = await startGateway({
    upstreams: [declared("up", upstream, { apiKeys: ["one", "two", "three"] })],
  });
  for (let n = 0; n < 60; n++) {
    const messages = [{ role: "user", content: `hi ${n % 20}` }];
    await (await call(gateway, { messages })).body?.cancel();
  }
  assert([...used.values()].every(({ size }) => size === 1));
  assertEquals(new Set([...used.values()].flatMap((secrets) => [...secrets])).size, 3);
});

Deno.test("a call waits as long as the upstream asks, where that is soon", async () => {
  let calls = 0;
  await using upstream = startUpstream((seen) =>
    calls++ === 0 ? failing(429, { "retry-after-ms": "60" })() : answering(seen)
  );
  await using gateway = await startGateway({ upstreams: [declared("up", upstream)] });
  const response = await call(gateway);
  assertEquals([response.status, calls], [200, 2]);
  await response.body?.cancel();
  const { attempts = [] } = await lastRow(gateway);
  assertEquals(attempts.map(told), [
    ["up", "upstream_error", "rate_limit_exceeded", 429],
    ["up", "completed", undefined, 200],
  ]);
  assert(attempts[1].startedAfterMs >= 60);
});

Deno.test("a call and its successors get the upstream's longer retry-after", async () => {
  await using busy = startUpstream(failing(429, { "retry-after": "30" }));
  await using broken = startUpstream(failing(500));
  await using gateway = await startGateway({
    upstreams: [declared("busy", busy, { priority: 1 }), declared("broken", broken)],
  });
  for (let n = 0; n < 3; n++) {
    const response = await call(gateway);
    await response.body?.cancel();
    const seconds = Number(response.headers.get("retry-after"));
    assertEquals([response.status, seconds > 25 && seconds <= 30], [429, true]);
  }
  assertEquals(
    [busy.seen.length, broken.seen.length],
    [1, 3],
    "it is not asked while it is paused",
  );
});

for (const { size, bytes } of bodySizes) {
  Deno.test(`a caller who leaves while a pause is waited for ends the call: ${size}`, async () => {
    const asked = Promise.withResolvers<void>();
    await using upstream = startUpstream(() => {
      asked.resolve();
      return failing(429, { "retry-after": "2" })();
    });
    await using gateway = await startGateway({ upstreams: [declared("up", upstream)] });
    const leaving = new AbortController();
    const padding = ofSize(
      "chat-completions",
      { messages: [{ role: "user", content: "hi" }] },
      bytes,
    );
    const left = call(gateway, padding, leaving.signal).catch(() => "left");
    await asked.promise;
    leaving.abort();
    assertEquals(await left, "left");
    const deadline = performance.now() + 1_500;
    let row = await lastRow(gateway);
    while (!row && performance.now() < deadline) row = await lastRow(gateway);
    assertEquals([row?.outcome, upstream.seen.length], ["client_gone", 1]);
  });
}

Deno.test("streams that break in the middle open a breaker; counting tokens and refused requests never do", async () => {
  const broken = chunk({ role: "assistant", content: "Hi" });
  await using first = startUpstream(() => new Response(broken, { headers: sse }));
  await using second = startUpstream(answering);
  await using gateway = await startGateway({
    limits: { breakerFailuresMax: 3 },
    upstreams: [declared("first", first, { priority: 1 }), declared("second", second)],
  });
  for (let n = 0; n < 5; n++) await (await call(gateway, { stream: true })).text();
  assertEquals([first.seen.length, second.seen.length], [3, 2]);

  await using refusing = startUpstream(failing(400));
  await using strict = await startGateway({
    limits: { breakerFailuresMax: 3 },
    upstreams: [{
      ...declared("strict", refusing),
      endpoints: { messages: refusing.base, "chat-completions": refusing.base },
    }],
  });
  for (let n = 0; n < 10; n++) {
    const refused = await call(strict);
    assertEquals(refused.status, 400);
    await refused.body?.cancel();
    const counted = await fetch(`${strict.base}/v1/messages/count_tokens`, {
      method: "POST",
      headers: { ...json, "x-api-key": strict.key },
      body: JSON.stringify({ model: "m", messages: [{ role: "user", content: "hi" }] }),
    });
    assertEquals(counted.status, 200);
    await counted.body?.cancel();
  }
  assertEquals(strict.parts.gateway.health.snapshot(), []);
});

Deno.test("one upstream that recovers serves again, and nobody was refused because of its breaker alone", async () => {
  let isDown = true;
  await using upstream = startUpstream((seen) => isDown ? failing(500)() : answering(seen));
  await using gateway = await startGateway({
    limits: { breakerFailuresMax: 2, breakerOpenMs: 600_000, breakerOpenMsMax: 600_000 },
    upstreams: [declared("up", upstream)],
  });
  const statuses: number[] = [];
  for (let n = 0; n < 6; n++) {
    if (n === 4) isDown = false;
    const response = await call(gateway);
    statuses.push(response.status);
    await response.body?.cancel();
  }
  assertEquals(statuses, [502, 502, 502, 502, 200, 200]);
  isDown = true;
  for (let n = 0; n < 2; n++) await (await call(gateway)).body?.cancel();
  isDown = false;
  const many = await Promise.all(Array.from({ length: 20 }, () => call(gateway)));
  assertEquals(many.map(({ status }) => status), Array(20).fill(200));
  for (const { body } of many) await body?.cancel();
});
