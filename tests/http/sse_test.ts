import { assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import type { ServerSentEvent } from "../../lib/formats/codec.ts";
import { SseReader, sseText } from "../../lib/http/sse.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

function read(chunks: readonly Uint8Array[]): { events: ServerSentEvent[]; raw: string } {
  const reader = new SseReader();
  const frames = [...chunks.flatMap((chunk) => reader.push(chunk)), ...reader.end()];
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  return {
    events: frames.flatMap(({ event }) => event ? [event] : []),
    raw: frames.map((frame) => decoder.decode(frame.bytes, { stream: true })).join(""),
  };
}

const cases = [
  { name: "reads LF", text: "data: a\n\ndata: b\n\n", expected: [{ data: "a" }, { data: "b" }] },
  {
    name: "reads CRLF",
    text: "event: x\r\ndata: a\r\n\r\ndata: b\r\n\r\n",
    expected: [{ event: "x", data: "a" }, { data: "b" }],
  },
  { name: "reads CR", text: "data: a\r\rdata: b\r\r", expected: [{ data: "a" }, { data: "b" }] },
  { name: "joins data lines", text: "data: a\ndata: b\n\n", expected: [{ data: "a\nb" }] },
  { name: "skips comments", text: ": ping\n\n: glued\ndata: a\n\n", expected: [{ data: "a" }] },
  { name: "skips empty data", text: "data:\n\ndata: a\n\n", expected: [{ data: "a" }] },
  { name: "takes data without a space", text: "data:a\n\n", expected: [{ data: "a" }] },
  {
    name: "takes an event whose blank line never came",
    text: "data: a",
    expected: [{ data: "a" }],
  },
  { name: "skips a byte-order mark", text: "\ufeffdata: a\n\n", expected: [{ data: "a" }] },
  { name: "keeps characters whole", text: "data: grüße 🎈\n\n", expected: [{ data: "grüße 🎈" }] },
];

for (const { name, text, expected } of cases) {
  Deno.test(`SseReader ${name}, whole and byte by byte`, () => {
    const all = bytes(text);
    assertEquals(read([all]).events, expected);
    assertEquals(read([...all].map((byte) => Uint8Array.of(byte))).events, expected);
    assertEquals(read([all]).raw, text, "the frames' bytes are the stream's bytes");
  });
}

Deno.test("SseReader reads what sseText writes, cut anywhere", () => {
  const event = fc.record({
    event: fc.constantFrom("a", "b.c"),
    data: fc.string({ minLength: 1 }).filter((data) => !/[\r\n]/.test(data)),
  });
  fc.assert(fc.property(fc.array(event), fc.array(fc.nat(200)), (events, cuts) => {
    const all = bytes(events.map(sseText).join(""));
    const at = [...new Set([0, ...cuts.filter((cut) => cut < all.length), all.length])].sort((
      a,
      b,
    ) => a - b);
    const chunks = at.slice(1).map((end, index) => all.subarray(at[index], end));
    assertEquals(read(chunks).events, events);
  }));
});

Deno.test("SseReader refuses an event over its bound", () => {
  const reader = new SseReader(1000);
  assertThrows(() => {
    for (let n = 0; n < 20; n++) reader.push(bytes("x".repeat(100)));
  }, RangeError);
});
