import { assert, assertEquals, assertStrictEquals } from "@std/assert";
import fc from "fast-check";
import {
  type CanonicalRequest,
  type Part,
  repairTurns,
  type ToolCallPart,
  type ToolResultPart,
  type Turn,
} from "../../../lib/canonical/mod.ts";
import { repairNote } from "../../../lib/canonical/repair/notes.ts";
import { bareRequest } from "../../formats/requests/bare_request.ts";

const text = (text: string): Part => ({ type: "text", text });
const call = (id: string, name = "get"): ToolCallPart => ({
  type: "tool-call",
  id,
  name,
  arguments: "{}",
  kind: "function",
});
const result = (callId: string, said = callId, name?: string): ToolResultPart => ({
  type: "tool-result",
  callId,
  kind: "function",
  parts: [text(said)],
  isError: false,
  ...(name && { name }),
});
const interrupted = (callId: string): ToolResultPart => ({
  ...result(callId, "[no result: tool call was interrupted]", "get"),
  isError: true,
});
const user = (...parts: Part[]): Turn => ({ role: "user", parts });
const assistant = (...parts: Part[]): Turn => ({ role: "assistant", parts });
const system = (...parts: Part[]): Turn => ({ role: "system", parts });
const requestOf = (turns: readonly Turn[]): CanonicalRequest => ({
  ...bareRequest,
  stream: false,
  turns,
});

const untouched: readonly { name: string; turns: readonly Turn[] }[] = [
  { name: "no turns", turns: [] },
  { name: "text alone", turns: [user(text("a")), assistant(text("b")), user(text("c"))] },
  {
    name: "two calls answered in order, then words",
    turns: [assistant(call("a"), call("b")), user(result("a"), result("b"), text("go on"))],
  },
  {
    name: "an empty text with a continuation",
    turns: [assistant({
      ...text(""),
      continuation: { issuer: "generate-content", data: "x" },
    } as Part)],
  },
  {
    name: "a redacted thought",
    turns: [assistant({
      type: "reasoning",
      text: "",
      visibility: "redacted",
      continuation: { issuer: "messages", data: "x" },
    })],
  },
];

for (const { name, turns } of untouched) {
  Deno.test(`repairTurns leaves alone: ${name}`, () => {
    const request = requestOf(turns);
    const repaired = repairTurns(request);
    assertStrictEquals(repaired.request, request);
    assertEquals(repaired.notes, []);
  });
}

const cases: readonly { name: string; turns: readonly Turn[]; expected: readonly Turn[] }[] = [
  {
    name: "empty parts and turns",
    turns: [user(text(""), text("a")), assistant(text("")), user()],
    expected: [user(text("a"))],
  },
  {
    name: "a cache mark on an empty part",
    turns: [user(text("a"), { ...text(""), cache: { ttl: "1h" } } as Part)],
    expected: [user({ ...text("a"), cache: { ttl: "1h" } } as Part)],
  },
  {
    name: "results out of order",
    turns: [assistant(call("a"), call("b")), user(result("b"), result("a"))],
    expected: [assistant(call("a"), call("b")), user(result("a"), result("b"))],
  },
  {
    name: "words before results",
    turns: [assistant(call("a")), user(text("so"), result("a"))],
    expected: [assistant(call("a")), user(result("a"), text("so"))],
  },
  {
    name: "results in several turns",
    turns: [assistant(call("a"), call("b")), user(result("b")), user(text("x"), result("a"))],
    expected: [assistant(call("a"), call("b")), user(result("a"), result("b")), user(text("x"))],
  },
  {
    name: "a system turn between call and result",
    turns: [assistant(call("a")), system(text("s")), user(result("a"), text("x"))],
    expected: [assistant(call("a")), user(result("a")), system(text("s")), user(text("x"))],
  },
  {
    name: "turns of the model in a row",
    turns: [assistant(call("a")), assistant(call("b")), user(result("a"), result("b"))],
    expected: [
      assistant(call("a")),
      user(result("a")),
      assistant(call("b")),
      user(result("b")),
    ],
  },
  {
    name: "an unanswered call in the middle",
    turns: [assistant(call("a"), call("b")), user(result("b")), assistant(text("x"))],
    expected: [
      assistant(call("a"), call("b")),
      user(interrupted("a"), result("b")),
      assistant(text("x")),
    ],
  },
  {
    name: "an unanswered call before the user speaks",
    turns: [assistant(call("a")), user(text("stop"))],
    expected: [assistant(call("a")), user(interrupted("a"), text("stop"))],
  },
  {
    name: "an unanswered call at the end",
    turns: [assistant(call("a"))],
    expected: [assistant(call("a")), user(interrupted("a"))],
  },
  {
    name: "an orphan result",
    turns: [user(text("hi"), result("gone", "42", "get"))],
    expected: [user(text("hi"), text("[result of tool call get]"), text("42"))],
  },
  {
    name: "a second result of one call",
    turns: [assistant(call("a")), user(result("a", "1"), result("a", "2"))],
    expected: [
      assistant(call("a")),
      user(result("a", "1"), text("[result of tool call get]"), text("2")),
    ],
  },
  {
    name: "a result that comes after the model spoke again",
    turns: [assistant(call("a")), user(text("x")), assistant(text("y")), user(result("a"))],
    expected: [
      assistant(call("a")),
      user(interrupted("a"), text("x")),
      assistant(text("y")),
      user(text("[result of tool call get]"), text("a")),
    ],
  },
  {
    name: "one id for calls of two turns",
    turns: [
      assistant(call("a")),
      user(result("a", "1")),
      assistant(call("a")),
      user(result("a", "2")),
    ],
    expected: [
      assistant(call("a")),
      user(result("a", "1")),
      assistant(call("a_2")),
      user(result("a_2", "2")),
    ],
  },
  {
    name: "one id for two calls of a turn",
    turns: [
      assistant(call("a"), call("a"), call("a_2")),
      user(result("a", "1"), result("a", "2"), result("a_2")),
    ],
    expected: [
      assistant(call("a"), call("a_3"), call("a_2")),
      user(result("a", "1"), result("a_3", "2"), result("a_2")),
    ],
  },
  {
    name: "calls without ids, paired by name and order",
    turns: [
      assistant(call("", "f"), call("", "g"), call("", "f")),
      user(result("", "g1", "g"), result("", "f1", "f"), result("", "f2", "f")),
    ],
    expected: [
      assistant(call("call_1", "f"), call("call_2", "g"), call("call_3", "f")),
      user(
        result("call_1", "f1", "f"),
        result("call_2", "g1", "g"),
        result("call_3", "f2", "f"),
      ),
    ],
  },
  {
    name: "a result of another kind than its call",
    turns: [assistant({ ...call("a"), kind: "custom" }), user(result("a"))],
    expected: [
      assistant({ ...call("a"), kind: "custom" }),
      user({ ...result("a"), kind: "custom" }),
    ],
  },
];

