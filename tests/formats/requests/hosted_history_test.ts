import { assert, assertEquals } from "@std/assert";
import {
  type CanonicalRequest,
  type FormatName,
  formatNames,
  isJsonObject,
  type JsonObject,
  type Part,
  repairTurns,
  type Turn,
} from "../../../lib/canonical/mod.ts";
import { encodeAtOnce } from "../../../lib/formats/codec.ts";
import { codecs } from "../../../lib/formats/mod.ts";
import { objectsOf } from "../../../lib/formats/wire_value.ts";
import { refusalsOf } from "../../strict/mod.ts";
import { hostedCases } from "../answers/hosted_markdown_cases.ts";
import { modelOf, recordedCases, wireOf } from "../recorded_wire.ts";

/** Long histories with items of hosted tools, converted between every pair of formats. */

const models = {
  "chat-completions": "gpt-4.1",
  responses: "gpt-4.1",
  messages: "claude-sonnet-4-5",
  "generate-content": "gemini-2.5-flash",
} as const satisfies Record<FormatName, string>;

const headers: Readonly<Record<FormatName, Record<string, string>>> = {
  "chat-completions": {},
  responses: {},
  messages: { "anthropic-version": "2023-06-01" },
  "generate-content": {},
};

/** An output of a page or two, different at every position. */
function pages(seed: string): string {
  return Array.from({ length: 120 }, (_, line) => `${seed} ${line}: ${"word ".repeat(12)}`).join(
    "\n",
  );
}

/** Items that make histories long: code with its output. */
const longItems: Readonly<Record<FormatName, readonly JsonObject[]>> = {
  "chat-completions": [{ type: "novelty", text: pages("part") }],
  responses: [
    {
      type: "code_interpreter_call",
      id: "ci_9",
      status: "completed",
      container_id: "cntr_9",
      code: pages("code"),
      outputs: [{ type: "logs", logs: pages("log") }],
    },
    {
      type: "file_search_call",
      id: "fs_9",
      status: "completed",
      queries: ["all"],
      results: [{ file_id: "f", filename: "a.md", text: pages("file") }],
    },
  ],
  messages: [
    {
      type: "server_tool_use",
      id: "srvtoolu_9",
      name: "code_execution",
      input: { code: pages("code") },
    },
    {
      type: "code_execution_tool_result",
      tool_use_id: "srvtoolu_9",
      content: {
        type: "code_execution_result",
        stdout: pages("log"),
        stderr: "",
        return_code: 0,
        content: [],
      },
    },
  ],
  "generate-content": [
    { executableCode: { language: "PYTHON", code: pages("code") } },
    { codeExecutionResult: { outcome: "OUTCOME_OK", output: pages("log") } },
  ],
};

const rounds = 3;

function itemsOf(format: FormatName): JsonObject[] {
  const asked = format === "chat-completions"; // its items are in the user's messages
  const items = hostedCases[format].filter(({ text }) => !asked || text !== undefined)
    .map(({ item }) => item);
  return Array.from({ length: rounds }, () => [...items, ...longItems[format]]).flat();
}

const histories: Readonly<Record<FormatName, (items: readonly JsonObject[]) => JsonObject>> = {
  "chat-completions": (items) => ({
    model: models["chat-completions"],
    messages: items.flatMap((item, at) => [
      { role: "user", content: [{ type: "text", text: `Question ${at}` }, item] },
      { role: "assistant", content: `Answer ${at}` },
    ]).concat({ role: "user", content: "Go on" }),
  }),
  responses: (items) => ({
    model: models.responses,
    input: items.flatMap((item, at): JsonObject[] => [
      { role: "user", content: `Question ${at}` },
      item,
      { role: "assistant", content: `Answer ${at}` },
    ]).concat({ role: "user", content: "Go on" }),
  }),
  messages: (items) => ({
    model: models.messages,
    max_tokens: 100,
    messages: items.flatMap((item, at): JsonObject[] => [
      { role: "user", content: `Question ${at}` },
      { role: "assistant", content: [item, { type: "text", text: `Answer ${at}` }] },
    ]).concat({ role: "user", content: "Go on" }),
  }),
  "generate-content": (items) => ({
    contents: items.flatMap((item, at): JsonObject[] => [
      { role: "user", parts: [{ text: `Question ${at}` }] },
      { role: "model", parts: [item, { text: `Answer ${at}` }] },
    ]).concat({ role: "user", parts: [{ text: "Go on" }] }),
  }),
};

function decodedFrom(format: FormatName, body: JsonObject): CanonicalRequest {
  return codecs[format].decodeRequest(wireOf[format](body, models[format]));
}

/** The texts of each role, in order; an item of another format as its text. */
function said(turns: readonly Turn[]): string[] {
  return turns.flatMap(({ role, parts }) =>
    parts.flatMap((part) => wordsOf(part).map((words) => `${role}: ${words}`))
  );
}

function wordsOf(part: Part): string[] {
  if (part.type === "text") return [part.text];
  return part.type === "native" && part.text !== undefined ? [part.text] : [];
}

function noteOf({ text }: { readonly text?: string }): string {
  return text === undefined ? "dropped" : "emulated";
}

