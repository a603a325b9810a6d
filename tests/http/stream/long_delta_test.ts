import { assert, assertEquals } from "@std/assert";
import { Buffer } from "node:buffer";
import { type FormatName, GatewayError } from "../../../lib/canonical/mod.ts";
import type { StatedCost } from "../../../lib/formats/codec.ts";
import { codecs } from "../../../lib/formats/mod.ts";
import type { Call } from "../../../lib/http/call.ts";
import { streamResponse } from "../../../lib/http/respond.ts";
import { Converting } from "../../../lib/http/stream/converting.ts";
import { Encoding } from "../../../lib/http/stream/encoding.ts";
import { sourceOf, TailedReading } from "../../../lib/http/stream/source.ts";
import { ownStreamLimits, SseReader } from "../../../lib/http/stream/sse.ts";
import { nextOutgoing } from "../../../lib/http/stream/stream_body.ts";
import type { Settled } from "../../../lib/http/stream/transcoder.ts";
import { speeches } from "../../e2e/interruptions/interrupted_wire.ts";
import { contextOf } from "../../formats/codec_suite.ts";

const pieceChars = 64 * 1024;
/** Every piece but the first starts within a pair, if the text is cut without care. */
const text = `a${"😀".repeat(450_000)}\n"${"lorem ".repeat(50_000)}`;

function* cut(): Generator<string> {
  for (let at = 0; at < text.length;) {
    const end = at + pieceChars < text.length && text.codePointAt(at + pieceChars - 1)! > 0xffff
      ? at + pieceChars - 1
      : at + pieceChars;
    yield text.slice(at, end);
    at = end;
  }
}

const ways = [
  ["chat-completions", "responses"],
  ["chat-completions", "messages"],
  ["chat-completions", "generate-content"],
  ["responses", "chat-completions"],
] as const satisfies readonly (readonly [FormatName, FormatName])[];

for (const [from, to] of ways) {
  Deno.test(`a long delta is written as shorter ones are, in small steps: ${from} to ${to}`, async () => {
    const long = await steps(from, to, [text]);
    const short = await steps(from, to, [...cut()]);
    assertEquals(bytesOf(long), bytesOf(short));
    for (const piece of long) assert(piece.length < 6 * pieceChars, `${piece.length} bytes`);
    const events = new SseReader().push(bytesOf(long));
    const datas = events.map(({ event }) => event.data);
    assert(datas.join("").split("lorem").length > 49_000);
    for (const data of datas) assert(data === "[DONE]" || JSON.parse(data));
  });
}

Deno.test("the last events of a long answer repeat all of it", async () => {
  const sent = new SseReader().push(bytesOf(await steps("chat-completions", "responses", [text])))
    .map(({ event }) => JSON.parse(event.data));
  const done = sent.find(({ type }) => type === "response.output_text.done");
  assert(done.text === text);
  const { response } = sent.at(-1);
  assertEquals(response.status, "completed");
  assert(response.output[0].content[0].text === text);
  assertEquals(sent.map(({ sequence_number }) => sequence_number), [...sent.keys()]);
});

/** The events that a caller of a long answer gets. */
async function answered(
  [from, to]: readonly [keyof typeof speeches, FormatName],
  settle: () => Promise<Settled>,
  statedCost?: StatedCost,
): Promise<string[]> {
  const codec = codecs[to];
  const request = new Request("http://gateway.test/v1/answers", { method: "POST" });
  const call: Call = {
    id: "req_1",
    request,
    url: new URL(request.url),
    codec,
    endpoint: codec.endpoints[0],
    wirePath: "/answers",
    startedAtMs: 0,
    startedAt: 0,
    ip: "",
    signal: request.signal,
  };
  const limits = {
    sseKeepAliveMs: 60_000,
    notesHeaderBytesMax: 1_024,
    answerTailMs: 1_000,
    readTimeoutMs: 60_000,
  };
  const response = streamResponse(
    call,
    {
      type: "stream",
      kind: "bytes",
      framing: "sse",
      first: [],
      source: sourceOf(wireOf(from, [text])),
      transcoder: convertingOf(from, to),
    },
    settle,
    { notes: [], limits, ...(statedCost && { statedCost }) },
  );
  return new SseReader().push(new Uint8Array(await response.arrayBuffer()))
    .map(({ event }) => event.data);
}

Deno.test("a withheld end of a long answer leaves whole events", async () => {
  const settle = () => Promise.reject(new GatewayError("store_unavailable", "The store is away"));
  const sent = await answered(["chat-completions", "responses"], settle);
  assertEquals(sent.slice(-3).map((data) => JSON.parse(data).type), [
    "response.content_part.done",
    "error",
    "response.failed",
  ]);
});

Deno.test("the usage of a long answer states its cost", async () => {
  const settle = () => Promise.resolve({ costNanoUsd: 1_500n });
  const { statedCost } = codecs["chat-completions"];
  const sent = await answered(["messages", "chat-completions"], settle, statedCost);
  assertEquals(JSON.parse(sent.at(-2) ?? "").usage.cost, 0.0000015);
});

function wireOf(from: keyof typeof speeches, texts: readonly string[]): Uint8Array[] {
  const { opening, delta, closing } = speeches[from];
  return [...opening, ...texts.map(delta), ...closing].map((event) =>
    new TextEncoder().encode(event)
  );
}

function convertingOf(from: FormatName, to: FormatName): Converting {
  const encoding = new Encoding(codecs[to], { context: contextOf({}), framing: "sse" });
  return new Converting(codecs[from].eventDecoder(), encoding, { limits: ownStreamLimits });
}

/** The pieces that the steps of a conversion send. */
async function steps(
  from: keyof typeof speeches,
  to: FormatName,
  texts: readonly string[],
): Promise<Uint8Array[]> {
  const source = sourceOf(wireOf(from, texts));
  const transcoder = convertingOf(from, to);
  const reading = new TailedReading(1_000);
  const sent: Uint8Array[] = [];
  for (;;) {
    const { bytes, terminal, rest = [] } = await nextOutgoing(source, transcoder, reading);
    for (const piece of [bytes, terminal, ...rest]) if (piece) sent.push(piece);
    if (terminal) return sent;
  }
}

function bytesOf(pieces: readonly Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(pieces));
}
