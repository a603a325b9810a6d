import { assertEquals } from "@std/assert";
import {
  type FormatName,
  formatNames,
  type JsonObject,
  repairTurns,
} from "../../../lib/canonical/mod.ts";
import { encodeAtOnce } from "../../../lib/formats/codec.ts";
import { codecs } from "../../../lib/formats/mod.ts";

/** Changes within a conversation (2026-07 to 2026-11): the effort, the output format, the tools. */

const ask = (content: string) => ({ type: "message", role: "user", content });
const person = { type: "object", properties: { name: { type: "string" } } };
const update = (members: JsonObject): JsonObject => ({ type: "configuration_update", ...members });
const asPerson = { text: { format: { type: "json_schema", name: "person", schema: person } } };

const ofResponses = (input: readonly JsonObject[], more: JsonObject = {}) =>
  codecs.responses.decodeRequest({
    path: "/responses",
    search: {},
    headers: {},
    body: { model: "gpt-6-luna", input, ...more },
  });

const grep = {
  name: "grep",
  description: "Search",
  input_schema: { type: "object", properties: {} },
};
const ls = { name: "ls", input_schema: { type: "object", properties: {} } };
const offer = (definition: JsonObject): JsonObject => ({
  type: "tool_addition",
  tool: { type: "tool_definition", definition },
});
const named = (type: string, name: string): JsonObject => ({
  type,
  tool: { type: "tool_reference", name },
});
const user = (content: string): JsonObject => ({ role: "user", content });
const model = (content: string): JsonObject => ({ role: "assistant", content });
const system = (content: readonly JsonObject[], more: JsonObject = {}): JsonObject => ({
  role: "system",
  content,
  ...more,
});

const ofMessages = (messages: readonly JsonObject[], more: JsonObject = {}) =>
  codecs.messages.decodeRequest({
    path: "/v1/messages",
    search: {},
    headers: {},
    body: { model: "claude-opus-5", max_tokens: 4096, messages, ...more },
  });

const upstreamModels = {
  "chat-completions": "gpt-6-luna",
  responses: "gpt-6-luna",
  messages: "claude-opus-5",
  "generate-content": "gemini-4-argon",
} as const satisfies Record<FormatName, string>;

/** The request that the gateway sends. */
function sent(request: ReturnType<typeof ofMessages>, to: FormatName) {
  const { request: repaired } = repairTurns(request);
  const { wire, notes } = encodeAtOnce(codecs[to], { ...repaired, model: upstreamModels[to] });
  const again = codecs[to].decodeRequest(wire);
  return {
    body: wire.body,
    effort: again.reasoning?.effort,
    output: again.output?.type,
    tools: again.tools.map((tool) => "name" in tool ? tool.name : tool.type),
    notes: notes.map(({ path, action }) => `${path} ${action}`),
  };
}

for (const to of formatNames.filter((name) => name !== "responses")) {
  Deno.test(`the last configuration_update holds for the whole request in ${to}`, () => {
    const request = ofResponses([
      ask("a"),
      update({ reasoning: { effort: "medium" } }),
      ask("b"),
      update({ reasoning: { effort: "high" }, ...asPerson }),
      ask("c"),
    ], { reasoning: { effort: "low" } });
    const { body, effort, output, notes } = sent(request, to);
    assertEquals([effort, output], ["high", "schema"]);
    assertEquals(notes.filter((note) => note.startsWith("turns[")), [
      "turns[1] emulated",
      "turns[3] emulated",
    ]);
    assertEquals(JSON.stringify(body).includes("configuration_update"), false);
  });

  Deno.test(`a configuration_update may bring plain text back in ${to}`, () => {
    const back = update({ text: { format: { type: "text" } } });
    const { output } = sent(ofResponses([ask("a"), back], asPerson), to);
    assertEquals(output === undefined || output === "text", true);
  });

  Deno.test(`a configuration_update with words of tomorrow is left out with a note in ${to}`, () => {
    const request = ofResponses([ask("a"), update({ reasoning: { effort: "galactic" } })], {
      reasoning: { effort: "low" },
    });
    const { effort, notes } = sent(request, to);
    assertEquals(effort, "low");
    assertEquals(notes.filter((note) => note.startsWith("turns[1]")).length > 0, true);
  });
}

