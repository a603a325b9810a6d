import { assertEquals } from "@std/assert";
import type { JsonObject } from "../../../lib/canonical/mod.ts";
import { generate } from "../../../lib/gateway.ts";
import { newCall } from "../../../lib/http/call.ts";
import { endpointFinder } from "../../../lib/http/endpoints.ts";
import { servedEndpoints } from "../../../lib/operations/served.ts";
import { listRequestLogs } from "../../../lib/store/log/mod.ts";
import { UpstreamSockets } from "../../../lib/upstreams/mod.ts";
import {
  answerTurn,
  eventsOf,
  type ReceivedFrame,
  sse,
  startSocketUpstream,
} from "../../upstreams/sockets/socket_upstream.ts";
import { oneUpstream, startGateway, type TestGateway, testKey } from "../gateway.ts";

const find = endpointFinder(servedEndpoints);
const user = (content: string) => ({ type: "message", role: "user", content });

/** The calls that a caller's WebSocket makes of its frames. */
function callerSocket({ parts }: TestGateway) {
  const upstreamSockets = new UpstreamSockets();
  const path = "/v1/responses";
  const turn = async (body: JsonObject) => {
    const url = new URL(path, "http://gateway");
    const request = new Request(url, {
      method: "POST",
      headers: { authorization: `Bearer ${testKey}`, "content-type": "application/json" },
      body: JSON.stringify({ model: "m", stream: true, ...body }),
    });
    const match = find("POST", path);
    if ("error" in match) throw match.error;
    const call = newCall({ request, url, nowMs: Date.now(), ip: "127.0.0.1" }, match);
    const response = await generate(call, { ...parts.gateway, upstreamSockets });
    return { status: response.status, headers: response.headers, text: await response.text() };
  };
  return { turn, [Symbol.dispose]: () => upstreamSockets.close() };
}

async function rowsOf({ parts }: TestGateway) {
  return (await listRequestLogs(parts.store, { limit: 10 })).rows.toReversed();
}

const stateful = { store: true, input: "hi" };

Deno.test("a caller's WebSocket: a turn that continues a stored one sends the upstream only what is new", async () => {
  await using upstream = startSocketUpstream();
  await using gateway = await startGateway(
    oneUpstream({ responses: `${upstream.base}/v1` }, { websocket: true }),
  );
  using socket = callerSocket(gateway);
  const { text: first } = await socket.turn(stateful);
  assertEquals(first.includes(`"id":"resp_1"`) && first.includes("1 items"), true);
  await socket.turn({ input: [user("more")], previous_response_id: "resp_1" });
  const [whole, continued] = upstream.frames;
  assertEquals([whole.store, whole.input], [false, "hi"]);
  assertEquals(continued.previous_response_id, "resp_1");
  assertEquals(continued.input, [user("more")]);
  assertEquals([upstream.handshakes.length, upstream.posts.length], [1, 0]);
  assertEquals(upstream.handshakes[0].get("authorization"), "Bearer x");
  const rows = await rowsOf(gateway);
  assertEquals(
    rows.map(({ outcome, usage }) => [outcome, usage?.inputTokens, usage?.outputTokens]),
    [
      ["completed", 3, 2],
      ["completed", 3, 2],
    ],
  );
});

for (
  const { name, fields, body } of [
    { name: "without the setting", fields: {}, body: {} },
    { name: "that wants its answer whole", fields: { websocket: true }, body: { stream: false } },
  ]
) {
  Deno.test(`a caller's WebSocket: a call ${name} is POSTed`, async () => {
    await using upstream = startSocketUpstream();
    await using gateway = await startGateway(
      oneUpstream({ responses: `${upstream.base}/v1` }, fields),
    );
    using socket = callerSocket(gateway);
    assertEquals((await socket.turn({ input: "hi", ...body })).status, 200);
    assertEquals([upstream.handshakes.length, upstream.posts.length], [0, 1]);
  });
}

/** Two upstreams that serve the same model, of which the first is tried first. */
async function gatewayOf(first: { base: string }, second: { base: string }) {
  const one = (id: string, { base }: { base: string }, priority: number) => ({
    ...{ id, priority, apiKeys: ["x"], models: ["m"], websocket: true },
    endpoints: { responses: `${base}/v1` },
  });
  return await startGateway({ upstreams: [one("a", first, 2), one("b", second, 1)] });
}

const error = { type: "rate_limit_error", code: "rate_limit_exceeded", message: "slow" };
for (
  const { name, onFrame, outcome } of [
    {
      name: "closes its connection without an answer",
      onFrame: ({ socket }: ReceivedFrame) => socket.close(1011),
      outcome: "upstream_unreachable",
    },
    {
      name: "sends an error frame",
      onFrame: ({ send }: ReceivedFrame) => send({ type: "error", status: 429, error }),
      outcome: "rate_limit_exceeded",
    },
  ]
) {
  Deno.test(`a caller's WebSocket: an upstream that ${name} is tried once, and the next one answers`, async () => {
    await using first = startSocketUpstream({ onFrame });
    await using second = startSocketUpstream();
    await using gateway = await gatewayOf(first, second);
    using socket = callerSocket(gateway);
    assertEquals(
      await socket.turn({ input: [user("hi")] }).then(({ text }) => text),
      sse(eventsOf("resp_1", "1 items")),
    );
    assertEquals([first.frames.length, first.posts.length, second.frames.length], [1, 0, 1]);
    const [{ attempts }] = await rowsOf(gateway);
    assertEquals(attempts?.map(({ upstreamId, errorCode }) => [upstreamId, errorCode]), [
      ["a", outcome],
      ["b", undefined],
    ]);
  });
}

Deno.test("a caller's WebSocket: an upstream's error frame keeps its status and Retry-After", async () => {
  const headers = { "Retry-After": "9" };
  await using upstream = startSocketUpstream({
    onFrame: ({ send }) => send({ type: "error", status: 429, error: { ...error, headers } }),
  });
  await using gateway = await startGateway(
    oneUpstream({ responses: `${upstream.base}/v1` }, { websocket: true }),
  );
  using socket = callerSocket(gateway);
  const refused = await socket.turn({ input: "hi" });
  assertEquals([refused.status, refused.headers.get("retry-after")], [429, "9"]);
});

Deno.test("a caller's WebSocket: an upstream that breaks within an answer is not asked again", async () => {
  await using upstream = startSocketUpstream({
    onFrame: (received) => {
      if (upstream.frames.length > 1) return answerTurn(received);
      for (const event of eventsOf("r", "x").slice(0, 3)) received.send(event);
      received.socket.close(1001);
    },
  });
  await using gateway = await startGateway(
    oneUpstream({ responses: `${upstream.base}/v1` }, { websocket: true }),
  );
  using socket = callerSocket(gateway);
  const { text } = await socket.turn({ input: "hi" });
  assertEquals(text.includes("event: response.failed"), true);
  assertEquals([upstream.frames.length, upstream.posts.length], [1, 0]);
  assertEquals((await rowsOf(gateway)).map(({ outcome }) => outcome), ["truncated"]);
});
