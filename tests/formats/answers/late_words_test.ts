import { assert, assertEquals } from "@std/assert";
import { collect, type JsonObject } from "../../../lib/canonical/mod.ts";
import type { ServerSentEvent } from "../../../lib/formats/wire.ts";
import { words } from "../../e2e/load/sized_body.ts";
import { delta, eventsOf, messageStart, open, stop } from "../messages/wire.ts";
import {
  brief,
  type ConvertedAnswer,
  convertedToOthers,
  decodedInChunks,
  wholeEvents,
} from "./converted_answer.ts";

/** Reasoning without text or with late text, and citations that precede their text. */

const big = words(30_000);
const pieces = big.match(/.{1,150}/gs) ?? [];
const thinks = { reasoning: { effort: "medium", summary: "auto" } } as const;

const head = { id: "chatcmpl-1", object: "chat.completion.chunk", created: 1, model: "m" };
const chunk = (delta: JsonObject, finish_reason: string | null = null): ServerSentEvent => ({
  data: JSON.stringify({ ...head, choices: [{ index: 0, delta, finish_reason }] }),
});
const done = { data: "[DONE]" };

const start = messageStart();
const block = (index: number, content_block: JsonObject, ...deltas: JsonObject[]) => [
  open(index, content_block),
  ...deltas.map((one) => delta(index, one)),
  stop(index),
];
const texts = pieces.map((text) => ({ type: "text_delta", text }));
const ended = [
  {
    type: "message_delta",
    delta: { stop_reason: "end_turn", stop_sequence: null },
    usage: { output_tokens: 9 },
  },
  { type: "message_stop" },
];

for (const signature of ["", "EqQBc2lnbmF0dXJl"]) {
  Deno.test(`a thinking block without text, ${signature === "" ? "un" : ""}signed, shows no empty thought`, () => {
    const stream = eventsOf([
      start,
      ...block(0, { type: "thinking", thinking: "", signature }),
      ...block(1, { type: "text", text: "" }, ...texts),
      ...ended,
    ]);
    for (
      const [to, told] of convertedToOthers("messages", decodedInChunks("messages", stream), thinks)
    ) {
      assertNoEmptyThought(to, told);
      assertEquals(textsOf(told), [big, big], to);
    }
  });
}

Deno.test("whole, a thinking block without text shows no empty thought", () => {
  const canonical = wholeEvents("messages", {
    ...start.message,
    content: [{ type: "thinking", thinking: "", signature: "EqQB" }, { type: "text", text: big }],
    stop_reason: "end_turn",
  });
  for (const [to, told] of convertedToOthers("messages", canonical, thinks)) {
    assertNoEmptyThought(to, told);
  }
});

const openings: Readonly<Record<string, JsonObject>> = {
  "an empty text": { type: "reasoning.text", text: "", index: 0, format: "anthropic-claude-v1" },
  "an empty summary": { type: "reasoning.summary", summary: "", index: 0 },
  "a proof": { type: "reasoning.encrypted", data: "EqQB", index: 0 },
};

for (const [name, opening] of Object.entries(openings)) {
  Deno.test(`reasoning whose details begin with ${name} keeps the text that follows`, () => {
    const member = opening.type === "reasoning.summary" ? "summary" : "text";
    const detail = (text: string) => ({
      reasoning_details: [{ type: `reasoning.${member}`, [member]: text, index: 0 }],
    });
    const canonical = decodedInChunks("chat-completions", [
      chunk({ role: "assistant", content: "", reasoning_details: [opening] }),
      ...pieces.map((text) => chunk(detail(text))),
      chunk({ content: "So." }),
      chunk({}, "stop"),
      done,
    ]);
    assertEquals(brief(collect(canonical)), [`reasoning: ${big}`, "text: So."]);
    for (const [to, told] of convertedToOthers("chat-completions", canonical, thinks)) {
      assertNoEmptyThought(to, told);
      for (const answer of [told.streamed, told.whole]) {
        assertEquals(brief(answer), [`reasoning: ${big}`, "text: So."], to);
      }
    }
  });

  Deno.test(`reasoning whose details are only ${name} shows nothing`, () => {
    const canonical = decodedInChunks("chat-completions", [
      chunk({ role: "assistant", content: "", reasoning_details: [opening] }),
      ...pieces.map((content) => chunk({ content })),
      chunk({}, "stop"),
      done,
    ]);
    for (const [to, told] of convertedToOthers("chat-completions", canonical, thinks)) {
      assertNoEmptyThought(to, told);
      assertEquals(textsOf(told), [big, big], to);
    }
  });
}

const annotation = {
  type: "url_citation",
  url_citation: {
    url: "https://example.com/fox",
    title: "Fox",
    content: "A fox.",
    start_index: 4,
    end_index: 19,
  },
};

for (const before of [{}, { reasoning_content: "hm" }]) {
  Deno.test(`annotations before the text of a chat stream cite it, ${JSON.stringify(before)}`, () => {
    const canonical = decodedInChunks("chat-completions", [
      chunk({ role: "assistant", content: "", ...before }),
      chunk({ annotations: [annotation] }),
      ...pieces.map((content) => chunk({ content })),
      chunk({}, "stop"),
      done,
    ]);
    const text = collect(canonical).alternatives[0].parts.findLast(({ type }) => type === "text");
    assert(text?.type === "text");
    assertEquals(text.citations?.map(({ url, start, end }) => [url, start, end]), [
      ["https://example.com/fox", 4, 19],
    ]);
    for (const [to, { events, body }] of convertedToOthers("chat-completions", canonical, thinks)) {
      for (const wire of [events, body]) {
        assert(JSON.stringify(wire).includes("https://example.com/fox"), to);
      }
    }
  });
}

/** Asserts that a reasoning without text is nowhere on the wire, and that the end repeats the announced events. */
function assertNoEmptyThought(to: string, { events, body }: ConvertedAnswer): void {
  const wire = JSON.stringify([events, body]);
  assert(
    !/"summary":\[\{"type":"summary_text","text":""\}\]/.test(wire),
    `${to}: ${wire.slice(0, 300)}`,
  );
  assert(!/"text":"","thought":true|"thought":true,"text":""/.test(wire), to);
  if (to !== "responses") return;
  const last = events.at(-1)?.response;
  assert(last !== null && typeof last === "object" && "output" in last);
  assertEquals(shown(last.output), announced(events), "the end repeats what was streamed");
  assertEquals(shown(body.output), announced(events), "whole and streamed say the same");
}

function shown(output: unknown): string {
  return objects(output).filter(({ type }) => type === "reasoning")
    .flatMap(({ summary, content }) => [...objects(summary), ...objects(content)])
    .map(({ text }) => text).join("");
}

function announced(events: readonly JsonObject[]): string {
  return events.filter(({ type }) => /reasoning_(summary_)?text\.delta$/.test(String(type)))
    .map(({ delta }) => delta).join("");
}

function objects(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value : [];
}

function textsOf({ streamed, whole }: ConvertedAnswer): string[] {
  return [streamed, whole].map((answer) =>
    brief(answer).filter((part) => part.startsWith("text: ")).map((part) => part.slice(6)).join("")
  );
}
