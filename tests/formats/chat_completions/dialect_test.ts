import { assert, assertEquals } from "@std/assert";
import type { CanonicalRequest, JsonObject, Note, Part } from "../../../lib/canonical/mod.ts";
import { type Dialect, encodeAtOnce } from "../../../lib/formats/codec.ts";
import { codecs } from "../../../lib/formats/mod.ts";
import { type PresetName, presetNamed, presetNames } from "../../../lib/upstreams/presets/mod.ts";

const chat = codecs["chat-completions"];
const patch = { type: "custom", name: "apply_patch", description: "Edits files" } as const;
const schema = { type: "object", properties: { a: { type: "integer" } }, required: ["a"] };

/** A request with everything that agents of the messages or responses format use. */
const everything: CanonicalRequest = {
  model: "some-model",
  stream: true,
  instructions: [{ type: "text", text: "Be brief", cache: {} }],
  turns: [
    { role: "user", parts: [{ type: "text", text: "hi", cache: { ttl: "1h" } }] },
    {
      role: "assistant",
      parts: [
        { type: "tool-call", id: "toolu_01ABC", name: "look", arguments: "{}", kind: "function" },
        {
          type: "tool-call",
          id: "toolu_02ABC",
          name: "apply_patch",
          arguments: "*** Begin",
          kind: "custom",
        },
      ],
    },
    {
      role: "user",
      parts: [result("toolu_01ABC", "function"), result("toolu_02ABC", "custom")],
    },
  ],
  tools: [{ type: "function", name: "look", parameters: { type: "object" } }, patch],
  toolChoice: { type: "tool", name: "apply_patch", kind: "custom" },
  output: { type: "schema", schema },
  sampling: { seed: 7, stopSequences: ["END"], presencePenalty: 0.5, topLogprobs: 2 },
  limits: { maxOutputTokens: 100 },
  endUser: "user-1",
  cacheKey: "prefix-1",
  verbosity: "low",
};

function result(callId: string, kind: "function" | "custom"): Part {
  const parts = [{ type: "text", text: "ok" }] as const;
  return { type: "tool-result", callId, kind, parts, isError: false };
}

function encoded(
  dialect?: Dialect,
  request = everything,
): { body: JsonObject; notes: readonly Note[] } {
  const { wire, notes } = encodeAtOnce(chat, request, dialect);
  return { body: wire.body, notes };
}

function dialectNamed(name: PresetName): Dialect {
  return presetNamed(name).dialects?.["chat-completions"] ?? {};
}

const told = (notes: readonly Note[]) => notes.map(({ path, action }) => `${path} ${action}`);

Deno.test("dialect: without one a request is encoded as ever", () => {
  assertEquals(encoded(undefined), encoded({}));
  const { body } = encoded();
  assertEquals(body.max_completion_tokens, 100);
  assertEquals(body.stream_options, { include_usage: true });
});

Deno.test("dialect: members are renamed, and the limit keeps its value", () => {
  const { body, notes } = encoded({ renames: { max_completion_tokens: "max_tokens" } });
  assertEquals([body.max_tokens, body.max_completion_tokens], [100, undefined]);
  assertEquals(notes, encoded().notes);
});

Deno.test("dialect: a server that refuses what it does not know gets only what it knows", () => {
  const knows = ["model", "messages", "stream", "max_completion_tokens", "tools"];
  const { body, notes } = encoded({ knows });
  assertEquals(Object.keys(body).sort(), [...knows].sort());
  for (
    const path of ["sampling.seed", "endUser", "output", "verbosity", "sampling.stopSequences"]
  ) {
    assert(told(notes).includes(`${path} dropped`), path);
  }
  // usage and cache settings change no answer
  assert(!notes.some(({ path }) => /cacheKey|streamOptions/.test(path)));
});

Deno.test("dialect: a free-text tool is a function, in the tools, the history and the choice", () => {
  const { body, notes } = encoded({ customTools: false });
  assertEquals((body.tools as JsonObject[]).map(({ type }) => type), ["function", "function"]);
  assertEquals(body.tool_choice, { type: "function", function: { name: "apply_patch" } });
  const calls = (body.messages as JsonObject[]).flatMap((message) =>
    (message.tool_calls ?? []) as JsonObject[]
  );
  assertEquals(calls[1].function, { name: "apply_patch", arguments: '{"input":"*** Begin"}' });
  assert(told(notes).includes("tools[1] emulated"));
});

Deno.test("dialect: a schema of the answer becomes JSON and an instruction", () => {
  const { body, notes } = encoded({ outputSchemas: false });
  assertEquals(body.response_format, { type: "json_object" });
  assert(
    JSON.stringify((body.messages as JsonObject[])[0]).includes(
      JSON.stringify(JSON.stringify(schema)).slice(1, -1),
    ),
  );
  assertEquals(told(notes).filter((note) => note.startsWith("output")), ["output emulated"]);
});

Deno.test("dialect: cache breakpoints are left out, and said once", () => {
  assert(JSON.stringify(encoded().body).includes("prompt_cache_breakpoint"));
  const { body, notes } = encoded({ cacheBreakpoints: false });
  assert(!JSON.stringify(body).includes("prompt_cache_breakpoint"));
  assertEquals(notes.filter(({ path }) => path.endsWith(".cache")).length, 1);
});

Deno.test("dialect: a call and its result get the same id that the server takes", () => {
  const { body } = encoded(dialectNamed("mistral"));
  const messages = body.messages as JsonObject[];
  const called = messages.flatMap(({ tool_calls }) => (tool_calls ?? []) as JsonObject[]);
  const ids = called.map(({ id }) => id);
  assertEquals(ids, messages.filter(({ role }) => role === "tool").map((one) => one.tool_call_id));
  for (const id of ids) assert(/^[a-zA-Z0-9]{9}$/.test(String(id)));
  assertEquals(new Set(ids).size, 2);
});

Deno.test("dialect: a request that was written in this format stays as it is", () => {
  const body = {
    model: "m",
    messages: [{ role: "developer", content: "hi" }],
    max_completion_tokens: 5,
    seed: 1,
    store: true,
    x_unknown: 1,
  };
  const own = chat.decodeRequest({ path: "/chat/completions", search: {}, headers: {}, body });
  assertEquals(encoded(dialectNamed("mistral"), own).body, body);
});

Deno.test("dialect: usage is not requested if the server would refuse that", () => {
  const body = { stream: true };
  assertEquals(chat.meteredStream?.members(body), { stream_options: { include_usage: true } });
  assertEquals(chat.meteredStream?.members(body, dialectNamed("mistral")), undefined);
  assertEquals(encoded(dialectNamed("mistral")).body.stream_options, undefined);
});

for (const name of presetNames) {
  const dialect = dialectNamed(name);
  if (!dialect.knows) continue;
  Deno.test(`dialect: ${name} gets nothing that it does not know, and keeps the essentials`, () => {
    const { body } = encoded(dialect);
    for (const member of Object.keys(body)) assert(dialect.knows?.includes(member), member);
    for (const member of ["model", "messages", "stream", "tools"]) {
      assert(body[member] !== undefined, member);
    }
    assertEquals(body.max_tokens ?? body.max_completion_tokens, 100);
  });
}

Deno.test("dialect: only codecs that apply one are given one", () => {
  const formats = presetNames.flatMap((name) => Object.keys(presetNamed(name).dialects ?? {}));
  assertEquals([...new Set(formats)], ["chat-completions"]);
});
