import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import {
  collect,
  type FormatName,
  formatNames,
  isJsonObject,
  type JsonObject,
  type Part,
} from "../../../lib/canonical/mod.ts";
import { itemCharsMax } from "../../../lib/formats/answer/item_markdown.ts";
import { codecs } from "../../../lib/formats/mod.ts";
import { nativeItem } from "../../../lib/formats/responses/answer/hosted_markdown.ts";
import { threadCpuTimeMs } from "../../cpu_time.ts";
import { modelOf, recordedCases, wireOf } from "../recorded_wire.ts";
import { hostedCases } from "./hosted_markdown_cases.ts";

/** An item has the same text in a history, in a whole answer and in a stream. */

const models = {
  "chat-completions": "gpt-5",
  responses: "gpt-5",
  messages: "claude-sonnet-4-5",
  "generate-content": "gemini-2.5-flash",
} as const satisfies Record<FormatName, string>;

const histories: Readonly<Record<FormatName, (item: JsonObject) => JsonObject>> = {
  "chat-completions": (item) => ({
    model: models["chat-completions"],
    messages: [{ role: "user", content: [item] }],
  }),
  responses: (item) => ({ model: models.responses, input: [item] }),
  messages: (item) => ({
    model: models.messages,
    max_tokens: 1,
    messages: [{ role: "assistant", content: [item] }],
  }),
  "generate-content": (item) => ({ contents: [{ role: "model", parts: [item] }] }),
};

type Answered = Exclude<FormatName, "chat-completions">;

const answers: Readonly<Record<Answered, (item: JsonObject) => JsonObject>> = {
  responses: (item) => ({ id: "resp_1", model: "m", status: "completed", output: [item] }),
  messages: (item) => ({
    id: "msg_1",
    type: "message",
    role: "assistant",
    model: "m",
    content: [item],
    stop_reason: "end_turn",
  }),
  "generate-content": (item) => ({
    candidates: [{ content: { role: "model", parts: [item] }, finishReason: "STOP" }],
  }),
};

/** The events of an item: announced with little, complete at its end. */
const streams: Readonly<Record<Answered, (item: JsonObject) => JsonObject[]>> = {
  responses: (item) => [
    {
      type: "response.output_item.added",
      output_index: 0,
      item: { type: item.type, id: "i_1", status: "in_progress" },
    },
    { type: "response.output_item.done", output_index: 0, item },
    { type: "response.completed", response: answers.responses(item) },
  ],
  messages: (item) => [
    { type: "message_start", message: { id: "msg_1", model: "m", content: [] } },
    ...blockEvents(item),
    { type: "message_delta", delta: { stop_reason: "end_turn" } },
    { type: "message_stop" },
  ],
  "generate-content": (item) => [answers["generate-content"](item)],
};

function blockEvents(item: JsonObject): JsonObject[] {
  const input = isJsonObject(item.input) ? JSON.stringify(item.input) : "";
  const pieces = input.match(/.{1,3}/gs) ?? [];
  return [
    {
      type: "content_block_start",
      index: 0,
      content_block: input === "" ? item : { ...item, input: {} },
    },
    ...pieces.map((partial_json) => ({
      type: "content_block_delta",
      index: 0,
      delta: { type: "input_json_delta", partial_json },
    })),
    { type: "content_block_stop", index: 0 },
  ];
}

function partsOfHistory(format: FormatName, item: JsonObject): readonly Part[] {
  const wire = wireOf[format](histories[format](item), models[format]);
  return codecs[format].decodeRequest(wire).turns.flatMap(({ parts }) => parts);
}

function partsOfStream(format: Answered, item: JsonObject): readonly Part[] {
  const decoder = codecs[format].eventDecoder();
  const events = [
    ...streams[format](item).flatMap((event) => decoder.push({ data: JSON.stringify(event) })),
    ...decoder.end(),
  ];
  return collect(events).alternatives.flatMap(({ parts }) => parts);
}

/** An item that asks for an answer is a call beside its text, and content of a message is marked. */
function bare(part: Part): Part {
  if (part.type !== "native") return part;
  const { call: _, isContent: _marked, ...rest } = part;
  return rest;
}

