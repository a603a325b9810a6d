import { assertEquals } from "@std/assert";
import { formatNames, type JsonObject } from "../../../lib/canonical/mod.ts";
import { codecs } from "../../../lib/formats/mod.ts";
import { post, replied, said } from "../generate_content/wire.ts";
import { converted, longBodies } from "./long_request.ts";
import { upstreamModels } from "./upstream_models.ts";

/**
 * Function responses that clients of generate-content wrap (seen in their sources, 2026-11) are
 * sent to other formats without the wrapper.
 */

const from = "generate-content";
const long = "src/main.ts: 1 match\n".repeat(100);

const rows: readonly {
  readonly client: string;
  readonly response: JsonObject;
  readonly texts: readonly string[];
  readonly isError?: true;
}[] = [
  { client: "the vendor's own", response: { output: long }, texts: [long] },
  { client: "the vendor's own with JSON", response: { output: { a: 1 } }, texts: ['{"a":1}'] },
  { client: "the vendor's own with nothing", response: { output: "" }, texts: [] },
  { client: "the vendor's Python SDK", response: { result: long }, texts: [long] },
  { client: "the vendor's Python SDK with a list", response: { result: [1] }, texts: ["[1]"] },
  { client: "the vendor's Python SDK with null", response: { result: null }, texts: ["null"] },
  { client: "the vendor's cloud samples", response: { content: long }, texts: [long] },
  { client: "AI SDK", response: { name: "shell", content: long }, texts: [long] },
  {
    client: "AI SDK with JSON",
    response: { name: "shell", content: { a: [1] } },
    texts: ['{"a":[1]}'],
  },
  {
    client: "AI SDK failed",
    response: { name: "shell", error: "no file" },
    texts: ["no file"],
    isError: true,
  },
  {
    client: "LangChain with blocks",
    response: { result: [{ text: "a" }, { text: "b" }] },
    texts: ["a", "b"],
  },
  {
    client: "LangChain failed",
    response: { error: { details: "no" } },
    texts: ["no"],
    isError: true,
  },
  { client: "MCP", response: { content: [{ type: "text", text: long }] }, texts: [long] },
  { client: "any, failed", response: { error: "no file" }, texts: ["no file"], isError: true },
  {
    client: "any, failed with JSON",
    response: { error: { code: 1 } },
    texts: ['{"code":1}'],
    isError: true,
  },
  { client: "a result of its own", response: { a: 1, unit: "F" }, texts: ['{"a":1,"unit":"F"}'] },
  {
    client: "a result with more",
    response: { result: "1", took: 2 },
    texts: ['{"result":"1","took":2}'],
  },
  {
    client: "a person's name",
    response: { name: "Ada", content: "x" },
    texts: ['{"name":"Ada","content":"x"}'],
  },
  { client: "a name alone", response: { name: "shell" }, texts: ['{"name":"shell"}'] },
  { client: "an empty object", response: {}, texts: [] },
];

function bodyOf(response: JsonObject): JsonObject {
  const call = { functionCall: { id: "last", name: "shell", args: {} } };
  const answer = { functionResponse: { id: "last", name: "shell", response } };
  const { contents, ...rest } = longBodies[from];
  return { ...rest, contents: [...contents, replied(call), said(answer)] };
}

for (const { client, response, texts, isError = false } of rows) {
  for (const to of formatNames) {
    Deno.test(`functionResponse of ${client} in ${to}: ${JSON.stringify(response).slice(0, 50)}`, () => {
      const { body, notes } = converted(bodyOf(response), { from, to, model: upstreamModels[to] });
      const told = isError && (to === "chat-completions" || to === "responses");
      assertEquals(notes.map(({ path }) => path.split(".").at(-1)), told ? ["isError"] : []);
      const wire = { ...post(body, "m"), path: to === from ? post(body, "m").path : "" };
      const part = codecs[to].decodeRequest(wire).turns.at(-1)?.parts.at(-1);
      if (part?.type !== "tool-result") throw new Error("The last part is no result");
      const read = part.parts.map((part) => part.type === "text" ? part.text : "");
      const expected = told ? [`Error: ${texts.join()}`] : texts;
      assertEquals(read.join("\n"), expected.join("\n"));
      if (!told) assertEquals(part.isError, isError);
      if (to === from) assertEquals(body, bodyOf(response));
    });
  }
}

Deno.test("a result's text is the same after a way through generate-content and back", () => {
  for (const text of [long, '{"a":1}', "", '{"output":"x"}']) {
    const chat = {
      ...longBodies["chat-completions"],
      messages: [
        ...longBodies["chat-completions"].messages.slice(0, -1),
        { role: "tool", tool_call_id: "call_23", content: text },
      ],
    };
    const there = converted(chat, { from: "chat-completions", to: from, model: "gemini-3-pro" });
    const back = converted(there.body, { from, to: "chat-completions", model: "gpt-5.1" });
    const messages = back.body.messages as readonly JsonObject[]; // sound: the codec wrote them
    assertEquals(messages.at(-1), { role: "tool", tool_call_id: "call_23", content: text });
  }
});
