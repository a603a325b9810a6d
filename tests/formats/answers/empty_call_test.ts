import { assert, assertEquals, assertThrows } from "@std/assert";
import { collect, type JsonObject, type JsonValue } from "../../../lib/canonical/mod.ts";
import { chatCompletions } from "../../../lib/formats/chat_completions/mod.ts";
import type { ServerSentEvent } from "../../../lib/formats/wire.ts";
import { words } from "../../e2e/load/sized_body.ts";
import { brief, convertedToOthers, decodedInChunks, wholeEvents } from "./converted_answer.ts";

/** Chat answers with an empty call, from servers that fill in every member (2026-11). */

const big = words(40_000);
const head = { id: "chatcmpl-1", object: "chat.completion.chunk", created: 1, model: "m" };
const chunk = (delta: JsonObject, finish_reason: string | null = null): ServerSentEvent => ({
  data: JSON.stringify({ ...head, choices: [{ index: 0, delta, finish_reason }] }),
});
const done = { data: "[DONE]" };

const empties: Readonly<Record<string, JsonObject>> = {
  "function_call: null": { function_call: null },
  "function_call without members": { function_call: {} },
  "function_call with empty ones": { function_call: { name: "", arguments: "" } },
  "function_call with null ones": { function_call: { name: null, arguments: null } },
  "tool_calls: null": { tool_calls: null },
  "tool_calls with an empty function": {
    tool_calls: [{ index: 0, id: "", type: "function", function: { name: "", arguments: "" } }],
  },
  "tool_calls with an id and an empty function": {
    tool_calls: [{ index: 0, id: "c", type: "function", function: { name: "", arguments: "" } }],
  },
  "tool_calls with null members": {
    tool_calls: [{
      index: 0,
      id: null,
      type: "function",
      function: { name: null, arguments: null },
    }],
  },
  "tool_calls without a function": { tool_calls: [{ index: 0, type: "function" }] },
};

for (const [name, empty] of Object.entries(empties)) {
  for (const reason of ["stop", "tool_calls"]) {
    Deno.test(`${name} is no call, streamed, with ${reason}`, () => {
      const texts = big.match(/.{1,200}/gs) ?? [];
      const canonical = decodedInChunks("chat-completions", [
        chunk({ role: "assistant", content: "", ...empty }),
        ...texts.map((content) => chunk({ content, ...empty })),
        chunk(empty, reason),
        done,
      ]);
      assertEquals(brief(collect(canonical)), [`text: ${big}`]);
      assertTold(canonical);
    });

    Deno.test(`${name} is no call, whole, with ${reason}`, () => {
      const message = { role: "assistant", content: big, ...empty };
      assertTold(wholeEvents("chat-completions", body(message, reason)));
    });
  }

  Deno.test(`${name} beside a real call leaves that one alone`, () => {
    const call = (text: string) => ({
      tool_calls: [{
        index: 1,
        id: "b",
        type: "function",
        function: { name: "f", arguments: text },
      }],
    });
    const canonical = decodedInChunks("chat-completions", [
      chunk(empty),
      chunk(call('{"q":')),
      chunk({ tool_calls: [{ index: 1, function: { arguments: `"${big}"}` } }] }),
      chunk(empty, "tool_calls"),
      done,
    ]);
    const answer = collect(canonical);
    assertEquals(brief(answer), [`b f {"q":"${big}"}`]);
    assertEquals(answer.alternatives[0].finishReason, "tool-calls");
  });
}

Deno.test("a call whose name comes late keeps its id and its arguments", () => {
  const fragment = (id: JsonValue, name: JsonValue, text: JsonValue) =>
    chunk({
      tool_calls: [{ index: 0, id, type: "function", function: { name, arguments: text } }],
    });
  for (const early of ["", '{"q":']) {
    const canonical = decodedInChunks("chat-completions", [
      chunk({ role: "assistant", content: null }),
      fragment("call_1", "", ""),
      fragment(null, "", early),
      fragment(null, "f", `${early === "" ? '{"q":' : ""}"${big}"}`),
      chunk({}, "tool_calls"),
      done,
    ]);
    assertEquals(brief(collect(canonical)), [`call_1 f {"q":"${big}"}`]);
  }
});

Deno.test("arguments without a name anywhere are an invalid answer, streamed and whole", () => {
  const tool_calls = [{
    index: 0,
    id: "a",
    type: "function",
    function: { name: "", arguments: `{"q":"${big}"}` },
  }];
  const last = decodedInChunks("chat-completions", [
    chunk({ tool_calls }),
    chunk({}, "tool_calls"),
    done,
  ]).at(-1);
  assert(last?.type === "error");
  assertEquals(last.error.code, "upstream_invalid_response");
  for (const message of [{ tool_calls }, { function_call: { name: "", arguments: '{"q":1}' } }]) {
    const whole = body({ role: "assistant", content: null, ...message }, "tool_calls");
    assertThrows(() => chatCompletions.decodeResponse(whole), Error, "a tool call has no name");
  }
});

function body(message: JsonObject, finish_reason: string): JsonObject {
  return {
    ...head,
    object: "chat.completion",
    choices: [{ index: 0, message, finish_reason }],
  };
}

/** Asserts that every caller gets the text, and nothing that looks like a call. */
function assertTold(canonical: ReturnType<typeof wholeEvents>): void {
  for (
    const [to, { streamed, whole, events, body }] of convertedToOthers(
      "chat-completions",
      canonical,
    )
  ) {
    for (const answer of [streamed, whole]) {
      assertEquals([brief(answer), answer.alternatives[0].finishReason], [
        [`text: ${big}`],
        "stop",
      ], to);
    }
    for (const wire of [events, [body]]) {
      assert(!/tool_use|function_?call"|functionCall/.test(JSON.stringify(wire)), to);
    }
  }
}