function isAnswered(format: FormatName): format is Answered {
  return format !== "chat-completions";
}

for (const format of formatNames) {
  for (const { name, item, text } of hostedCases[format]) {
    Deno.test(`${format} item in words: ${name}`, () => {
      const native = {
        type: "native",
        format,
        value: item,
        ...(text !== undefined && { text }),
      } as const;
      assertEquals(partsOfHistory(format, item).map(bare), [native]);
      if (!isAnswered(format)) return;
      const whole = codecs[format].decodeResponse(answers[format](item));
      assertEquals(whole.alternatives.flatMap(({ parts }) => parts).map(bare), [native]);
      assertEquals(partsOfStream(format, item).map(bare), [native]);
    });
  }
}

const longOutputs = {
  responses: (text: string) => ({
    type: "mcp_call",
    server_label: "s",
    name: "n",
    arguments: "",
    output: text,
  }),
  messages: (text: string) => ({
    type: "code_execution_tool_result",
    tool_use_id: "srvtoolu_1",
    content: { type: "code_execution_result", stdout: text, stderr: "", return_code: 0 },
  }),
  "generate-content": (text: string) => ({
    codeExecutionResult: { outcome: "OUTCOME_OK", output: text },
  }),
} as const satisfies Record<Answered, (text: string) => JsonObject>;

for (const format of formatNames.filter(isAnswered)) {
  Deno.test(`${format} item in words: an output of 300 KB is cut and says so`, () => {
    const [part] = partsOfHistory(format, longOutputs[format]("😀".repeat(75_000)));
    assert(part?.type === "native" && part.text !== undefined);
    assert(part.text.length < itemCharsMax + 200, `${part.text.length} characters`);
    assert(part.text.isWellFormed());
    assertStringIncludes(part.text, "\n```\n\n[… 13");
  });
}

Deno.test("responses item in words: outputs of empty lines take no time of their own", () => {
  const logs = `a${"\n".repeat(15_000)}b`;
  const began = threadCpuTimeMs();
  for (let times = 0; times < 20; times++) {
    const { text = "" } = nativeItem({
      type: "code_interpreter_call",
      code: "",
      outputs: [{ type: "logs", logs }],
    });
    assertStringIncludes(text, logs);
  }
  assert(threadCpuTimeMs() - began < 2_000);
});

Deno.test("responses item in words: the name of a file begins no block and no link", () => {
  const filename = "a\n```\n[pay](https://evil.example) <b>";
  const { text } = nativeItem({
    type: "file_search_call",
    queries: [],
    results: [{ filename, text: "found" }],
  });
  assertEquals(
    text,
    "a \\`\\`\\` \\[pay\\](https://evil.example) \\<b>:\n\n```\nfound\n```",
  );
});

Deno.test("responses item in words: an image that was made says its prompt in a history", () => {
  const item = { type: "image_generation_call", id: "ig_1", result: "aGk=", revised_prompt: "Tea" };
  const [part] = partsOfHistory("responses", item);
  assertEquals(part, {
    type: "native",
    format: "responses",
    value: item,
    text: "Image generated: `Tea`",
  });
});

Deno.test("responses content part of unknown type says its text", () => {
  const content = [{ type: "novelty", text: "new" }];
  const [part] = partsOfHistory("responses", { type: "message", role: "user", content });
  assert(part?.type === "native");
  assertEquals(part.text, "new");
});

Deno.test("recorded answers: every item of web search has its words", () => {
  let searches = 0;
  for (const [, byFormat] of recordedCases()) {
    for (const format of formatNames) {
      const body = byFormat[format]?.files.response;
      if (!isJsonObject(body) || modelOf(format, byFormat[format]) === "") continue;
      for (const { parts } of codecs[format].decodeResponse(body).alternatives) {
        for (const part of parts) {
          if (part.type !== "native" || !/web_search/.test(JSON.stringify(part.value))) continue;
          assert(part.text, JSON.stringify(part.value).slice(0, 200));
          searches++;
        }
      }
    }
  }
  if (recordedCases().size > 0) assert(searches >= 14, `${searches} searches`);
});
