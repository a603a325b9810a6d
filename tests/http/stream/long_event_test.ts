import { assert, assertEquals, assertRejects } from "@std/assert";
import { parseAhead } from "../../../lib/http/stream/event_json.ts";
import { type SseFrame, SseReader } from "../../../lib/http/stream/sse.ts";
import { JsonTooComplex } from "../../../lib/json/scan.ts";

const limits = {
  eventBytesMax: 16 * 1024 * 1024,
  silentBytesMax: 1024 * 1024,
  nestingMax: 100,
  answerContainersMax: 100_000,
};
const encoder = new TextEncoder();
const long = JSON.stringify({ text: 'é😀\n"'.repeat(200_000), n: [1, 2] });

const streams = [
  { name: "an event with a name", text: `event: a\ndata: ${long}\n\ndata: 1\n\n` },
  {
    name: "CRLF, no space, a comment before it",
    text: `: hi\r\n\r\ndata:${long}\r\n\r\ndata: 2\r\n\r\n`,
  },
  { name: "two lines of data", text: `data: ${long.slice(0, -1)}\ndata: }\n\ndata: 3\n\n` },
  { name: "a field after the data", text: `data: ${long}\nid: 7\n\ndata: 4\n\n` },
  { name: "no JSON", text: `data: ${long.slice(1)}\n\ndata: 5\n\n` },
  { name: "two long events", text: `data: ${long}\n\ndata: ${long}\n\ndata: 6\n\n` },
];

for (const { name, text } of streams) {
  Deno.test(`a long event is read ahead as it is read at once: ${name}`, async () => {
    const bytes = encoder.encode(text);
    const expected = new SseReader(limits).push(bytes);
    for (const length of [65_536, 999_983]) {
      assertEquals(await framesOf(bytes, length), expected, `in pieces of ${length}`);
    }
  });
}

async function framesOf(bytes: Uint8Array, length: number): Promise<SseFrame[]> {
  const reader = new SseReader(limits);
  const frames: SseFrame[] = [];
  for (let at = 0; at < bytes.length; at += length) {
    const chunk = bytes.subarray(at, at + length);
    const parsed = await parseAhead(reader, chunk);
    const completed = reader.push(chunk);
    if (parsed) assert(completed.some(({ event }) => event.data === parsed.text));
    frames.push(...completed);
  }
  return frames;
}

Deno.test("a long event that is too complex is refused before it is parsed", async () => {
  const bytes = encoder.encode(`data: [${"1,".repeat(1_000_000)}1]\n\n`);
  await assertRejects(() => framesOf(bytes, 65_536), JsonTooComplex, "400000 values");
});
