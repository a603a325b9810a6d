import { assert, assertEquals, assertRejects } from "@std/assert";
import { hash } from "node:crypto";
import { GatewayError, type JsonObject } from "../../../lib/canonical/mod.ts";
import { createSend, type Outbound, type UpstreamAnswer } from "../../../lib/upstreams/send.ts";
import { UpstreamSockets } from "../../../lib/upstreams/sockets/mod.ts";
import { type Peer, startRawPeer } from "../raw_peer.ts";
import {
  answerTurn,
  eventsOf,
  messageOf,
  type ReceivedFrame,
  sse,
  startSocketUpstream,
} from "./socket_upstream.ts";

const timeouts = { connectMs: 5_000, firstByteMs: 2_000, idleMs: 5_000, totalMs: 20_000 };
const nobody = new AbortController().signal;
const user = (content: string) => ({ type: "message", role: "user", content });
/** The headers of a candidate's calls are one object. */
const headers = { authorization: "Bearer k", "openai-project": "p" };

function outboundTo({ base }: { readonly base: string }, input: unknown, more = {}): Outbound {
  const body = JSON.stringify({ model: "m", stream: true, store: false, input, ...more });
  return { url: `${base}/v1/responses`, origin: "config", headers, body };
}

/** A caller's WebSocket, whose turns are sent to one upstream. */
function caller(upstream: { readonly base: string }, sockets = new UpstreamSockets()) {
  const send = createSend({ dialFirst: true });
  const ask = (input: unknown, { signal = nobody, ms = timeouts, more = {} } = {}) =>
    send(outboundTo(upstream, input, more), ms, signal, sockets);
  return {
    ask,
    turn: async (input: unknown, options = {}) => await text(await ask(input, options)),
    [Symbol.dispose]: () => {
      sockets.close();
      send.endAll();
    },
  };
}

async function text(answer: UpstreamAnswer): Promise<string> {
  const decoder = new TextDecoder();
  let all = "";
  for (let chunk = await answer.read(); chunk; chunk = await answer.read()) {
    all += decoder.decode(chunk, { stream: true });
  }
  return all;
}

/** A caller without socket gets the same answer. */
const posted = sse(eventsOf("posted", "over HTTP"));

/** The code of the failure that a turn ends with, and whether its answer had started. */
async function failure(turn: Promise<unknown>): Promise<string> {
  return (await assertRejects(() => turn, GatewayError)).code;
}

Deno.test("UpstreamSockets: a turn that continues the last one sends only what is new", async () => {
  await using upstream = startSocketUpstream();
  using alice = caller(upstream);
  const first = [user("one"), user("two")];
  const more = { stream_options: { include_obfuscation: false } }; // not allowed in a frame
  assertEquals(await alice.turn(first, { more }), sse(eventsOf("resp_2", "2 items")));
  const second = [...first, messageOf("2 items"), user("three")];
  assertEquals(await alice.turn(second), sse(eventsOf("resp_1", "1 items")));
  await alice.turn([...second, messageOf("1 items"), user("four"), user("five")]);
  const members = { type: "response.create", model: "m", store: false };
  assertEquals(upstream.frames, [
    { ...members, input: first },
    { ...members, input: [user("three")], previous_response_id: "resp_2" },
    { ...members, input: [user("four"), user("five")], previous_response_id: "resp_1" },
  ]);
  assertEquals(upstream.handshakes.length, 1);
  assertEquals(upstream.handshakes[0].get("authorization"), "Bearer k");
  assertEquals(upstream.handshakes[0].get("openai-project"), "p");
  assertEquals(upstream.posts, []);
});

Deno.test("UpstreamSockets: an input as text is continued as the message that it is", async () => {
  await using upstream = startSocketUpstream();
  using alice = caller(upstream);
  await alice.turn("hi");
  await alice.turn([user("hi"), messageOf("1 items"), user("three")]);
  assertEquals(upstream.frames[1].previous_response_id, "resp_1");
  assertEquals(upstream.frames[1].input, [user("three")]);
});