for (const to of formatNames.filter((name) => name !== "messages")) {
  Deno.test(`a tool that a message defines is declared to ${to}, and the effort of the message holds`, () => {
    const request = ofMessages([
      user("Hello"),
      system([offer(grep)], { output_config: { effort: "high" } }),
    ], { tools: [ls], output_config: { effort: "low" } });
    const { effort, tools, notes } = sent(request, to);
    assertEquals([effort, tools], ["high", ["ls", "grep"]]);
    assertEquals(notes, ["turns[1] emulated"]);
  });

  Deno.test(`a message of settings alone sets the effort in ${to}`, () => {
    const request = ofMessages([user("Hello"), {
      role: "system",
      output_config: { effort: "high" },
    }]);
    const { effort, notes } = sent(request, to);
    assertEquals([effort, notes], ["high", ["turns[1] emulated"]]);
  });

  Deno.test(`a tool that was taken back is not declared to ${to}, unless it was offered again`, () => {
    const request = ofMessages([
      user("a"),
      system([named("tool_removal", "ls"), named("tool_removal", "grep")]),
      model("b"),
      user("c"),
      system([named("tool_addition", "ls")]),
    ], { tools: [ls, grep] });
    assertEquals(sent(request, to).tools, ["ls"]);
  });

  Deno.test(`of several definitions of a tool ${to} gets the last`, () => {
    const later = { ...grep, description: "Search better" };
    const request = ofMessages([
      user("a"),
      system([offer(grep)]),
      user("b"),
      system([offer(later)]),
    ]);
    const { body, tools } = sent(request, to);
    assertEquals(tools, ["grep"]);
    assertEquals(JSON.stringify(body).includes("Search better"), true);
  });

  Deno.test(`a message that is shown only until the user's next one does not reach ${to} after it`, () => {
    const clear = { clear_at: "next_user_message" };
    const request = ofMessages([
      user("a"),
      { role: "system", content: "only then", ...clear },
      model("b"),
      user("c"),
      { role: "system", content: "just now", ...clear },
    ]);
    const { body, notes } = sent(request, to);
    const text = JSON.stringify(body);
    assertEquals([text.includes("only then"), text.includes("just now")], [false, true]);
    assertEquals(notes.includes("turns[1] dropped"), true);
  });

  Deno.test(`a toolset of an MCP server that a message offers is left out of ${to} with a note`, () => {
    const toolset = { type: "mcp_toolset_reference", server_name: "wiki" };
    const request = ofMessages([user("a"), system([{ type: "tool_addition", tool: toolset }])]);
    const { notes } = sent(request, to);
    assertEquals(notes.some((note) => note.startsWith("turns[1]")), true, String(notes));
  });
}

Deno.test("changes of a conversation go back to their own format as they came", () => {
  const items = [ask("a"), update({ reasoning: { effort: "high" } }), update(asPerson), ask("b")];
  const own = encodeAtOnce(codecs.responses, ofResponses(items, { reasoning: { effort: "low" } }));
  const [, ...updates] = own.wire.body.input as JsonObject[];
  assertEquals([updates.slice(0, 2), own.wire.body.reasoning, own.notes], [
    items.slice(1, 3),
    { effort: "low" },
    [],
  ]);
  const messages = [
    user("a"),
    system([offer(grep), named("tool_removal", "ls")], { output_config: { effort: "high" } }),
    model("b"),
    user("c"),
    { role: "system", output_config: { effort: "low" } },
    { role: "system", content: "now", clear_at: "next_user_message" },
  ];
  const { wire, notes } = encodeAtOnce(
    codecs.messages,
    repairTurns(ofMessages(messages, { tools: [ls] })).request,
  );
  assertEquals([wire.body.messages, wire.body.tools, notes], [messages, [ls], []]);
});

Deno.test("system messages at the front keep their tools and settings", () => {
  const request = ofMessages([
    { role: "system", content: "Be brief" },
    system([{ type: "text", text: "Look well" }, offer(grep)], {
      output_config: { effort: "max" },
    }),
    user("a"),
  ]);
  assertEquals(request.instructions.map(({ text }) => text), ["Be brief"]);
  const { body, tools } = sent(request, "chat-completions");
  assertEquals(tools, ["grep"]);
  assertEquals(JSON.stringify(body).includes("Look well"), true);
});
