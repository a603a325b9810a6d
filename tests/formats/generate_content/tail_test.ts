import { assertEquals } from "@std/assert";
import type { JsonObject } from "../../../lib/canonical/mod.ts";
import { generateContent } from "../../../lib/formats/generate_content/mod.ts";
import { PassThrough } from "../../../lib/http/stream/pass_through.ts";
import { ownStreamLimits, SseReader } from "../../../lib/http/stream/sse.ts";

/** Events after the finish reason of a generate-content stream, and the part of them that a caller gets. */

const usage = { promptTokenCount: 5, candidatesTokenCount: 2, totalTokenCount: 7 };
const more = { promptTokenCount: 5, candidatesTokenCount: 9, totalTokenCount: 14 };
const said = (parts: JsonObject[], members: JsonObject = {}): JsonObject => ({
  candidates: [{ content: { parts, role: "model" }, index: 0, ...members }],
  responseId: "r",
});
const hello = said([{ text: "Hello" }]);
const stop = said([{ text: "." }], { finishReason: "STOP" });
const grounding = { webSearchQueries: ["foxes"] };

/** `kept`: the events that the caller gets after the previous ones; default: the same events. */
const cases: readonly {
  readonly name: string;
  readonly end?: JsonObject;
  readonly after: readonly JsonObject[];
  readonly kept?: readonly JsonObject[];
  readonly text?: string;
  readonly outputTokens: number;
}[] = [
  {
    name: "usage beside the finish reason",
    end: { ...stop, usageMetadata: usage },
    after: [],
    outputTokens: 2,
  },
  {
    name: "usage in a chunk of its own",
    after: [{ usageMetadata: usage, responseId: "r" }],
    outputTokens: 2,
  },
  {
    name: "usage beside an empty text",
    after: [{ ...said([{ text: "" }]), usageMetadata: usage }],
    outputTokens: 2,
  },
  {
    name: "sources without content",
    after: [{ candidates: [{ index: 0, groundingMetadata: grounding }], usageMetadata: usage }],
    outputTokens: 2,
  },
  {
    name: "a proof on an empty text",
    after: [{ ...said([{ text: "", thoughtSignature: "c2ln" }]), usageMetadata: usage }],
    outputTokens: 2,
  },
  {
    name: "more words, which stay here",
    end: { ...stop, usageMetadata: usage },
    after: [said([{ text: " More" }])],
    kept: [],
    outputTokens: 2,
  },
  {
    name: "more words beside the usage, which is read and passed on alone",
    after: [{ ...said([{ text: " More" }]), usageMetadata: more }],
    kept: [{ responseId: "r", usageMetadata: more }],
    outputTokens: 9,
  },
  {
    name: "a call, which stays here",
    end: { ...stop, usageMetadata: usage },
    after: [said([{ functionCall: { name: "f", args: {} } }])],
    kept: [],
    outputTokens: 2,
  },
  {
    name: "a second end, whose usage is only read",
    end: { ...stop, usageMetadata: usage },
    after: [{ ...said([{ text: "" }], { finishReason: "MAX_TOKENS" }), usageMetadata: more }],
    kept: [],
    outputTokens: 9,
  },
  {
    name: "a second end with sources, which alone are passed on",
    end: { ...stop, usageMetadata: usage },
    after: [said([{ text: "!" }], { finishReason: "STOP", groundingMetadata: grounding })],
    kept: [{ responseId: "r", candidates: [{ index: 0, groundingMetadata: grounding }] }],
    outputTokens: 2,
  },
];

for (const { name, end = stop, after, kept = after, outputTokens } of cases) {
  const chunks = [hello, end, ...after];

  Deno.test(`generate-content, behind the finish reason: ${name}; passed through`, () => {
    for (const framing of ["sse", "json-array"] as const) {
      const through = new PassThrough(generateContent, {
        requestId: "req_1",
        framing,
        limits: ownStreamLimits,
      });
      const out = [through.push(bytesOf(chunks)), through.end()]
        .map(({ bytes, terminal }) => textOf(bytes) + textOf(terminal)).join("");
      assertEquals(framing === "sse" ? eventsIn(out) : JSON.parse(out), [hello, end, ...kept]);
      const { outcome, usage: counted } = through.result();
      assertEquals([outcome, counted?.outputTokens], ["completed", outputTokens]);
    }
  });

  Deno.test(`generate-content, behind the finish reason: ${name}; decoded`, () => {
    const decoder = generateContent.eventDecoder();
    const events = [
      ...chunks.flatMap((chunk) => decoder.push({ data: JSON.stringify(chunk) })),
      ...decoder.end(),
    ];
    const text = events.map((event) => event.type === "part-delta" ? event.text : "").join("");
    const counted = events.flatMap((event) =>
      event.type === "usage" ? event.usage.outputTokens : []
    );
    const last = events.at(-1);
    assertEquals([text, counted.at(-1)], ["Hello.", outputTokens]);
    assertEquals(last?.type === "end" && last.endings.map(({ finishReason }) => finishReason), [
      "stop",
    ]);
  });
}

Deno.test("generate-content: a candidate's end says nothing of another one's", () => {
  const other = (text: string, members: JsonObject = {}) => ({
    candidates: [{ content: { parts: [{ text }], role: "model" }, index: 1, ...members }],
  });
  const chunks = [hello, stop, other("Other"), other(" words", { finishReason: "STOP" })];
  const through = new PassThrough(generateContent, {
    requestId: "req_1",
    framing: "sse",
    limits: ownStreamLimits,
    alternatives: 2,
  });
  const first = through.push(bytesOf(chunks.slice(0, 2)));
  assertEquals(through.isFinished, false);
  const rest = [through.push(bytesOf(chunks.slice(2))), through.end()];
  const out = [first, ...rest].map(({ bytes, terminal }) => textOf(bytes) + textOf(terminal)).join(
    "",
  );
  assertEquals([eventsIn(out), through.isFinished], [chunks, true]);
});

function bytesOf(chunks: readonly JsonObject[]): Uint8Array {
  const lines = chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`);
  return new TextEncoder().encode(lines.join(""));
}

function textOf(bytes: Uint8Array | undefined): string {
  return new TextDecoder().decode(bytes);
}

function eventsIn(text: string): unknown[] {
  return new SseReader().push(new TextEncoder().encode(text))
    .flatMap(({ event }) => event ? [JSON.parse(event.data)] : []);
}