const before = [user("one")];
const answer = messageOf("1 items");
for (
  const { name, input, more = {} } of [
    { name: "another beginning", input: [user("ONE"), answer, user("two")] },
    { name: "another answer", input: [...before, messageOf("9 items"), user("two")] },
    { name: "the answer left out", input: [...before, user("two"), user("three")] },
    { name: "nothing new", input: [...before, answer] },
    { name: "less than before", input: before },
    { name: "another model", input: [...before, answer, user("two")], more: { model: "n" } },
  ]
) {
  Deno.test(`UpstreamSockets: with ${name}, the whole input is sent, on the same connection`, async () => {
    await using upstream = startSocketUpstream();
    using alice = caller(upstream);
    await alice.turn(before);
    await alice.turn(input, { more });
    assertEquals(upstream.frames[1].input, input as JsonObject[]);
    assertEquals(upstream.frames[1].previous_response_id, undefined);
    assertEquals([upstream.handshakes.length, upstream.posts.length], [1, 0]);
  });
}

Deno.test("UpstreamSockets: an upstream that forgot the answer gets the whole input at once", async () => {
  const refusal = {
    type: "error",
    status: 400,
    error: { type: "invalid_request_error", code: "previous_response_not_found", message: "no" },
  };
  await using upstream = startSocketUpstream({
    onFrame: (received) =>
      received.frame.previous_response_id === undefined
        ? answerTurn(received)
        : received.send(refusal),
  });
  using alice = caller(upstream);
  await alice.turn(before);
  const input = [...before, answer, user("two")];
  assertEquals(await alice.turn(input), sse(eventsOf("resp_3", "3 items")));
  assertEquals(upstream.frames.map(({ previous_response_id: id }) => id), [
    undefined,
    "resp_1",
    undefined,
  ]);
  assertEquals(upstream.frames[2].input, input);
  assertEquals([upstream.handshakes.length, upstream.posts.length], [1, 0]);
});

for (const status of [401, 404, 426, 429, 503]) {
  Deno.test(`UpstreamSockets: a handshake refused with ${status} makes the call a POST, and is not repeated`, async () => {
    await using upstream = startSocketUpstream({ refuse: () => new Response("no", { status }) });
    using alice = caller(upstream);
    assertEquals(await alice.turn(before), posted);
    assertEquals(await alice.turn(before), posted);
    assertEquals(upstream.posts.map(({ input, stream }) => ({ input, stream })), [
      { input: before, stream: true },
      { input: before, stream: true },
    ]);
    assertEquals(upstream.handshakes.length, 1);
  });
}

for (
  const [name, onFrame, code, hasAnswer] of [
    ["closes before the answer", ({ socket }) => socket.close(1011), "upstream_unreachable", false],
    [
      "closes within the answer",
      ({ socket, send }) => {
        send(eventsOf("r", "x")[0]);
        socket.close(1001);
      },
      "upstream_truncated",
      true,
    ],
    ["sends no JSON", ({ socket }) => socket.send("hello"), "upstream_invalid_response", false],
    ["sends a list", ({ socket }) => socket.send("[1]"), "upstream_invalid_response", false],
    ["sends no type", ({ socket }) => socket.send("{}"), "upstream_invalid_response", false],
    [
      "sends bytes",
      ({ socket }) => socket.send(new Uint8Array(9)),
      "upstream_invalid_response",
      false,
    ],
    [
      "sends no JSON within the answer",
      ({ socket, send }) => {
        send(eventsOf("r", "x")[0]);
        socket.send("}");
      },
      "upstream_invalid_response",
      true,
    ],
    [
      "sends a frame of 17 MiB",
      ({ socket, send }) => {
        send(eventsOf("r", "x")[0]);
        socket.send(`{"type":"response.output_text.delta","delta":"${"x".repeat(17 << 20)}"}`);
      },
      "upstream_truncated",
      true,
    ],
    ["stays silent", () => {}, "upstream_timeout", false],
  ] as readonly [string, (received: ReceivedFrame) => void, string, boolean][]
) {
  Deno.test(`UpstreamSockets: an upstream that ${name} fails the call as a POST would`, async () => {
    await using upstream = startSocketUpstream({ onFrame });
    using alice = caller(upstream);
    if (hasAnswer) {
      const begun = await alice.ask(before);
      assertEquals(begun.status, 200);
      assertEquals(await failure(text(begun)), code);
    } else {
      assertEquals(await failure(alice.turn(before)), code);
      assertEquals(await alice.turn(before), posted); // the connection is in doubt
    }
    await upstream.closed;
    assertEquals(upstream.frames.length, 1);
  });
}

