import { assert, assertEquals, assertThrows } from "@std/assert";
import { GatewayError, type JsonObject } from "../../../lib/canonical/mod.ts";
import { decode, encode } from "./wire.ts";

Deno.test("decodeRequest makes one assistant turn of a run of items, and one user turn of results", () => {
  const { turns } = decode({
    input: [
      { role: "user", content: "go" },
      { type: "reasoning", id: "rs_1", summary: [], encrypted_content: "sealed" },
      { role: "assistant", content: [{ type: "output_text", text: "both" }], id: "msg_1" },
      { type: "function_call", call_id: "a", name: "f", arguments: "" },
      { type: "custom_tool_call", call_id: "b", name: "g", input: "free" },
      { type: "function_call_output", call_id: "a", output: "" },
      {
        type: "custom_tool_call_output",
        call_id: "b",
        output: [{ type: "input_text", text: "r" }],
      },
      { role: "user", content: "next" },
    ],
  });
  assertEquals(turns.map(({ role, parts }) => [role, parts.map(({ type }) => type)]), [
    ["user", ["text"]],
    ["assistant", ["reasoning", "text", "tool-call", "tool-call"]],
    ["user", ["tool-result", "tool-result"]],
    ["user", ["text"]],
  ]);
  const [reasoning, , call, custom] = turns[1].parts;
  assertEquals(reasoning.continuation, { issuer: "responses", data: "sealed", itemId: "rs_1" });
  assert(reasoning.type === "reasoning" && reasoning.visibility === "redacted");
  assert(call.type === "tool-call" && call.arguments === "{}");
  assert(custom.type === "tool-call" && custom.kind === "custom" && custom.arguments === "free");
});

Deno.test("decodeRequest takes instructions first and leading system messages after them", () => {
  const { instructions, turns } = decode({
    instructions: "one",
    input: [
      {
        role: "developer",
        content: [{ type: "input_text", text: "two" }, { type: "input_text", text: "three" }],
      },
      { role: "system", content: "four" },
      { role: "user", content: "hi" },
      { role: "developer", content: "five" },
    ],
  });
  assertEquals(instructions.map(({ text }) => text), ["one", "two", "three", "four"]);
  assertEquals(turns.map(({ role }) => role), ["user", "system"]);
});

Deno.test("decodeRequest takes the loose forms that clients send", () => {
  const request = decode({
    input: [
      { role: "user", content: "x" },
      { id: "msg_7" },
      { type: "function_call_output", call_id: "c", output: "y", status: "completed" },
    ],
    text: {},
    include: [],
    tools: [{ type: "function", name: "f", parameters: null, strict: null, description: null }],
    tool_choice: null,
    metadata: null,
    reasoning: null,
    instructions: null,
  });
  assertEquals(request.turns[1].parts.map(({ type }) => type), ["native", "tool-result"]);
  assertEquals(request.tools.length, 1);
});

Deno.test("decodeRequest leaves out ids that this gateway made, and reasoning without proof stays no vendor's", () => {
  const { turns } = decode({
    input: [
      { type: "reasoning", id: "rs_tsr_1_0", summary: [{ type: "summary_text", text: "t" }] },
      {
        type: "message",
        role: "assistant",
        id: "msg_tsr_1_1",
        status: "completed",
        content: [{ type: "output_text", text: "a" }],
      },
      { type: "function_call", id: "fc_tsr_1_2", call_id: "c", name: "f", arguments: "{}" },
    ],
  });
  const { body, notes } = encode({ ...decode({ input: [] }), turns });
  assertEquals(body.input.map(({ id, type }: JsonObject) => [type, id ?? null]), [
    ["message", null],
    ["function_call", null],
  ]);
  assertEquals(notes, ["turns[0].parts[0] dropped"]);
});

Deno.test("decodeRequest keeps a system message in place after the first turn", () => {
  const { instructions, turns } = decode({
    input: [{ role: "assistant", content: "first" }, { role: "system", content: "then" }],
  });
  assertEquals([instructions.length, turns.map(({ role }) => role)], [0, ["assistant", "system"]]);
});

Deno.test("decodeRequest refuses a description of a custom tool that is no text", () => {
  const tools = [{ type: "custom", name: "f", description: 5 }];
  const error = assertThrows(() => decode({ input: "x", tools }), GatewayError);
  assertEquals(error.param, "tools[0].description");
});
