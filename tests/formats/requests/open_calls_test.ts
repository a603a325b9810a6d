import { assertEquals } from "@std/assert";
import { type JsonObject, repairTurns } from "../../../lib/canonical/mod.ts";
import { encodeAtOnce } from "../../../lib/formats/codec.ts";
import { codecs } from "../../../lib/formats/mod.ts";

/** Calls of the responses format whose results come later, or without the id of their call (2026-11). */

const build = { type: "function", name: "build", parameters: { type: "object", properties: {} } };
const user = (content: string) => ({ type: "message", role: "user", content });
const call = (id: string, more: JsonObject = {}) => ({
  type: "function_call",
  id: `fc_${id}`,
  call_id: id,
  name: "build",
  arguments: "{}",
  ...more,
});
const nameless = (name: string, output: string, more: JsonObject = {}) => ({
  type: "function_call_output",
  name,
  output,
  ...more,
});

function decode(input: readonly JsonObject[], tools: readonly JsonObject[] = [build]) {
  return codecs.responses.decodeRequest({
    path: "/responses",
    search: {},
    headers: {},
    body: { model: "m", input, tools },
  });
}

/** Tool results in the converted messages, as `id=text`, and the user's texts. */
function sentToMessages(input: readonly JsonObject[], tools?: readonly JsonObject[]) {
  const { request, notes } = repairTurns(decode(input, tools));
  const sent = encodeAtOnce(codecs.messages, { ...request, model: "claude-opus-5" });
  const { messages } = sent.wire.body as { messages: { role: string; content: unknown }[] };
  const blocks = messages.flatMap(({ content }) =>
    Array.isArray(content) ? content : [{ type: "text", text: content }]
  );
  return {
    results: blocks.filter(({ type }) => type === "tool_result").map((block) =>
      `${block.tool_use_id}=${block.content}${block.is_error ? "!" : ""}`
    ),
    said: blocks.filter(({ type }) => type === "text").map(({ text }) => text),
    notes: [...notes, ...sent.notes].map(({ path, action }) => `${path} ${action}`),
  };
}

Deno.test("an output without call_id answers the newest open call of its name", () => {
  const { results, notes } = sentToMessages([
    user("a"),
    call("call_1"),
    call("call_2"),
    nameless("build", "second"),
    nameless("build", "first"),
  ]);
  assertEquals(results, ["call_1=first", "call_2=second"]);
  assertEquals(notes, []); // the order of parallel results does not matter
});

Deno.test("an output without call_id leaves calls alone that others answer by id", () => {
  const { results } = sentToMessages([
    user("a"),
    call("call_1"),
    call("call_2"),
    nameless("build", "first"),
    { type: "function_call_output", call_id: "call_2", output: "second" },
  ]);
  assertEquals(results, ["call_1=first", "call_2=second"]);
});

Deno.test("an output without call_id goes to the call of its own namespace", () => {
  const { results } = sentToMessages([
    user("a"),
    call("call_1", { namespace: "ci" }),
    call("call_2", { namespace: "local" }),
    nameless("build", "from ci", { namespace: "ci" }),
    nameless("build", "from local"),
  ]);
  assertEquals(results, ["call_1=from ci", "call_2=from local"]);
});

Deno.test("an output without call_id and without its call becomes the user's words, with a note", () => {
  const { results, said, notes } = sentToMessages([user("a"), nameless("build", "done")]);
  assertEquals(results, []);
  assertEquals(said, ["a", "[result of tool call build]", "done"]);
  assertEquals(notes, ["turns[1] repaired"]);
});

Deno.test("a custom tool's output without call_id answers its call", () => {
  const { results } = sentToMessages([
    user("a"),
    { type: "custom_tool_call", id: "ctc_1", call_id: "call_1", name: "patch", input: "x" },
    { type: "custom_tool_call_output", name: "patch", output: "applied" },
  ], [{ type: "custom", name: "patch" }]);
  assertEquals(results, ["call_1=applied"]);
});

Deno.test("outputs without call_id go back to their own format as they came", () => {
  const input = [user("a"), call("call_1"), nameless("build", "ok", { namespace: "ci" })];
  const { wire, notes } = encodeAtOnce(codecs.responses, decode(input));
  assertEquals((wire.body.input as JsonObject[])[2], input[2]);
  assertEquals(notes, []);
});

Deno.test("an output needs the id or the name of its call", () => {
  let message = "";
  try {
    decode([user("a"), { type: "function_call_output", output: "ok" }]);
  } catch (error) {
    message = String(error);
  }
  assertEquals(message.includes("input[1].call_id"), true, message);
});

const asynchronous = { ...build, async: true };

Deno.test("an async call without a result yet has a stand-in, and its later result becomes the user's words", () => {
  const { results, said, notes } = sentToMessages([
    user("a"),
    call("call_1", { async: true }),
    { type: "message", role: "assistant", content: [{ type: "output_text", text: "Started" }] },
    user("And now?"),
    { type: "message", role: "assistant", content: [{ type: "output_text", text: "Wait" }] },
    { type: "function_call_output", call_id: "call_1", output: "built" },
  ], [asynchronous]);
  assertEquals(results, ["call_1=[no result yet: the tool call is still running]"]);
  assertEquals(said, [
    "a",
    "Started",
    "And now?",
    "Wait",
    "[result of tool call build]",
    "built",
  ]);
  assertEquals(notes.includes("tools[0].native.async dropped"), true, String(notes));
});

Deno.test("an async call that is answered at once is a call as any other", () => {
  const { results } = sentToMessages([
    user("a"),
    call("call_1", { async: true }),
    { type: "function_call_output", call_id: "call_1", output: "built" },
  ], [asynchronous]);
  assertEquals(results, ["call_1=built"]);
});

for (const format of ["chat-completions", "messages", "generate-content"] as const) {
  Deno.test(`async tools of every kind lose the flag with a note on the way to ${format}`, () => {
    const tools = [
      asynchronous,
      { type: "custom", name: "patch", async: true },
      { type: "namespace", name: "ci", description: "CI", tools: [asynchronous] },
      { ...build, name: "plain", async: false },
    ];
    const { wire, notes } = encodeAtOnce(codecs[format], decode([user("a")], tools));
    const flags = notes.filter(({ path }) => path.endsWith(".async")).map(({ path }) => path);
    assertEquals(flags.map((path) => path.replace(".native", "")), [
      "tools[0].async",
      "tools[1].async",
      "tools[2].async",
    ]);
    assertEquals(JSON.stringify(wire.body).includes("async"), false);
  });
}

Deno.test("an async call and its later result go back to their own format as they came", () => {
  const input = [
    user("a"),
    call("call_1", { async: true }),
    call("call_2", { async: true }),
    { type: "function_call_output", call_id: "call_2", output: "at once" },
    { type: "message", role: "assistant", content: [{ type: "output_text", text: "Wait" }] },
    { type: "function_call_output", call_id: "call_1", output: "built" },
  ];
  const { request, notes } = repairTurns(decode(input, [asynchronous]), "responses");
  const { wire } = encodeAtOnce(codecs.responses, request);
  const typesAndIds = (items: readonly JsonObject[]) => items.map((one) => [one.type, one.call_id]);
  assertEquals(typesAndIds(wire.body.input as JsonObject[]), typesAndIds(input));
  assertEquals(notes, []);
});
