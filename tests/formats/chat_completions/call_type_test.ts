import { assertEquals } from "@std/assert";
import { collect, type JsonObject } from "../../../lib/canonical/mod.ts";
import { chatCompletions } from "../../../lib/formats/chat_completions/mod.ts";
import { words } from "../../e2e/load/sized_body.ts";
import {
  brief,
  convertedToOthers,
  decodedInChunks,
  wholeEvents,
} from "../answers/converted_answer.ts";

/** Calls that state both members of the union, one of them empty (seen 2026-11): `type` decides. */

const big = words(20_000);
const args = JSON.stringify({ q: big });

interface Case {
  readonly first: JsonObject;
  readonly next: (text: string) => JsonObject;
  readonly whole: JsonObject;
}

/** A call to the function `f` with what else the upstream states, in the first fragment and in the others. */
function calledBeside(
  first: JsonObject,
  later: JsonObject = first,
  type: unknown = "function",
): Case {
  const id = "call_1";
  const call = (text: string) => ({ name: "f", arguments: text });
  return {
    first: { index: 0, id, type, function: call(""), ...first } as JsonObject, // sound: the types are JSON
    next: (text) => ({ index: 0, function: { arguments: text }, ...later }),
    whole: { id, type, function: call(args), ...first } as JsonObject, // sound: as above
  };
}

const filled = { custom: { name: "other", input: "not this" } };
const cases: Readonly<Record<string, Case>> = {
  "an empty custom object": calledBeside({ custom: {} }),
  "custom: null": calledBeside({ custom: null }),
  "a custom object with empty members": calledBeside({ custom: { name: "", input: "" } }),
  "a custom object with null members": calledBeside({ custom: { name: null, input: null } }),
  "an empty custom object at the start": calledBeside({ custom: {} }, {}),
  "an empty custom object, without a type": calledBeside({ custom: {} }, { custom: {} }, null),
  "another call, which the type excludes": calledBeside(filled),
};

for (const [name, { first, next, whole }] of Object.entries(cases)) {
  Deno.test(`a function beside ${name} is called, streamed`, () => {
    const texts = args.match(/.{1,300}/gs) ?? [];
    assertCalled(decodedInChunks("chat-completions", [
      chunk({ role: "assistant", content: null, tool_calls: [first] }),
      ...texts.map((text) => chunk({ tool_calls: [next(text)] })),
      chunk({}, "tool_calls"),
      { data: "[DONE]" },
    ]));
  });

  Deno.test(`a function beside ${name} is called, whole`, () => {
    assertCalled(wholeEvents("chat-completions", {
      ...head,
      choices: [{
        index: 0,
        message: { role: "assistant", content: null, tool_calls: [whole] },
        finish_reason: "tool_calls",
      }],
    }));
  });

  Deno.test(`a function beside ${name} stays a call in a history, with its result`, () => {
    const { turns } = historyOf(whole);
    assertEquals(turns[1].parts, [
      { type: "tool-call", id: "call_1", name: "f", arguments: args, kind: "function" },
    ]);
    assertEquals(turns[2].parts.map(({ type }) => type), ["tool-result"]);
  });
}

Deno.test("a custom call beside an empty function is called", () => {
  const custom = { name: "shell", input: big };
  const call = { id: "call_1", type: "custom", custom, function: { name: "", arguments: "" } };
  const calledIn = historyOf(call).turns[1].parts;
  assertEquals(calledIn, [
    { type: "tool-call", id: "call_1", name: "shell", arguments: big, kind: "custom" },
  ]);
  const answer = collect(decodedInChunks("chat-completions", [
    chunk({ tool_calls: [{ index: 0, ...call, custom: { name: "shell", input: "" } }] }),
    chunk({ tool_calls: [{ index: 0, custom: { input: big }, function: {} }] }),
    chunk({}, "tool_calls"),
    { data: "[DONE]" },
  ]));
  assertEquals(answer.alternatives[0].parts, calledIn);
});

Deno.test("the tokens of a call beside an empty custom object are counted", () => {
  const usage = chatCompletions.usageReader.stream();
  const tool_calls = [{
    index: 0,
    id: "call_1",
    type: "function",
    function: { name: "f", arguments: args },
    custom: {},
  }];
  usage.sent(chunk({ tool_calls }));
  assertEquals(usage.delivered.answer.chars, `f${args}`.length);
});

const head = { id: "chatcmpl-1", object: "chat.completion.chunk", created: 1, model: "m" };

function chunk(delta: JsonObject, finish_reason: string | null = null) {
  return { data: JSON.stringify({ ...head, choices: [{ index: 0, delta, finish_reason }] }) };
}

function historyOf(call: JsonObject) {
  return chatCompletions.decodeRequest({
    path: "/chat/completions",
    search: {},
    headers: {},
    body: {
      model: "m",
      messages: [
        { role: "user", content: "Hi" },
        { role: "assistant", content: null, tool_calls: [call] },
        { role: "tool", tool_call_id: "call_1", content: "sunny" },
      ],
    },
  });
}

/** Asserts that callers of every format get the call, and the ending of a call. */
function assertCalled(canonical: ReturnType<typeof wholeEvents>): void {
  assertEquals(brief(collect(canonical)), [`call_1 f ${args}`]);
  for (const [to, { streamed, whole }] of convertedToOthers("chat-completions", canonical)) {
    for (const { alternatives: [first] } of [streamed, whole]) {
      const calls = first.parts.filter(({ type }) => type === "tool-call");
      assertEquals([calls.length, first.finishReason], [1, "tool-calls"], to);
    }
  }
}
