import { assert, assertEquals } from "@std/assert";
import { GatewayError } from "../../../lib/canonical/mod.ts";
import { codecs } from "../../../lib/formats/mod.ts";
import { PassThrough, type PassThroughOptions } from "../../../lib/http/stream/pass_through.ts";
import { ownStreamLimits } from "../../../lib/http/stream/sse.ts";
import { chatChunk, chatUsageChunk } from "../../formats/chat_chunk.ts";

/** Streams with a finish reason but without the end marker, in native pass-through. */

const choice = (index: number, finish: string | null, content = "") =>
  chatChunk({ index, delta: { content }, finish });
const usageChunk = chatUsageChunk({ prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 });
const named = (type: string, members: object) =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...members })}\n\n`;
const begun = named("message_start", { message: { id: "m", usage: { input_tokens: 3 } } }) +
  named("content_block_start", { index: 0, content_block: { type: "text", text: "" } }) +
  named("content_block_delta", { index: 0, delta: { type: "text_delta", text: "Hi" } }) +
  named("content_block_stop", { index: 0 });
const stopped = named("message_delta", {
  delta: { stop_reason: "end_turn" },
  usage: { output_tokens: 2 },
});
const done = "data: [DONE]\n\n";
const stop = named("message_stop", {});

/** `out` is the caller's output; default: an error. */
const cases: readonly {
  readonly name: string;
  readonly format: "chat-completions" | "messages";
  readonly said: string;
  readonly out?: string;
  readonly alternatives?: number;
}[] = [
  {
    name: "a reason",
    format: "chat-completions",
    said: choice(0, null, "Hi") + choice(0, "stop"),
    out: choice(0, null, "Hi") + choice(0, "stop") + done,
  },
  {
    name: "a reason and usage",
    format: "chat-completions",
    said: choice(0, "length", "Hi") + usageChunk,
    out: choice(0, "length", "Hi") + usageChunk + done,
  },
  {
    name: "a reason whose last event lacks its blank line",
    format: "chat-completions",
    said: (choice(0, null, "Hi") + choice(0, "stop")).trimEnd(),
    out: choice(0, null, "Hi") + choice(0, "stop") + done,
  },
  {
    name: "the reason of each of two choices",
    format: "chat-completions",
    alternatives: 2,
    said: choice(0, "stop", "Hi") + choice(1, "stop", "Ho"),
    out: choice(0, "stop", "Hi") + choice(1, "stop", "Ho") + done,
  },
  {
    name: "the reason of one of two choices",
    format: "chat-completions",
    alternatives: 2,
    said: choice(0, "stop", "Hi") + choice(1, null, "Ho"),
  },
  {
    name: "a reason that is none",
    format: "chat-completions",
    said: choice(0, null, "Hi") + choice(0, "network_error"),
  },
  {
    name: "a reason in an event that was torn off",
    format: "chat-completions",
    said: choice(0, null, "Hi") + choice(0, "stop").slice(0, -8),
  },
  { name: "no reason", format: "chat-completions", said: choice(0, null, "Hi") + usageChunk },
  { name: "a stop reason", format: "messages", said: begun + stopped, out: begun + stopped + stop },
  {
    name: "a stop reason, and half of the mark",
    format: "messages",
    said: begun + stopped + "event: message_stop\n",
    out: begun + stopped + stop,
  },
  { name: "no stop reason", format: "messages", said: begun },
];

const endings: Readonly<Record<string, (through: PassThrough) => ReturnType<PassThrough["end"]>>> =
  {
    "that closes": (through) => through.end(),
    "that breaks": (through) => through.fail(new GatewayError("upstream_truncated", "It broke")),
  };

for (const { name, format, said, out, alternatives } of cases) {
  for (const [how, end] of Object.entries(endings)) {
    // the torn part is lost with the connection
    if (how === "that breaks" && !said.endsWith("\n\n")) continue;

    Deno.test(`PassThrough: ${format} ${how} behind ${name} ${out ? "is completed" : "is an error"}`, () => {
      const through = passThrough(format, { ...(alternatives && { alternatives }) });
      const steps = [through.push(new TextEncoder().encode(said)), end(through)];
      const text = steps.map(({ bytes, terminal }) => textOf(bytes) + textOf(terminal)).join("");
      const { outcome, error } = through.result();
      assertEquals(
        [outcome, error?.code],
        out ? ["completed", undefined] : [
          "truncated",
          "upstream_truncated",
        ],
      );
      if (out) assertEquals(text, out);
      else {assertEquals([text.includes("upstream_truncated"), text.includes("[DONE]")], [
          true,
          false,
        ]);}
    });
  }
}

Deno.test("PassThrough: an error that a chat upstream sends behind its reason stays an error", () => {
  const through = passThrough("chat-completions");
  const error = 'data: {"error":{"message":"It broke","type":"server_error"}}\n\n';
  const { terminal } = through.push(new TextEncoder().encode(choice(0, "stop", "Hi") + error));
  assertEquals([textOf(terminal), through.result().outcome], [error, "upstream_error"]);
});

Deno.test("PassThrough: an event that was torn off behind signs of life is an error", () => {
  const through = passThrough("generate-content");
  const torn = 'data:    {"candidates":[{"content":{"parts":[{"text":"Hi\n\n';
  const { bytes, terminal } = through.push(new TextEncoder().encode(torn));
  assertEquals([textOf(bytes), textOf(terminal).includes("an incomplete event")], ["", true]);
  assertEquals(through.result().error?.code, "upstream_invalid_response");
});

function passThrough(format: keyof typeof codecs, more: Partial<PassThroughOptions> = {}) {
  return new PassThrough(codecs[format], {
    requestId: "req_1",
    framing: "sse",
    limits: ownStreamLimits,
    ...more,
  });
}

function textOf(bytes: Uint8Array | undefined): string {
  return new TextDecoder().decode(bytes);
}

const alike: readonly { readonly name: string; readonly texts: readonly string[] }[] = [
  { name: "plain", texts: ["Hello", " world", "", "!"] },
  { name: "escaped", texts: ['say "error"', '"usage":{', '"finish_reason":"stop', "back\\", "\n"] },
  { name: "foreign", texts: ["héllo", "你好", "🙂", "ascii", "\ud83d"] },
];
for (const { name, texts } of alike) {
  for (const pieceBytes of [Infinity, 7]) {
    Deno.test(`chunks that differ only in their ${name} text pass and count, read by ${pieceBytes} bytes`, () => {
      const said = texts.map((text) => choice(0, null, text)).join("") + choice(0, "stop") +
        usageChunk + done;
      const stream = new PassThrough(codecs["chat-completions"], {
        requestId: "req_1",
        framing: "sse",
        limits: ownStreamLimits,
        hides: ({ data }) => data.includes('"total_tokens":5'),
      });
      const bytes = new TextEncoder().encode(said);
      const sent: Uint8Array[] = [];
      for (let at = 0; at < bytes.length; at += pieceBytes) {
        const { bytes: more, terminal } = stream.push(bytes.slice(at, at + pieceBytes));
        for (const piece of [more, terminal]) if (piece) sent.push(piece);
      }
      const out = sent.map((piece) => new TextDecoder().decode(piece)).join("");
      assertEquals(out, said.replace(usageChunk, ""));
      const { outcome, usage, delivered } = stream.result();
      assert(usage);
      assertEquals(outcome, "completed");
      assertEquals(delivered?.answer.text(), texts.join(""));
    });
  }
}
