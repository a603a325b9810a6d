import { assertEquals } from "@std/assert";
import type { CanonicalResponse, JsonObject, ReasoningPart } from "../../../lib/canonical/mod.ts";
import { noUsage } from "../../../lib/canonical/mod.ts";
import { encodeAtOnce } from "../../../lib/formats/codec.ts";
import { codecs } from "../../../lib/formats/mod.ts";
import { responses } from "../../../lib/formats/responses/mod.ts";
import { contextOf } from "../codec_suite.ts";

/** Behaviour of responses agents that the vendor's reference does not document. */

const exec = {
  type: "custom",
  name: "exec",
  description: "Runs a program",
  format: { type: "grammar", syntax: "lark", definition: "start: /.+/" },
};
const wait = { type: "function", name: "wait", parameters: { type: "object" }, strict: false };
const namespace = { type: "namespace", name: "functions", description: "", tools: [exec, wait] };
const item = { type: "additional_tools", id: "at_1", role: "developer", tools: [namespace] };
const developer = {
  type: "message",
  role: "developer",
  content: [{ type: "input_text", text: "You are an agent" }],
};
const user = { type: "message", role: "user", content: [{ type: "input_text", text: "Go" }] };

const decoded = (input: readonly JsonObject[]) =>
  responses.decodeRequest({
    path: "/responses",
    search: {},
    headers: {},
    body: { model: "m", input: [...input] },
  });

Deno.test("responses request: tools that an item of the input brings are tools for every format", () => {
  const request = decoded([item, developer, user]);
  assertEquals(request.tools.map((tool) => tool.type === "native" ? "" : tool.type), [
    "custom",
    "function",
  ]);
  assertEquals(request.instructions.map(({ text }) => text), ["You are an agent"]);
  for (const format of ["chat-completions", "messages", "generate-content"] as const) {
    const { wire, notes } = encodeAtOnce(codecs[format], request);
    const sent = JSON.stringify(wire.body.tools);
    assertEquals([sent.includes("exec"), sent.includes("wait")], [true, true], format);
    assertEquals(notes.filter(({ path }) => path.startsWith("turns")), [], format);
  }
});

Deno.test("responses request: such an item goes back as it came, and its tools are not stated twice", () => {
  const { wire: { body } } = encodeAtOnce(responses, decoded([item, developer, user]));
  assertEquals(body.tools, undefined);
  assertEquals((body.input as JsonObject[])[0], item);
  assertEquals((body.input as JsonObject[]).length, 3);
});

Deno.test("responses request: such an item later on, or with a tool of this format alone, keeps its place", () => {
  const search = { ...item, tools: [namespace, { type: "tool_search" }] };
  for (const input of [[user, item], [search, user]]) {
    const request = decoded(input);
    assertEquals(request.tools.map((tool) => "name" in tool && tool.name), ["exec", "wait"]);
    assertEquals(encodeAtOnce(responses, request).wire.body.input, input);
    assertEquals(encodeAtOnce(responses, request).wire.body.tools, undefined);
  }
});

Deno.test("responses answer: raw thoughts of another vendor come home where the client leaves them out", () => {
  const thought: ReasoningPart = {
    type: "reasoning",
    text: "hm",
    visibility: "raw",
    continuation: { issuer: "chat-completions", data: '{"reasoning_content":true}' },
  };
  const answer: CanonicalResponse = {
    id: "x",
    model: "m",
    alternatives: [{
      finishReason: "stop",
      parts: [thought, { type: "text", text: "yes" }],
    }],
    usage: noUsage,
  };
  const { output } = responses.encodeResponse(answer, contextOf({}));
  const [{ content: _, ...replayed }, ...rest] = output as JsonObject[];
  const { turns } = decoded([user, replayed, ...rest, user]);
  const [{ native: __, ...again }] = turns[1].parts as ReasoningPart[];
  assertEquals({ ...again, continuation: thought.continuation }, thought);
  assertEquals(again.continuation?.data, thought.continuation?.data);
});