for (const { name, turns, expected } of cases) {
  Deno.test(`repairTurns repairs: ${name}`, () => {
    const { request } = repairTurns(requestOf(turns));
    assertEquals(request.turns, expected);
    assertStrictEquals(repairTurns(request).request, request);
  });
}

Deno.test("repairTurns notes what it did", () => {
  const { notes } = repairTurns(requestOf([
    assistant(call("a"), call("a"), call("c")),
    user(text(""), result("b"), text("so"), result("c")),
  ]));
  assertEquals(notes, [
    repairNote("resultMissing", 0),
    repairNote("callId", 0),
    repairNote("resultMissing", 0),
    repairNote("resultMoved", 0),
    repairNote("resultStray", 1),
  ]);
});

/** Content between a call and its result, which the result is moved over. */
const jumpedOver: readonly { readonly name: string; readonly between: readonly Turn[] }[] = [
  { name: "words of the model", between: [assistant(text("Wait."))] },
  { name: "another call of the model", between: [assistant(call("b"))] },
  { name: "words of the user", between: [user(text("Quick!"))] },
  { name: "words of the user in the same turn", between: [user(text("Quick!"))] },
  { name: "a system message", between: [system(text("Be brief."))] },
];
for (const { name, between } of jumpedOver) {
  Deno.test(`repairTurns notes a result that is moved over ${name}`, () => {
    const results = user(result("a"), result("b"));
    const joined = name.endsWith("same turn")
      ? [user(...between[0].parts, ...results.parts)]
      : [...between, results];
    const { request, notes } = repairTurns(requestOf([assistant(call("a")), ...joined]));
    assertEquals(request.turns[1].parts[0], result("a"));
    assertEquals(notes[0], repairNote("resultMoved", 0));
  });
}

const ids = fc.constantFrom("", "a", "b", "a_2", "call_1");
const names = fc.constantFrom("f", "g");
const texts = fc.constantFrom("", "x", "y", "z").map(text);
const calls = fc.tuple(ids, names).map(([id, name]) => call(id, name));
const results = fc.tuple(
  ids,
  fc.option(names, { nil: undefined }),
  fc.array(texts, { maxLength: 2 }),
)
  .map(([id, name, parts]): Part => ({ ...result(id, "", name), parts }));
const turns = fc.array(
  fc.oneof(
    fc.array(fc.oneof(texts, results), { maxLength: 5 }).map((parts) => user(...parts)),
    fc.array(fc.oneof(texts, calls), { maxLength: 5 }).map((parts) => assistant(...parts)),
    fc.array(texts, { maxLength: 2 }).map((parts) => system(...parts)),
  ),
  { maxLength: 8 },
);

