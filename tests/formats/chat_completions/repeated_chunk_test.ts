import { assertEquals } from "@std/assert";
import * as fc from "fast-check";
import { chatCompletions } from "../../../lib/formats/chat_completions/mod.ts";
import type { ServerSentEvent } from "../../../lib/formats/wire.ts";
import { decoded } from "../codec_suite.ts";

/** The inside of JSON strings, valid and invalid. */
const insides = fc.constantFrom("a", "more words", "", "\\n", '\\"', "\\u00e9", "é", "\t", "\\x");
const heads = fc.constantFrom("", '"role":"assistant",');
const members = fc.constantFrom("content", "reasoning", "reasoning_content", "refusal");
const besides = fc.constantFrom(
  "",
  ',"finish_reason":null',
  ',"logprobs":{"content":[{"token":"a"}]}',
  ',"finish_reason":"stop"',
);
const tails = fc.constantFrom("", ',"usage":null', ',"usage":{"prompt_tokens":1}', ',"x":1');

/** Chunks that differ in their text only. */
const run = fc.tuple(heads, members, besides, tails, fc.nat(1), fc.array(insides, { maxLength: 5 }))
  .map(([head, member, beside, tail, index, texts]) =>
    texts.map((text) =>
      `{"id":"1","choices":[{"index":${index},"delta":{${head}"${member}":"${text}"}${beside}}]${tail}}`
    )
  );

/** The events of a stream; an error without its stack. */
function eventsOf(stream: readonly ServerSentEvent[]) {
  return decoded(chatCompletions, stream).map((event) =>
    event.type === "error" ? { type: event.type, error: event.error.message } : event
  );
}

Deno.test("chunks that differ in their text only decode like chunks that differ in more", () => {
  fc.assert(fc.property(fc.array(run, { maxLength: 8 }), (runs) => {
    const texts = [...runs.flat(), "[DONE]"];
    const alike = texts.map((data) => ({ data }));
    const different = texts.map((data, at) => ({ data: " ".repeat(at) + data }));
    assertEquals(eventsOf(alike), eventsOf(different));
  }));
});

Deno.test("the text of a chunk that is like the one before it is unescaped", () => {
  const events = ["one", "two\\n", '\\"three\\"', "\\ud83d\\ude00"].map((inside) => ({
    data: `{"id":"1","choices":[{"index":0,"delta":{"content":"${inside}"}}]}`,
  }));
  const deltas = decoded(chatCompletions, events).filter((event) => event.type === "part-delta");
  assertEquals(deltas.map(({ text }) => text), ["one", "two\n", '"three"', "😀"]);
});
