import { assertEquals } from "@std/assert";
import { isJsonObject, type JsonObject, type JsonValue } from "../../../lib/canonical/mod.ts";
import { type Dialect, encodeAtOnce } from "../../../lib/formats/codec.ts";
import { codecs } from "../../../lib/formats/mod.ts";

/** More than the 1,024 tokens that the vendor caches at least. */
const long = "The parser reads one token after the other and keeps its place. ".repeat(80);
const system = { role: "system", content: long };
const user = (content: JsonValue = "Go on.") => ({ role: "user", content });
const assistant = (content: JsonValue = "Done.") => ({ role: "assistant", content });
const calls = (...ids: string[]) => ({
  role: "assistant",
  tool_calls: ids.map((id) => ({
    id,
    type: "function",
    function: { name: "get", arguments: "{}" },
  })),
});
const result = (id: string) => ({ role: "tool", tool_call_id: id, content: "one" });
const tool = (name: string, more: JsonObject = {}) => ({
  type: "function",
  function: { name, parameters: { type: "object", properties: {} }, ...more },
});

function encoded(body: JsonObject, dialect?: Dialect) {
  const wire = {
    path: "/chat/completions",
    search: {},
    headers: {},
    body: { model: "claude-sonnet-4-5", ...body },
  };
  const request = codecs["chat-completions"].decodeRequest(wire);
  const { wire: sent, notes } = encodeAtOnce(codecs.messages, request, dialect);
  return { body: sent.body, marks: marksIn(sent.body, ""), notes };
}

/** The paths of all values with a breakpoint. */
function marksIn(value: JsonValue | undefined, path: string): string[] {
  if (Array.isArray(value)) return value.flatMap((inner, at) => marksIn(inner, `${path}[${at}]`));
  if (!isJsonObject(value)) return [];
  const own = value.cache_control === undefined ? [] : [path === "" ? "top" : path];
  return [
    ...own,
    ...Object.entries(value).flatMap(([name, inner]) =>
      marksIn(inner, path === "" ? name : `${path}.${name}`)
    ),
  ].toSorted((a, b) => order(a) - order(b));
}

function order(path: string): number {
  return ["top", "tools", "system", "messages"].findIndex((head) => path.startsWith(head));
}

const cases: readonly {
  readonly name: string;
  readonly body: JsonObject;
  readonly marks: readonly string[];
}[] = [
  {
    name: "an agent's loop: tools, system, the results of both last turns",
    body: {
      tools: [tool("get"), tool("put")],
      messages: [
        system,
        user(),
        calls("a", "b"),
        result("a"),
        result("b"),
        calls("c"),
        result("c"),
      ],
    },
    marks: ["tools[1]", "system[0]", "messages[2].content[1]", "messages[4].content[0]"],
  },
  {
    name: "a conversation without tools",
    body: { messages: [system, user(), assistant(), user()] },
    marks: ["system[0]", "messages[0].content[0]", "messages[2].content[0]"],
  },
  {
    name: "a first question with tools",
    body: { tools: [tool("get")], messages: [system, user()] },
    marks: ["tools[0]", "system[0]", "messages[0].content[0]"],
  },
  {
    name: "one question without tools: only the part that others may share",
    body: { messages: [system, user(long)] },
    marks: ["system[0]"],
  },
  {
    name: "one question by a caller who names a cache",
    body: { prompt_cache_key: "k", messages: [user(long)] },
    marks: ["messages[0].content[0]"],
  },
  { name: "one question alone", body: { messages: [user(long)] }, marks: [] },
  {
    name: "a prompt that is too short to be stored",
    body: { tools: [tool("get")], messages: [system, user()].slice(1), prompt_cache_key: "k" },
    marks: [],
  },
  {
    name: "a short prompt in three bytes a character",
    body: { messages: [user("读".repeat(1_100)), assistant(), user()] },
    marks: ["messages[0].content[0]", "messages[2].content[0]"],
  },
  {
    name: "the gateway's own instruction stays behind the mark",
    body: { response_format: { type: "json_object" }, messages: [system, user()] },
    marks: ["system[0]"],
  },
  {
    name: "a prefilled answer",
    body: { messages: [user(long), assistant("It is")] },
    marks: ["messages[0].content[0]"],
  },
  {
    name: "a picture at the end",
    body: {
      messages: [
        user(long),
        assistant(),
        user([
          { type: "text", text: "What is it?" },
          { type: "image_url", image_url: { url: "https://example.com/a.png" } },
        ]),
      ],
    },
    marks: ["messages[0].content[0]", "messages[2].content[1]"],
  },
  {
    name: "the caller's own marks, and no others",
    body: {
      tools: [tool("get")],
      messages: [
        system,
        user([{ type: "text", text: long, prompt_cache_breakpoint: { mode: "explicit" } }]),
        assistant(),
        user(),
      ],
    },
    marks: ["messages[0].content[0]"],
  },
];

for (const { name, body, marks } of cases) {
  Deno.test(`caching: breakpoints of ${name}`, () => {
    const sent = encoded(body);
    assertEquals(sent.marks, marks);
    assertEquals(sent.notes.filter(({ path }) => path.startsWith("cache")), []);
  });
}

Deno.test("caching: an upstream whose switch is off gets no breakpoints, and a cache key is noted", () => {
  const body = { prompt_cache_key: "k", messages: [system, user(), assistant(), user()] };
  const { marks, notes } = encoded(body, { automaticCaching: false });
  assertEquals([marks, notes.map(({ path }) => path)], [[], ["cacheKey"]]);
});

Deno.test("caching: a body of the messages format gets no breakpoints", () => {
  const wire = {
    path: "/v1/messages",
    search: {},
    headers: {},
    body: {
      model: "claude-sonnet-4-5",
      max_tokens: 10,
      system: long,
      messages: [user(), assistant(), user()],
    },
  };
  const request = codecs.messages.decodeRequest(wire);
  assertEquals(encodeAtOnce(codecs.messages, request).wire.body, wire.body);
});

Deno.test("caching: the count of a prompt has no breakpoints", () => {
  const wire = {
    path: "/chat/completions",
    search: {},
    headers: {},
    body: { model: "claude-sonnet-4-5", messages: [system, user(), assistant(), user()] },
  };
  const request = codecs["chat-completions"].decodeRequest(wire);
  const count = codecs.messages.tokenCount?.encodeRequest(request);
  assertEquals(count && marksIn(count.body, ""), []);
});