Deno.test("repairTurns law: each call has exactly one result right after it, in order", () => {
  fc.assert(
    fc.property(turns, (before) => {
      const after = repairTurns(requestOf(before)).request.turns;
      const seen = new Set<string>();
      for (const [at, turn] of after.entries()) {
        const wanted = turn.parts.filter((part) => part.type === "tool-call").map(({ id }) => id);
        for (const id of wanted) assert(id !== "" && !seen.has(id)), seen.add(id);
        const previous = at > 0 ? after[at - 1] : undefined;
        const asked = previous?.parts.filter((part) => part.type === "tool-call").map(({ id }) =>
          id
        );
        const given = turn.parts.flatMap((part) =>
          part.type === "tool-result" ? [part.callId] : []
        );
        assertEquals(given, asked ?? []);
        assert(turn.parts.slice(0, given.length).every(({ type }) => type === "tool-result"));
        if (wanted.length > 0) assertEquals(after[at + 1]?.role, "user");
      }
    }),
    { numRuns: 1000 },
  );
});

function textsOf(parts: readonly Part[]): readonly string[] {
  return parts.flatMap((part) =>
    part.type === "text" ? [part.text] : part.type === "tool-result" ? textsOf(part.parts) : []
  );
}

Deno.test("repairTurns law: no text is lost, no call is lost", () => {
  fc.assert(
    fc.property(turns, (before) => {
      const after = repairTurns(requestOf(before)).request.turns;
      const kept = textsOf(after.flatMap(({ parts }) => parts)).toSorted();
      for (const said of textsOf(before.flatMap(({ parts }) => parts))) {
        if (said !== "") assert(kept.splice(kept.indexOf(said), 1)[0] === said);
      }
      const count = (all: readonly Turn[]) =>
        all.flatMap(({ parts }) => parts).filter(({ type }) => type === "tool-call").length;
      assertEquals(count(after), count(before));
    }),
    { numRuns: 1000 },
  );
});

Deno.test("repairTurns law: a result that is moved over other content has a note", () => {
  const parts = fc.shuffledSubarray([call("a"), call("b"), text("x"), result("a"), result("b")]);
  const turn = fc.tuple(parts, fc.boolean()).map(([parts, isUser]) =>
    isUser ? user(...parts.filter(isOfUser)) : assistant(...parts.filter(isOfModel))
  );
  fc.assert(
    fc.property(fc.array(turn, { maxLength: 4 }), (turns) => {
      const kept = turns.filter(({ parts }) => parts.length > 0);
      const { request, notes } = repairTurns(requestOf(kept));
      if (notes.length === 0) assertEquals(places(request.turns), places(kept));
    }),
    { numRuns: 5_000 },
  );
});

function isOfUser({ type }: Part): boolean {
  return type !== "tool-call";
}

function isOfModel({ type }: Part): boolean {
  return type !== "tool-result";
}

/** Each part that is no result, and the number of results before it. */
function places(turns: readonly Turn[]): string[] {
  let results = 0;
  return turns.flatMap(({ parts }) => parts).flatMap((part) => {
    if (part.type !== "tool-result") return [`${results} ${part.type}`];
    results++;
    return [];
  });
}

Deno.test("repairTurns law: what is repaired needs no repair", () => {
  fc.assert(
    fc.property(turns, (before) => {
      const { request } = repairTurns(requestOf(before));
      const again = repairTurns(request);
      assertStrictEquals(again.request, request);
      assertEquals(again.notes, []);
    }),
    { numRuns: 1000 },
  );
});

Deno.test("repairTurns is fast on 20,000 calls with one id", () => {
  const started = performance.now();
  const many = Array.from({ length: 20_000 }, () => 0);
  const { request } = repairTurns(
    requestOf([assistant(...many.map(() => call("a"))), user(...many.map(() => result("a")))]),
  );
  assertEquals(request.turns[1]?.parts.length, 20_000);
  assert(performance.now() - started < 2_000);
});

Deno.test("repair: time grows with the history, whatever its calls and results are named", () => {
  const count = 40_000;
  const names = Array.from({ length: count }, (_, at) => `tool_${at}`);
  const histories: Readonly<Record<string, Turn[]>> = {
    "results in reverse, without ids": [
      assistant(...names.map((name) => call("", name))),
      user(...names.toReversed().map((name) => result("", "said", name))),
    ],
    "results of one id behind calls of it that they do not answer": [
      ...names.flatMap(() => [assistant(call("same")), user(text("go on"))]),
      assistant(text("done")),
      user(...names.map(() => result("same"))),
    ],
    "turns of the model in a row": names.map((name) => assistant(call(name))),
  };
  for (const [name, turns] of Object.entries(histories)) {
    const began = performance.now();
    repairTurns(requestOf([user(text("go")), ...turns]));
    const took = performance.now() - began;
    assert(took < 3_000, `${name}: ${took} ms`);
  }
});