for (const from of formatNames) {
  for (const to of formatNames.filter((format) => format !== from)) {
    Deno.test(`a long history of ${from} with items of hosted tools, in ${to}`, () => {
      const body = histories[from](itemsOf(from));
      const bytes = JSON.stringify(body).length;
      assert(bytes > 20_000 && bytes < 250_000, `${bytes} bytes`);
      const { request } = repairTurns(decodedFrom(from, body));
      const { wire, notes } = encodeAtOnce(codecs[to], { ...request, model: models[to] });
      const asked = { path: wire.path, headers: new Headers(headers[to]), body: sent(wire.body) };
      assertEquals(refusalsOf(to, asked), []);
      assertEquals(said(decodedFrom(to, sent(wire.body)).turns), said(request.turns));
      const told = new Map(notes.map(({ path, action }) => [path, action]));
      for (const [turn, { parts }] of request.turns.entries()) {
        for (const [at, part] of parts.entries()) {
          if (part.type !== "native") continue;
          assertEquals(told.get(`turns[${turn}].parts[${at}]`), noteOf(part), `${turn} ${at}`);
        }
      }
    });
  }
}

/** The body as it arrives. */
function sent(body: JsonObject): JsonObject {
  return JSON.parse(JSON.stringify(body));
}

const image: Part = {
  type: "image",
  source: { type: "base64", data: "iVBORw0KGgo=" },
  mediaType: "image/png",
};

Deno.test("generate-content: a system turn keeps its media and says its items, each with a note", () => {
  const parts: Part[] = [
    { type: "native", format: "responses", value: { type: "configuration_update" } },
    { type: "native", format: "responses", value: { type: "novelty" }, text: "Some words" },
    image,
  ];
  const request = decodedFrom("responses", histories.responses([]));
  const { wire, notes } = encodeAtOnce(codecs["generate-content"], {
    ...request,
    model: models["generate-content"],
    turns: [...request.turns, { role: "system", parts }],
  });
  assertEquals(wire.body.contents, [{
    role: "user",
    parts: [
      { text: "Go on" },
      { text: "<system-reminder>\nSome words\n</system-reminder>" },
      { inlineData: { mimeType: "image/png", data: "iVBORw0KGgo=" } },
    ],
  }]);
  assertEquals(notes.map(({ path, action }) => `${path} ${action}`), [
    "turns[1] emulated",
    "turns[1].parts[0] dropped",
    "turns[1].parts[1] emulated",
  ]);
});

for (const to of formatNames) {
  Deno.test(`${to}: an item of another format in a tool's result is text of the result`, () => {
    const format = to === "responses" ? "messages" : "responses";
    const words: Part = { type: "native", format, value: { type: "novelty" }, text: "Some words" };
    const call: Part = {
      type: "tool-call",
      id: "call_1",
      name: "f",
      arguments: "{}",
      kind: "function",
    };
    const result: Part = {
      type: "tool-result",
      callId: "call_1",
      kind: "function",
      isError: false,
      parts: [words],
    };
    const { wire, notes } = encodeAtOnce(codecs[to], {
      ...decodedFrom("responses", { model: models[to], input: "Go on" }),
      turns: [
        { role: "user", parts: [{ type: "text", text: "Go on" }] },
        { role: "assistant", parts: [call] },
        { role: "user", parts: [result] },
      ],
    });
    const results = decodedFrom(to, sent(wire.body)).turns.flatMap(({ parts }) => parts)
      .filter((part) => part.type === "tool-result");
    assertEquals(results.map(({ parts }) => parts.flatMap(wordsOf)), [["Some words"]]);
    const told = notes.filter(({ path }) => path === "turns[2].parts[0].parts[0]");
    assertEquals(told.map(({ action }) => action), ["emulated"]);
  });
}

Deno.test("generate-content: a continuation is on its own part, not on the text of an item before it", () => {
  const request = decodedFrom("responses", histories.responses([]));
  const { wire } = encodeAtOnce(codecs["generate-content"], {
    ...request,
    model: "gemini-3-pro-preview",
    turns: [...request.turns, {
      role: "assistant",
      parts: [
        {
          type: "reasoning",
          text: "",
          visibility: "redacted",
          continuation: { issuer: "generate-content", data: "c2lnbmVk" },
        },
        { type: "native", format: "responses", value: { type: "novelty" }, text: "Some words" },
        { type: "text", text: "Said" },
      ],
    }],
  });
  const [, said] = objectsOf(wire.body.contents);
  assertEquals(said.parts, [
    { text: "Some words" },
    { text: "Said", thoughtSignature: "c2lnbmVk" },
  ]);
});

Deno.test("recorded histories with web searches keep their words in every format", () => {
  let told = 0;
  for (const [, byFormat] of recordedCases()) {
    for (const from of formatNames) {
      const recording = byFormat[from];
      const body = recording?.files["followup-request"];
      if (!isJsonObject(body)) continue;
      const wire = wireOf[from](body, modelOf(from, recording));
      const { request } = repairTurns(codecs[from].decodeRequest(wire));
      const words = request.turns.flatMap(({ parts }) =>
        parts.flatMap((part) =>
          part.type === "native" && part.text !== undefined ? [part.text] : []
        )
      );
      for (const to of formatNames.filter((format) => format !== from)) {
        if (words.length === 0) continue;
        const encoded = encodeAtOnce(codecs[to], { ...request, model: models[to] });
        const texts = said(decodedFrom(to, sent(encoded.wire.body)).turns);
        for (const text of words) assert(texts.includes(`assistant: ${text}`), text.slice(0, 200));
        told += words.length;
      }
    }
  }
  if (recordedCases().size > 0) assert(told >= 30, `${told} items`);
});
