import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { type Format, formats } from "../../../bench/formats.ts";
import { answersOf } from "../../../bench/processes/answers.ts";
import { type Peer, startRawPeer } from "../../upstreams/raw_peer.ts";
import { later, until } from "../../waiting.ts";
import { oneUpstream, startGateway, type TestGateway } from "../gateway.ts";

/**
 * The connection of a streamed answer carries the next call, although the caller has the answer's
 * last event before the upstream ends its body. Otherwise each stream would pay for a new handshake.
 */

const encoder = new TextEncoder();
const streamHead = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n" +
  "transfer-encoding: chunked\r\n\r\n";
const lastChunk = "0\r\n\r\n";
const chunked = (text: string) => `${encoder.encode(text).length.toString(16)}\r\n${text}\r\n`;

function answerIn(format: Format, closing = answersOf[format].stream.closing): string {
  const { opening, events } = answersOf[format].stream;
  const texts = [...opening, ...Array.from({ length: 100 }, () => events).flat(), ...closing];
  return streamHead + texts.map(chunked).join("");
}

const prompt = "Some words of a long prompt. ".repeat(1_000);
const chat = { model: "m", messages: [{ role: "user", content: prompt }] };
const requests: Readonly<Record<Format, { readonly path: string; readonly body: unknown }>> = {
  "chat-completions": { path: "/v1/chat/completions", body: chat },
  messages: { path: "/v1/messages", body: { ...chat, max_tokens: 100 } },
  responses: { path: "/v1/responses", body: { model: "m", input: prompt } },
  "generate-content": {
    path: "/v1beta/models/m:streamGenerateContent?alt=sse",
    body: { contents: [{ role: "user", parts: [{ text: prompt }] }] },
  },
};

interface Asked {
  readonly from: Format;
  readonly stream?: boolean;
  /** The caller disconnects once it has the last event. */
  readonly leaves?: boolean;
  readonly more?: Record<string, unknown>;
}

async function ask({ base, key }: TestGateway, { from, stream = true, leaves, more }: Asked) {
  const { path, body } = requests[from];
  const leaving = new AbortController();
  const answer = await fetch(base + path, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ ...body as object, ...(stream && { stream }), ...more }),
    signal: leaving.signal,
  });
  assertEquals(answer.status, 200);
  let text = "";
  for await (const piece of answer.body!.pipeThrough(new TextDecoderStream())) {
    text += piece;
    if (leaves && piece.includes("[DONE]")) break;
  }
  leaving.abort();
  return text;
}

/** Sends the last chunk after a pause, as upstreams behind a proxy do. */
function endingLate(answer: string, ended: { count: number }) {
  return async (peer: Peer) => {
    (peer.connection as Deno.TcpConn).setNoDelay(true); // else the last chunk waits for an acknowledgement
    while (await peer.readRequest()) {
      await peer.write(answer);
      await later(20);
      await peer.write(lastChunk);
      ended.count++;
    }
  };
}

interface Case extends Asked {
  readonly to: Format;
  /** The upstream's last events, where they are not the usual ones. */
  readonly closing?: { readonly what: string; readonly events: readonly string[] };
}

const terminalOnly = {
  chat: { what: "without a finish reason", events: ["data: [DONE]\n\n"] },
  messages: {
    what: "without a stop reason",
    events: ['event: message_stop\ndata: {"type":"message_stop"}\n\n'],
  },
};

const cases: readonly Case[] = [
  ...formats.map((format) => ({ from: format, to: format })),
  { from: "messages", to: "chat-completions" },
  { from: "chat-completions", to: "messages" },
  { from: "responses", to: "generate-content" },
  { from: "chat-completions", to: "chat-completions", stream: false },
  { from: "chat-completions", to: "chat-completions", leaves: true },
  {
    from: "chat-completions",
    to: "chat-completions",
    more: { n: 2 },
    closing: {
      what: "with one finish reason for two choices",
      events: answersOf["chat-completions"].stream.closing,
    },
  },
  { from: "chat-completions", to: "chat-completions", closing: terminalOnly.chat },
  { from: "messages", to: "chat-completions", closing: terminalOnly.chat },
  { from: "messages", to: "messages", closing: terminalOnly.messages },
  { from: "chat-completions", to: "messages", closing: terminalOnly.messages },
];

for (const { to, closing, ...asked } of cases) {
  const ends = closing ? ` ${closing.what}` : "";
  const how = asked.leaves ? " that leaves" : asked.stream === false ? ", collected into one" : "";
  Deno.test(`kept connection: streams from ${to}${ends} to ${asked.from}${how} share one`, async () => {
    const ended = { count: 0 };
    await using peer = startRawPeer(endingLate(answerIn(to, closing?.events), ended));
    await using gateway = await startGateway(oneUpstream({ [to]: peer.url }));
    await ask(gateway, asked);
    const connections = peer.count();
    for (let calls = 1; calls < 5; calls++) {
      await until(() => ended.count === calls);
      await later(20); // the gateway sees the end a moment later
      await ask(gateway, asked);
    }
    assertEquals(peer.count(), connections);
  });
}

/** Answers one call, then does what `behind` does, and notes when the gateway disconnects. */
function leftAfter(behind: (peer: Peer) => Promise<void>, left: { atMs?: number }) {
  return async (peer: Peer) => {
    if (!await peer.readRequest()) return; // only dialled
    await peer.write(answerIn("chat-completions"));
    void behind(peer).catch(() => {});
    await peer.left();
    left.atMs = performance.now();
  };
}

const keepAlives = chunked(": keep-alive\n\n".repeat(1_000));

for (
  const { name, behind, waitMs } of [
    { name: "stays open after the last event", behind: () => Promise.resolve(), waitMs: 3_000 },
    {
      name: "keeps sending after the last event",
      behind: async (peer: Peer) => {
        for (let count = 0; count < 1_000; count++) await peer.write(keepAlives);
      },
      waitMs: 500,
    },
  ]
) {
  Deno.test(`kept connection: an upstream that ${name} is left`, async () => {
    const left: { atMs?: number } = {};
    await using peer = startRawPeer(leftAfter(behind, left));
    await using gateway = await startGateway(oneUpstream({ "chat-completions": peer.url }));
    assertStringIncludes(await ask(gateway, { from: "chat-completions" }), "[DONE]");
    const since = performance.now();
    await until(() => left.atMs !== undefined, "the connection stays open", waitMs);
    assert((left.atMs ?? Infinity) - since < waitMs);
  });
}

for (const stream of [true, false]) {
  Deno.test(`kept connection: ${stream ? "a stream" : "a collected answer"} that the gateway ends at a stop sequence is cancelled at once`, async () => {
    const left: { atMs?: number } = {};
    const { opening, events } = answersOf.responses.stream;
    await using peer = startRawPeer(async (peer) => {
      if (!await peer.readRequest()) return;
      void peer.left().then(() => left.atMs = performance.now());
      await peer.write(streamHead + opening.map(chunked).join(""));
      for (let count = 0; count < 1_000 && !left.atMs; count++) {
        await peer.write(chunked(events[count % 2]));
        await later(10);
      }
    });
    await using gateway = await startGateway(oneUpstream({ responses: peer.url }));
    await ask(gateway, { from: "chat-completions", stream, more: { stop: ["more"] } });
    const since = performance.now();
    await until(() => left.atMs !== undefined);
    assert((left.atMs ?? Infinity) - since < 500, "the upstream goes on generating");
  });
}