const refusals = [
  { status: 400, code: "invalid_prompt" },
  { status: 401, code: "invalid_api_key" },
  { status: 429, code: "rate_limit_exceeded", headers: { "Retry-After": "7", "bad name": "x" } },
  { status: 500, code: "server_error" },
  { status: 503, code: "server_is_overloaded" },
];
for (const { status, code, headers } of refusals) {
  Deno.test(`UpstreamSockets: an error frame of ${status} is the answer with that status`, async () => {
    const error = { type: "t", code, message: "m", ...(headers && { headers }) };
    let turns = 0;
    await using upstream = startSocketUpstream({
      onFrame: (received) =>
        ++turns === 2 ? received.send({ type: "error", status, error }) : answerTurn(received),
    });
    using alice = caller(upstream);
    await alice.turn(before);
    const refused = await alice.ask([...before, answer, user("two")]);
    assertEquals(refused.status, status);
    assertEquals(refused.headers.get("retry-after"), headers?.["Retry-After"] ?? null);
    assertEquals(JSON.parse(await text(refused)), { error });
    await alice.turn([...before, answer, user("three")]);
    assertEquals(upstream.frames[2].previous_response_id, undefined); // the upstream forgot it
    assertEquals(upstream.handshakes.length, status === 401 ? 2 : 1);
  });
}

Deno.test("UpstreamSockets: an error without a status, and a failure, are events of the answer", async () => {
  const events: JsonObject[] = [
    { type: "error", code: "server_error", message: "m", param: null },
    {
      type: "response.failed",
      response: { id: "r", status: "failed", error: { code: "c", message: "m" } },
    },
    { type: "response.incomplete", response: { id: "r", status: "incomplete" } },
  ];
  await using upstream = startSocketUpstream({
    onFrame: ({ send }) => send(events[upstream.frames.length - 1]),
  });
  using alice = caller(upstream);
  for (const event of events) assertEquals(await alice.turn(before), sse([event]));
  assertEquals(upstream.handshakes.length, 2); // an error leaves the connection in doubt
});

Deno.test("UpstreamSockets: an answer that is not complete is not continued", async () => {
  const [created, , , done] = eventsOf("resp_1", "1 items");
  const ended = { type: "response.incomplete", response: { id: "resp_1", status: "incomplete" } };
  await using upstream = startSocketUpstream({
    onFrame: ({ send }) => [created, done, ended].forEach(send),
  });
  using alice = caller(upstream);
  await alice.turn(before);
  await alice.turn([...before, answer, user("two")]);
  assertEquals(upstream.frames[1].previous_response_id, undefined);
  assertEquals(upstream.handshakes.length, 1);
});

Deno.test("UpstreamSockets: an upstream that ends old connections gets a POST", async () => {
  const error = {
    type: "invalid_request_error",
    code: "websocket_connection_limit_reached",
    message: "m",
  };
  await using upstream = startSocketUpstream({
    onFrame: ({ send }) => send({ type: "error", status: 400, error }),
  });
  using alice = caller(upstream);
  assertEquals(await alice.turn(before), posted);
  assertEquals([upstream.frames.length, upstream.posts.length], [1, 1]);
});

Deno.test("UpstreamSockets: a connection is replaced before it is an hour old", async () => {
  let nowMs = 0;
  await using upstream = startSocketUpstream();
  using alice = caller(upstream, new UpstreamSockets(() => nowMs));
  await alice.turn(before);
  nowMs = 54 * 60_000;
  const second = [...before, answer, user("two")];
  await alice.turn(second);
  assertEquals(upstream.frames[1].previous_response_id, "resp_1");
  nowMs = 56 * 60_000;
  const third = [...second, answer, user("three")];
  await alice.turn(third);
  assertEquals(upstream.frames[2].input, third);
  assertEquals([upstream.handshakes.length, upstream.posts.length], [2, 0]);
});

