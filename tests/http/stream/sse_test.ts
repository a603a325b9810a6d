import { assert, assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import type { ServerSentEvent } from "../../../lib/formats/wire.ts";
import { SseReader, sseText } from "../../../lib/http/stream/sse.ts";
import { JsonTooComplex } from "../../../lib/json/scan.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

function read(chunks: readonly Uint8Array[]): { events: ServerSentEvent[]; raw: string } {
  const reader = new SseReader();
  const frames = [...chunks.flatMap((chunk) => reader.push(chunk)), ...reader.end()];
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  return {
    events: frames.map(({ event }) => event),
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
  {
    name: "skips comments",
    text: ": ping\n\n: glued\ndata: a\n\n",
    expected: [{ data: "a" }],
  },
  {
    name: "skips empty data",
    text: "data:\n\ndata: a\n\n",
    expected: [{ data: "a" }],
  },
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
  const reader = new SseReader({ eventBytesMax: 1000 });
  assertThrows(() => {
    for (let n = 0; n < 20; n++) reader.push(bytes("x".repeat(100)));
  }, RangeError);
});

/** Bytes that an upstream can send forever without an event. */
const silences = [
  { name: "comments", text: ":x\n\n" },
  { name: "comments without a blank line", text: ":x\n" },
  { name: "blank lines", text: "\n" },
  { name: "blank lines of CR", text: "\r" },
  { name: "empty data", text: "data:\n\n" },
  { name: "names without data", text: "event: a\n\n" },
  { name: "one endless line", text: "x" },
];

for (const { name, text } of silences) {
  Deno.test(`SseReader ends a stream of ${name} that goes on for more than silentBytesMax`, () => {
    const reader = new SseReader({ silentBytesMax: 100_000 });
    const chunk = bytes(text.repeat(1_000));
    let length = 0;
    assertThrows(
      () => {
        for (; length < 1_000_000; length += chunk.length) assertEquals(reader.push(chunk), []);
      },
      RangeError,
      "100000 bytes without an event",
    );
    assert(length > 80_000 && length <= 100_000, `${length}`);
  });
}

Deno.test("SseReader takes any number of comments between events", () => {
  const reader = new SseReader({ silentBytesMax: 1_000 });
  for (let n = 0; n < 100; n++) {
    const [frame] = reader.push(bytes(`${":x\n\n".repeat(200)}data: ${n}\n\n`));
    assertEquals(frame.event, { data: `${n}` });
  }
});

Deno.test("SseReader refuses an event whose JSON is too complex, and one of too many lines", () => {
  const reader = (answerContainersMax = 1_000) =>
    new SseReader({ nestingMax: 10, answerContainersMax });
  const numbers = bytes(`data: [${Array(50_000).fill("1").join()}]\n\n`);
  const [frame] = reader(20_000).push(numbers);
  assertThrows(() => reader().push(numbers), JsonTooComplex, "4000 values");
  assertEquals(frame.event.data.length, 100_001);
  const deep = `data: ${"[".repeat(20_000)}\n\n`;
  assertThrows(() => reader().push(bytes(deep)), JsonTooComplex, "nested");
  const wide = `data: [${Array(10_000).fill("{}").join()}]\n\n`;
  assertThrows(() => reader().push(bytes(wide)), JsonTooComplex, "1000 objects");
  assertThrows(() => reader().push(bytes("data: a\n".repeat(70_000))), RangeError, "lines");
});
