import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { GatewayError } from "../../../lib/canonical/mod.ts";
import { sourceOf } from "../../../lib/http/stream/source.ts";
import { FrameReader } from "../../../lib/upstreams/surfaces/event_stream.ts";
import { asServerSentEvents } from "../../../lib/upstreams/surfaces/invoke_stream.ts";
import { answerEvents, chunkFrame, exceptionFrame, frame, joined, text } from "./frames.ts";

const eventBytesMax = 1024 * 1024;
const whole = joined(answerEvents.map(chunkFrame));
const expected = answerEvents.map(({ "amazon-bedrock-invocationMetrics": _, ...event }) =>
  `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`
).join("");

async function read(
  chunks: readonly Uint8Array[],
  bytesMax = eventBytesMax,
): Promise<string> {
  const source = asServerSentEvents(sourceOf(chunks), bytesMax);
  let said = "";
  for (let part = await source.read(); part; part = await source.read()) {
    said += new TextDecoder().decode(part);
  }
  return said;
}

Deno.test("a binary stream becomes the vendor's events, wherever it is cut", async () => {
  assertEquals(await read([whole]), expected);
  for (let at = 1; at < whole.length; at++) {
    assertEquals(await read([whole.subarray(0, at), whole.subarray(at)]), expected);
  }
  assertEquals(await read([...whole].map((byte) => Uint8Array.of(byte))), expected);
});

Deno.test("a stream is read although its source uses its buffer again", async () => {
  const buffer = new Uint8Array(7);
  const pieces = Array.from(
    { length: Math.ceil(whole.length / 7) },
    (_, at) => whole.subarray(at * 7, at * 7 + 7),
  );
  const source = asServerSentEvents({
    ...sourceOf([]),
    read: () => {
      const piece = pieces.shift();
      if (!piece) return Promise.resolve(undefined);
      buffer.set(piece);
      return Promise.resolve(buffer.subarray(0, piece.length));
    },
  }, eventBytesMax);
  let said = "";
  for (let part = await source.read(); part; part = await source.read()) {
    said += new TextDecoder().decode(part);
  }
  assertEquals(said, expected);
});

Deno.test("a stream that ends within a frame is interrupted, not over", async () => {
  const ends = answerEvents.map((_, at) =>
    joined(answerEvents.slice(0, at).map(chunkFrame)).length
  );
  for (let at = 1; at < whole.length; at++) {
    if (ends.includes(at)) continue;
    const error = await assertRejects(() => read([whole.subarray(0, at)]), GatewayError);
    assertEquals(error.code, "upstream_truncated");
  }
});

Deno.test("a frame with any flipped bit is refused: the two checksums see each", () => {
  const [event = {}] = answerEvents;
  const good = chunkFrame(event);
  for (let bit = 0; bit < good.length * 8; bit++) {
    const bad = good.slice();
    bad[bit >> 3] = (bad[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    const error = assertThrows(() => new FrameReader().push(bad), GatewayError);
    assertEquals(error.code, "upstream_invalid_response", `bit ${bit}`);
  }
});

for (const sent of [0, 1, 3]) {
  Deno.test(`an exception after ${sent} events becomes the vendor's error event`, async () => {
    const said = await read([
      joined([
        ...answerEvents.slice(0, sent).map(chunkFrame),
        exceptionFrame("throttlingException", "Too many requests for 123456789012"),
      ]),
    ]);
    const events = said.split("\n\n").filter((event) => event !== "");
    assertEquals(events.length, sent + 1);
    const [, data = ""] = events.at(-1)?.split("\ndata: ") ?? [];
    assertEquals(JSON.parse(data), {
      type: "error",
      error: { type: "rate_limit_error", message: "Too many requests for …" },
    });
  });
}

Deno.test("an error frame without a payload is an error too", async () => {
  const said = await read([
    frame({
      ":message-type": text("error"),
      ":error-code": text("internalFailure"),
      ":error-message": text("Broken"),
    }),
  ]);
  assert(said.startsWith('event: error\ndata: {"type":"error","error":{"type":"api_error"'), said);
});

Deno.test("headers of every type are skipped or read", () => {
  const [{ headers }] = new FrameReader().push(frame({
    yes: { type: "boolean", value: true },
    no: { type: "boolean", value: false },
    byte: { type: "byte", value: 1 },
    short: { type: "short", value: 2 },
    integer: { type: "integer", value: 3 },
    time: { type: "timestamp", value: new Date(0) },
    id: { type: "uuid", value: "0f0e0d0c-0b0a-0908-0706-050403020100" },
    bytes: { type: "binary", value: Uint8Array.of(1, 2) },
    said: text("text"),
  })) as [ReturnType<FrameReader["push"]>[number]]; // one frame was pushed
  assertEquals(headers, { said: "text" });
});

Deno.test("a frame beyond the bounds is refused before it is kept", async () => {
  const long = chunkFrame({ type: "x", text: "a".repeat(400_000) });
  const error = await assertRejects(() => read([long.subarray(0, 12)], 100_000), GatewayError);
  assertEquals(error.code, "upstream_invalid_response");
});

Deno.test("events of unknown types and without a type mean nothing", async () => {
  const frames = [
    frame({ ":message-type": text("event"), ":event-type": text("initial-response") }, {}),
    chunkFrame({ completion: "old" }),
    chunkFrame({ type: "ping" }),
  ];
  assertEquals(await read([joined(frames)]), 'event: ping\ndata: {"type":"ping"}\n\n');
});

Deno.test("members that Bedrock adds to an event are left out", async () => {
  const added = {
    "amazon-bedrock-guardrailAction": "INTERVENED",
    "amazon-bedrock-trace": { a: 1 },
  };
  const said = await read([chunkFrame({ type: "message_stop", ...added })]);
  assertEquals(said, 'event: message_stop\ndata: {"type":"message_stop"}\n\n');
});