Deno.test("UpstreamSockets: a connection that was closed between turns is replaced", async () => {
  await using upstream = startSocketUpstream({
    onFrame: (received) => {
      answerTurn(received);
      if (received.connection === 0) received.socket.close(1001);
    },
  });
  using alice = caller(upstream);
  await alice.turn(before);
  await upstream.closed;
  const second = [...before, answer, user("two")];
  await alice.turn(second);
  assertEquals(upstream.frames[1].input, second);
  assertEquals([upstream.handshakes.length, upstream.posts.length], [2, 0]);
});

Deno.test("UpstreamSockets: frames between turns do no harm, but events of a response end the connection", async () => {
  const between: JsonObject[] = [{ type: "codex.rate_limits" }, {
    type: "response.created",
    response: { id: "foreign" },
  }];
  await using upstream = startSocketUpstream({
    onFrame: (received) => {
      answerTurn(received);
      const [extra] = between.splice(0, 1);
      if (extra) received.send(extra);
    },
  });
  using alice = caller(upstream);
  for (let turn = 0; turn < 3; turn++) {
    assertEquals(await alice.turn(before), sse(eventsOf("resp_1", "1 items")));
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  assertEquals(upstream.handshakes.length, 2);
});

Deno.test("UpstreamSockets: a caller that leaves closes the connection", async () => {
  await using upstream = startSocketUpstream({
    onFrame: ({ send }) => send(eventsOf("r", "x")[0]),
  });
  using alice = caller(upstream);
  const leaving = new AbortController();
  const begun = await alice.ask(before, { signal: leaving.signal });
  await begun.read();
  leaving.abort();
  assertEquals(await failure(text(begun)), "client_closed");
  assertEquals(await upstream.closed, 0);
});

Deno.test("UpstreamSockets: an answer that is given up closes the connection", async () => {
  await using upstream = startSocketUpstream({
    onFrame: ({ send }) => send(eventsOf("r", "x")[0]),
  });
  using alice = caller(upstream);
  const begun = await alice.ask(before);
  await begun.read();
  begun.cancel(new GatewayError("internal_error", "x"));
  assertEquals(await upstream.closed, 0);
  await (await alice.ask(before)).read(); // over another one
  assertEquals([upstream.handshakes.length, upstream.posts.length], [2, 0]);
});

Deno.test("UpstreamSockets: an answer that is complete keeps the connection, however it is released", async () => {
  await using upstream = startSocketUpstream();
  using alice = caller(upstream);
  const begun = await alice.ask(before);
  let all = "";
  while (!all.includes("response.completed")) all += new TextDecoder().decode(await begun.read());
  begun.release();
  const leaving = new AbortController();
  const read = await alice.ask(before, { signal: leaving.signal });
  await text(read);
  leaving.abort();
  read.cancel(new GatewayError("internal_error", "x"));
  await alice.turn(before);
  assertEquals([upstream.handshakes.length, upstream.frames.length], [1, 3]);
});

Deno.test("UpstreamSockets: a turn beside another one is POSTed", async () => {
  await using upstream = startSocketUpstream({
    onFrame: ({ send }) => send(eventsOf("r", "x")[0]),
  });
  using alice = caller(upstream);
  const begun = await alice.ask(before);
  assertEquals(await alice.turn(before), posted);
  begun.cancel(new GatewayError("internal_error", "x"));
});

Deno.test("UpstreamSockets: a caller that leaves before the connection is open frees it for one other turn", async () => {
  await using upstream = startSocketUpstream({
    onFrame: ({ send }) => send(eventsOf("r", "x")[0]),
  });
  using alice = caller(upstream);
  const leaving = new AbortController();
  const left = failure(alice.ask(before, { signal: leaving.signal }));
  leaving.abort();
  const others = Array.from({ length: 3 }, () => alice.ask([user("two")]));
  assertEquals(await left, "client_closed");
  const late = alice.ask([user("three")]);
  const answers = await Promise.all([...others, late]);
  await Promise.all(answers.map((one) => one.read()));
  assert(upstream.frames.length <= 1, `${upstream.frames.length} turns on one connection`);
  assertEquals(upstream.frames.length + upstream.posts.length, 4);
  assert(upstream.frames.every(({ input }) => JSON.stringify(input) !== JSON.stringify(before)));
  for (const one of answers) one.cancel(new GatewayError("internal_error", "x"));
});

Deno.test("UpstreamSockets: an upstream is not read while the caller does not read", async () => {
  let sent = 0;
  const frame = JSON.stringify({ type: "response.output_text.delta", delta: "x".repeat(100_000) });
  await using upstream = startSocketUpstream({
    onFrame: async ({ socket }) => {
      while (sent < 1_000 && socket.readyState === WebSocket.OPEN) {
        if (socket.bufferedAmount < 1_000_000) {
          socket.send(frame);
          sent++;
        } else await new Promise((resolve) => setTimeout(resolve, 5));
      }
    },
  });
  using alice = caller(upstream);
  const begun = await alice.ask(before);
  await begun.read();
  await new Promise((resolve) => setTimeout(resolve, 500));
  assert(sent < 300, `${sent} frames of 100 KB were sent`);
  const before500 = sent;
  for (let chunks = 0; chunks < 2_000; chunks++) await begun.read();
  assert(sent > before500);
  begun.cancel(new GatewayError("internal_error", "x"));
});

Deno.test("UpstreamSockets: closing them ends what is open, and further calls are POSTed", async () => {
  const sockets = new UpstreamSockets();
  await using upstream = startSocketUpstream({
    onFrame: ({ send }) => send(eventsOf("r", "x")[0]),
  });
  using alice = caller(upstream, sockets);
  const begun = await alice.ask(before);
  sockets.close();
  assertEquals(await upstream.closed, 0);
  assertEquals(await failure(text(begun)), "upstream_truncated");
  assertEquals(await alice.turn(before), posted);
});

Deno.test("UpstreamSockets: another credential has a connection and a memory of its own", async () => {
  await using upstream = startSocketUpstream();
  const sockets = new UpstreamSockets();
  const send = createSend({ dialFirst: true });
  const call = async (authorization: string, input: unknown) => {
    const outbound = { ...outboundTo(upstream, input), headers: { authorization } };
    return await text(await send(outbound, timeouts, nobody, sockets));
  };
  await call("Bearer a", before);
  await call("Bearer b", [...before, answer, user("two")]);
  assertEquals(upstream.frames[1].previous_response_id, undefined);
  assertEquals(upstream.handshakes.map((one) => one.get("authorization")), [
    "Bearer a",
    "Bearer b",
  ]);
  sockets.close();
  send.endAll();
});

Deno.test("UpstreamSockets: nine credentials share eight places, and an unused one leaves its own", async () => {
  let nowMs = 0;
  await using upstream = startSocketUpstream();
  const sockets = new UpstreamSockets(() => nowMs);
  const send = createSend({ dialFirst: true });
  const ask = async (name: number) => {
    const outbound = {
      ...outboundTo(upstream, "hi"),
      headers: { authorization: `Bearer ${name}` },
    };
    await text(await send(outbound, timeouts, nobody, sockets));
  };
  for (let name = 0; name < 9; name++) await ask(name);
  assertEquals([upstream.handshakes.length, upstream.posts.length, sockets.size], [8, 1, 8]);
  nowMs = 200_000;
  for (let name = 1; name < 8; name++) await ask(name);
  await ask(9);
  assertEquals([upstream.posts.length, sockets.size], [2, 8]);
  nowMs = 310_000;
  await ask(9);
  assertEquals([upstream.handshakes.length, upstream.posts.length, sockets.size], [9, 2, 8]);
  assertEquals(await upstream.closed, 0);
  sockets.close();
  send.endAll();
});

Deno.test("UpstreamSockets: the console's upstream at a private address is called neither way", async () => {
  await using upstream = startSocketUpstream();
  const send = createSend({ dialFirst: true });
  const outbound = { ...outboundTo(upstream, before), origin: "console" } as const;
  const sockets = new UpstreamSockets();
  const error = await assertRejects(() => send(outbound, timeouts, nobody, sockets), GatewayError);
  assertEquals(error.message, "Cannot reach the upstream: its address is not allowed");
  assertEquals([upstream.handshakes.length, upstream.posts.length], [0, 0]);
});

Deno.test("UpstreamSockets: a checked address is called as it was checked, with the name as host", async () => {
  await using upstream = startSocketUpstream();
  const { port } = new URL(upstream.base);
  const send = createSend({
    dialFirst: true,
    addresses: { allowsPrivate: false, allowsLoopback: true },
    lookup: () => Promise.resolve(["127.0.0.1"]),
  });
  const sockets = new UpstreamSockets();
  const outbound = {
    ...outboundTo({ base: `http://ollama.internal:${port}` }, before),
    origin: "console",
  } as const;
  await text(await send(outbound, timeouts, nobody, sockets));
  assertEquals(upstream.handshakes[0].get("host"), `ollama.internal:${port}`);
  sockets.close();
  send.endAll();
});

const accepted = (key: string) =>
  "HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: Upgrade\r\n" +
  `sec-websocket-accept: ${acceptOf(key)}\r\n\r\n`;

function acceptOf(key: string): string {
  return hash("sha1", `${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`, "base64");
}

/** Accepts the handshake. */
async function shakeHands(peer: Peer): Promise<void> {
  const head = await peer.readHead() ?? "";
  await peer.write(accepted(/sec-websocket-key: (\S+)/i.exec(head)?.[1] ?? ""));
}

/** The bytes of a text frame from a server. */
function textFrame(text: string): Uint8Array {
  const payload = new TextEncoder().encode(text);
  const { length } = payload;
  return new Uint8Array([0x81, 126, length >> 8, length & 255, ...payload]);
}

Deno.test("UpstreamSockets: an upstream that reads nothing times out, and holds up nobody", async () => {
  const { promise: judged, resolve } = Promise.withResolvers<void>();
  await using peer = startRawPeer(async (peer) => {
    await shakeHands(peer);
    await judged;
  });
  using alice = caller({ base: peer.url.replace("/v1", "") });
  const ms = { ...timeouts, firstByteMs: 700 };
  const long = [user("x".repeat(8 << 20))];
  assertEquals(await failure(alice.turn(long, { ms })), "upstream_timeout");
  resolve();
});

Deno.test("UpstreamSockets: a connection that died silently between turns is replaced before anything is sent", async () => {
  let nowMs = 0;
  const received: number[] = [];
  await using peer = startRawPeer(async (peer, number) => {
    await shakeHands(peer);
    const bytes = new Uint8Array(65_536);
    if (await peer.connection.read(bytes) === null) return; // only a check of the address
    received.push(number);
    for (const event of eventsOf("resp_1", "1 items")) {
      await peer.write(textFrame(JSON.stringify(event)));
    }
    await new Promise((resolve) => setTimeout(resolve, 4_000)); // reads no ping
  });
  using alice = caller({ base: peer.url.replace("/v1", "") }, new UpstreamSockets(() => nowMs));
  const first = await alice.turn(before);
  nowMs += 6_000;
  assertEquals(await alice.turn(before), first);
  assertEquals(received, [1, 2]);
});

for (
  const [name, handshake] of [
    ["speaks no HTTP", "hello\r\n\r\n"],
    ["accepts another key", accepted("other")],
    ["closes at once", ""],
  ]
) {
  Deno.test(`UpstreamSockets: an upstream that ${name} in the handshake gets a POST`, async () => {
    const posts: string[] = [];
    await using peer = startRawPeer(async (peer) => {
      const request = await peer.readRequest();
      if (!request || /^GET /.test(request.head)) return await peer.write(handshake);
      posts.push(new TextDecoder().decode(request.body));
      await peer.write("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nhi");
    });
    using alice = caller({ base: peer.url.replace("/v1", "") });
    assertEquals(await alice.turn(before), "hi");
    assertEquals(posts.length, 1);
  });
}

Deno.test("UpstreamSockets: an upstream that answers no handshake gets a POST after the connect timeout", async () => {
  await using peer = startRawPeer(async (peer) => {
    const request = await peer.readRequest();
    if (!request || /^GET /.test(request.head)) return await peer.left();
    await peer.write("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nhi");
  });
  using alice = caller({ base: peer.url.replace("/v1", "") });
  const startedAt = performance.now();
  assertEquals(await alice.turn(before, { ms: { ...timeouts, connectMs: 300 } }), "hi");
  assert(performance.now() - startedAt < 5_000);
});
