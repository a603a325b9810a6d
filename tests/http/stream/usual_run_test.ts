import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { concatenated } from "../../../lib/bytes.ts";
import { codecs } from "../../../lib/formats/mod.ts";
import { PassThrough } from "../../../lib/http/stream/pass_through.ts";
import { ownStreamLimits } from "../../../lib/http/stream/sse.ts";
import { chatChunk } from "../../formats/chat_chunk.ts";

/**
 * Runs of events that differ only in their text take a shorter way. A stream in chunks of one byte
 * never has a run, so it is the judge of every other cutting.
 */

const encoder = new TextEncoder();
const namedEvent = (type: string, members: object) =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...members })}\n\n`;
const usual = (content: string) => chatChunk({ index: 0, delta: { content } });

const delta = (text: string, type = "text_delta") =>
  namedEvent("content_block_delta", { index: 0, delta: { type, text } });

interface Streams {
  readonly usual: (text: string) => string;
  readonly others: readonly string[];
}

const streams: Readonly<Record<"chat-completions" | "messages", Streams>> = {
  "chat-completions": {
    usual,
    others: [
      usual("other").replace('"model":"m"', '"model":"n"'),
      chatChunk({ index: 0, delta: { reasoning_content: "thought" } }),
      chatChunk({ index: 0, delta: { role: "assistant", content: "" } }),
      chatChunk({ index: 0, finish: "stop" }),
      "data: [DONE]\n\n",
    ],
  },
  messages: {
    usual: delta,
    others: [
      delta("x").replace("event: content_block_delta\n", ""),
      delta("x").replace("event: content_block_delta", "event: ping"),
      namedEvent("message_start", { message: { id: "m", usage: { input_tokens: 3 } } }),
      namedEvent("message_start", { message: { id: "m", content: [{ type: "text", text: "x" }] } }),
      namedEvent("content_block_start", { index: 0, content_block: { type: "text", text: "" } }),
      namedEvent("content_block_stop", { index: 0 }),
      namedEvent("message_delta", { delta: { stop_reason: "end_turn" } }),
      namedEvent("message_stop", {}),
      namedEvent("ping", {}),
    ],
  },
};

/** Any stream of a format: mostly usual events, some that are almost so, and some others. */
function bytesOf({ usual, others }: Streams): fc.Arbitrary<Uint8Array<ArrayBuffer>> {
  const pieces = fc.oneof(
    { weight: 8, arbitrary: fc.string({ unit: "grapheme", maxLength: 12 }).map(usual) },
    {
      weight: 1,
      arbitrary: fc.string({ maxLength: 8 }).map((raw) => usual("@").replace("@", raw)),
    },
    {
      weight: 3,
      arbitrary: fc.constantFrom(
        usual("a").replaceAll("\n", "\r\n"),
        usual("a").replaceAll("\n", "\r"),
        usual("a").slice(0, -1),
        usual("a").replace("data: ", "data:"),
        usual("a").replace("data", "event: x\ndata"),
        usual('quo"ted').replace('\\"', '"'),
        usual("two\nlines").replace("\\n", "\n"),
        usual("carriage\rreturn").replace("\\r", "\r"),
        usual("ends in \\"),
        ": keep-alive\n\n",
        "\n",
        "\ufeff",
        ...others,
      ),
    },
  );
  const whole = fc.array(pieces, { maxLength: 14 }).map((all) => encoder.encode(all.join("")));
  const damaged = fc.tuple(whole, fc.nat(), fc.integer({ min: 0x80, max: 0xff })).map(
    ([bytes, at, byte]) => bytes.length === 0 ? bytes : bytes.with(at % bytes.length, byte),
  );
  return fc.oneof(whole, damaged);
}

const cuts = fc.array(fc.nat(), { maxLength: 4 });

for (const [format, events] of Object.entries(streams)) {
  Deno.test(`PassThrough: any cutting of any ${format} stream gives the same answer`, () => {
    fc.assert(
      fc.property(bytesOf(events), cuts, (bytes, at) => {
        const byByte = Array.from(bytes, (_, from) => bytes.slice(from, from + 1));
        assertEquals(passed(format, cutAt(bytes, at)), passed(format, byByte));
      }),
      { numRuns: 500 },
    );
  });
}

Deno.test("PassThrough: an event of a long run costs less than half of another", () => {
  const count = 20_000;
  const run = encoder.encode(
    Array.from({ length: count }, (_, at) => usual(`text ${at}`)).join(""),
  );
  const mixed = encoder.encode(
    Array.from({ length: count }, (_, at) => usual(`text ${at}`).replace("1", `${at % 10}`)).join(
      "",
    ),
  );
  const [runMs, mixedMs] = [run, mixed].map((bytes) =>
    Math.min(...Array.from({ length: 8 }, () => msOf(bytes)))
  );
  assert(runMs < mixedMs / 2, `${runMs} ms for a run, ${mixedMs} ms for single events`);
});

function msOf(bytes: Uint8Array): number {
  const stream = streamOf("chat-completions");
  const startedAt = performance.now();
  for (let at = 0; at < bytes.length; at += 65_536) stream.push(bytes.subarray(at, at + 65_536));
  return performance.now() - startedAt;
}

function cutAt(bytes: Uint8Array, positions: readonly number[]): Uint8Array[] {
  const at = positions.map((position) => position % (bytes.length + 1)).sort((a, b) => a - b);
  return [0, ...at].map((from, index) => bytes.slice(from, at[index] ?? bytes.length));
}

/** The caller's bytes, and everything that is known of a stream at its end. */
function passed(format: string, chunks: readonly Uint8Array[]) {
  const stream = streamOf(format);
  const out: Uint8Array[] = [];
  const steps = [...chunks.map((chunk) => () => stream.push(chunk)), () => stream.end()];
  for (const step of steps) {
    const { bytes, terminal } = step();
    for (const piece of [bytes, terminal]) if (piece) out.push(piece);
    if (terminal) break;
  }
  const { delivered, error, finishReasons, ...rest } = stream.result();
  return {
    text: new TextDecoder("windows-1252").decode(concatenated(out)),
    sent: stream.sent(),
    delivered: [delivered?.answer.text(), delivered?.reasoning.text(), delivered?.chars],
    error: error?.message,
    reasons: finishReasons?.(),
    ...rest,
  };
}

function streamOf(format: string): PassThrough {
  const options = { requestId: "req_1", framing: "sse", limits: ownStreamLimits } as const;
  return new PassThrough(codecs[format as keyof typeof codecs], options);
}
