import { assert, assertEquals } from "@std/assert";
import { collect, type JsonObject } from "../../../lib/canonical/mod.ts";
import { codecs } from "../../../lib/formats/mod.ts";
import { PassThrough } from "../../../lib/http/stream/pass_through.ts";
import { ownStreamLimits, sseText } from "../../../lib/http/stream/sse.ts";
import { words } from "../../e2e/load/sized_body.ts";
import { decoded } from "../codec_suite.ts";
import { eventsOf } from "../messages/wire.ts";
import { brief, decodedInChunks } from "./converted_answer.ts";

/** Messages streams in which a message starts twice: some proxies retry and join streams. */

const big = words(50_000);
const start = (id: string, input_tokens = 12) => ({
  type: "message_start",
  message: {
    id,
    type: "message",
    role: "assistant",
    model: "claude",
    content: [],
    stop_reason: null,
    usage: { input_tokens, output_tokens: 1 },
  },
});
const begun = (index: number, content_block: JsonObject) => ({
  type: "content_block_start",
  index,
  content_block,
});
const delta = (index: number, delta: JsonObject) => ({ type: "content_block_delta", index, delta });
const stop = (index: number) => ({ type: "content_block_stop", index });
const said = (index: number, text: string) => [
  begun(index, { type: "text", text: "" }),
  ...text.match(/.{1,300}/gs)?.map((text) => delta(index, { type: "text_delta", text })) ?? [],
  stop(index),
];
const halfCall = [
  begun(1, { type: "tool_use", id: "a", name: "delete_files", input: {} }),
  delta(1, { type: "input_json_delta", partial_json: '{"path":"/tmp' }),
];
const reason = (stop_reason: string) => ({
  type: "message_delta",
  delta: { stop_reason, stop_sequence: null },
  usage: { output_tokens: 9 },
});
const over = { type: "message_stop" };

const broken: Readonly<Record<string, readonly JsonObject[]>> = {
  "in the middle of a call": [start("a"), ...said(0, big), ...halfCall],
  "in the middle of a text": [start("a"), ...said(0, big).slice(0, -1)],
  "between two blocks": [start("a"), ...said(0, big)],
};
const another = [start("b"), ...said(0, big), reason("end_turn"), over];

for (const [where, first] of Object.entries(broken)) {
  Deno.test(`another message_start ${where}: the answer is an invalid one, converted`, () => {
    const last = decodedInChunks("messages", eventsOf([...first, ...another])).at(-1);
    assert(last?.type === "error", `ends with ${last?.type}`);
    assertEquals(last.error.code, "upstream_invalid_response");
  });

  Deno.test(`another message_start ${where}: the answer is an invalid one, in pass-through`, () => {
    const { out, result } = passed([...first, ...another]);
    assertEquals([result.outcome, result.error?.code], [
      "upstream_error",
      "upstream_invalid_response",
    ]);
    assertEquals(out.split("event: message_start").length - 1, 1);
    assertEquals(out.split("event: error").length - 1, 1);
    assert(!out.includes("message_stop"));
    assertEquals(result.usage?.inputTokens, 12, "the other message's usage is not added");
    assertEquals(result.outputPending, true, "what went out is counted");
    assertEquals(result.delivered?.chars, decodedChars(first));
  });
}

Deno.test("another message_start behind a finished message is no part of it: the first is whole", () => {
  const first = [start("a"), ...said(0, big), reason("end_turn")];
  const answer = collect(decodedInChunks("messages", eventsOf([...first, ...another])));
  assertEquals(brief(answer), [`text: ${big}`]);
  const { out, result } = passed([...first, ...another]);
  assertEquals([result.outcome, result.usage?.outputTokens], ["completed", 9]);
  assertEquals(out, [...eventsOf(first), ...eventsOf([over])].map(sseText).join(""));
});

for (
  const [name, stream] of Object.entries({
    "with the same id": [
      start("a"),
      ...said(0, big),
      start("a"),
      ...said(1, "more"),
      reason("end_turn"),
    ],
    "before any content": [
      start("a", 0),
      start("b"),
      ...said(0, big),
      ...said(1, "more"),
      reason("end_turn"),
    ],
    "with the same id behind the end": [
      start("a"),
      ...said(0, big),
      ...said(1, "more"),
      reason("end_turn"),
      start("a"),
    ],
  })
) {
  Deno.test(`a second message_start ${name} is harmless`, () => {
    const events = eventsOf([...stream, over]);
    const answer = collect(decodedInChunks("messages", events));
    assertEquals(brief(answer), [`text: ${big}`, "text: more"]);
    assertEquals([answer.usage?.inputTokens, answer.usage?.outputTokens], [12, 9]);
    const { result } = passed([...stream, over]);
    assertEquals(result.outcome, "completed");
    assertEquals([result.usage?.inputTokens, result.usage?.outputTokens], [12, 9]);
  });
}

/** The part of a stream for a native caller, with its outcome and usage. */
function passed(stream: readonly JsonObject[]) {
  const through = new PassThrough(codecs.messages, {
    requestId: "req_1",
    framing: "sse",
    limits: ownStreamLimits,
  });
  const bytes = new TextEncoder().encode(eventsOf(stream).map(sseText).join(""));
  const text = new TextDecoder();
  let out = "";
  for (let at = 0; at < bytes.length; at += 777) {
    const { bytes: more, terminal } = through.push(bytes.subarray(at, at + 777));
    out += text.decode(more) + text.decode(terminal);
    if (terminal) break;
  }
  return { out, result: through.result() };
}

function decodedChars(stream: readonly JsonObject[]): number {
  const events = decoded(codecs.messages, eventsOf(stream));
  return events.reduce(
    (sum, event) =>
      sum +
      (event.type === "part-delta"
        ? event.text.length
        : event.type === "part-start" && event.part.type === "tool-call"
        ? event.part.name.length
        : 0),
    0,
  );
}
