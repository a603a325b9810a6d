import { assertEquals } from "@std/assert";
import {
  collect,
  type FinishReason,
  type FormatName,
  formatNames,
  type JsonObject,
} from "../../../lib/canonical/mod.ts";
import { codecs } from "../../../lib/formats/mod.ts";
import type { ServerSentEvent } from "../../../lib/formats/wire.ts";
import { assertLaws, assertValid, contextOf, decoded, encoded } from "../codec_suite.ts";

/** Stream events that vendors have added since the summer of 2026. */

function chunk(delta: JsonObject, finish: string | null = null): ServerSentEvent {
  const choices = [{ index: 0, delta, finish_reason: finish }];
  const head = { id: "c", object: "chat.completion.chunk", created: 1, model: "m" };
  return { data: JSON.stringify({ ...head, choices, obfuscation: "aZ81kq" }) };
}

function chat(deltas: readonly JsonObject[], finish: string): ServerSentEvent[] {
  const usage = {
    prompt_tokens: 9,
    completion_tokens: 4,
    total_tokens: 13,
    prompt_tokens_details: { text_tokens: 9, image_tokens: 0, cached_tokens: 0 },
  };
  return [
    ...deltas.map((delta) => chunk(delta)),
    chunk({}, finish),
    { data: JSON.stringify({ id: "c", choices: [], usage, metadata: { run: "1" } }) },
    { data: "[DONE]" },
  ];
}

const response = { id: "resp_1", object: "response", created_at: 1, model: "m" };

function responses(events: readonly JsonObject[], more: JsonObject = {}): ServerSentEvent[] {
  const usage = { input_tokens: 9, output_tokens: 4, total_tokens: 13 };
  const all: JsonObject[] = [
    { type: "response.created", response: { ...response, status: "in_progress", output: [] } },
    ...events,
    {
      type: "response.completed",
      response: { ...response, status: "completed", output: [], usage, ...more },
    },
  ];
  return all.map((wire, at) => ({
    event: String(wire.type),
    data: JSON.stringify({ ...wire, sequence_number: at }),
  }));
}

function item(index: number, done: JsonObject, between: readonly JsonObject[] = []): JsonObject[] {
  const begun = { ...done, status: "in_progress", content: [], arguments: "" };
  return [
    { type: "response.output_item.added", output_index: index, item: begun },
    ...between.map((wire) => ({ output_index: index, ...wire })),
    { type: "response.output_item.done", output_index: index, item: done },
  ];
}

const part = { type: "output_text", text: "Hi", annotations: [] };
const message = { id: "msg_1", type: "message", role: "assistant", status: "completed" };

function text(index: number): JsonObject[] {
  return item(index, { ...message, content: [part] }, [
    { type: "response.content_part.added", content_index: 0, part: { ...part, text: "" } },
    { type: "response.output_text.delta", content_index: 0, delta: "Hi", obfuscation: "k2" },
    { type: "response.output_text.done", content_index: 0, text: "Hi" },
    { type: "response.content_part.done", content_index: 0, part },
  ]);
}

const shell = { id: "sh_1", type: "shell_call", call_id: "c1", action: { commands: ["ls"] } };
const shellEvents: JsonObject[] = [
  { type: "response.shell_call_command.added", command_index: 0, command: "" },
  { type: "response.shell_call_command.delta", command_index: 0, delta: "ls" },
  { type: "response.shell_call_command.done", command_index: 0, command: "ls" },
];
const shellOutput: JsonObject[] = [
  {
    type: "response.shell_call_output_content.delta",
    output_index: 1,
    item_id: "sho_1",
    command_index: 0,
    delta: { stdout: "a.ts" },
  },
  {
    type: "response.shell_call_output_content.done",
    output_index: 1,
    item_id: "sho_1",
    command_index: 0,
    output: [{ stdout: "a.ts", stderr: "", outcome: { type: "exit", exit_code: 0 } }],
  },
];
const compacting = { type: "response.compaction.compacting", output_index: 0, item_id: "cmp_1" };
const asyncCall = { id: "fc_1", type: "function_call", call_id: "c1", name: "f", async: true };

interface Case {
  readonly name: string;
  readonly format: FormatName;
  readonly stream: readonly ServerSentEvent[];
  /** The content for an application: texts, and calls as `name(arguments)`. */
  readonly says: readonly string[];
  readonly finish: FinishReason;
}

const cases: readonly Case[] = [
  {
    name: "a custom tool's input in pieces",
    format: "chat-completions",
    stream: chat([
      { role: "assistant", content: null },
      {
        tool_calls: [{
          index: 0,
          id: "call_1",
          type: "custom",
          custom: { name: "patch", input: "*** Be" },
        }],
      },
      { tool_calls: [{ index: 0, custom: { input: 'gin "x"' } }] },
    ], "tool_calls"),
    says: ['patch(*** Begin "x")'],
    finish: "tool-calls",
  },
  {
    name: "a custom tool beside a function",
    format: "chat-completions",
    stream: chat([
      { tool_calls: [{ index: 0, id: "call_1", type: "custom", custom: { name: "patch" } }] },
      {
        tool_calls: [
          { index: 0, custom: { input: "x" } },
          {
            index: 1,
            id: "call_2",
            type: "function",
            function: { name: "f", arguments: '{"a":1}' },
          },
        ],
      },
    ], "tool_calls"),
    says: ["patch(x)", 'f({"a":1})'],
    finish: "tool-calls",
  },
  {
    name: "a shell call with its events",
    format: "responses",
    stream: responses([...item(0, shell, shellEvents), ...shellOutput, ...text(2)]),
    says: ["Hi"],
    finish: "stop",
  },
  {
    name: "the progress of a compaction",
    format: "responses",
    stream: responses([compacting, ...text(1)]),
    says: ["Hi"],
    finish: "stop",
  },
  {
    name: "events of tomorrow",
    format: "responses",
    stream: responses([
      { type: "response.quantum.flip", output_index: 0, item: 3 },
      { type: "quantum" },
      { type: "response.steer.accepted", steer_id: "steer_1" },
      ...text(1),
      { type: "response.quantum.flop", output_index: 1, part: [] },
    ]),
    says: ["Hi"],
    finish: "stop",
  },
  {
    name: "an item of tomorrow",
    format: "responses",
    stream: responses([
      ...item(0, { id: "q_1", type: "quantum", state: "both" }, [{
        type: "response.quantum.delta",
        delta: { up: 1 },
      }]),
      ...text(1),
    ]),
    says: ["Hi"],
    finish: "stop",
  },
  {
    name: "a call whose last event has no name",
    format: "responses",
    stream: responses(item(0, { ...asyncCall, status: "completed", arguments: "{}" }, [
      { type: "response.function_call_arguments.delta", item_id: "fc_1", delta: "{}" },
      { type: "response.function_call_arguments.done", item_id: "fc_1", arguments: "{}" },
    ])),
    says: ["f({})"],
    finish: "tool-calls",
  },
];

function saidBy(parts: ReturnType<typeof collect>["alternatives"][0]["parts"]): string[] {
  return parts.flatMap((part) => {
    if (part.type === "text") return [part.text];
    return part.type === "tool-call" ? [`${part.name}(${part.arguments})`] : [];
  });
}

/** Formats without custom tools wrap such a tool's input. */
function unwrapped(said: string): string {
  const found = /^(\w+)\((\{"input":.*\})\)$/.exec(said);
  return found ? `${found[1]}(${JSON.parse(found[2]).input})` : said;
}

for (const { name, format, stream, says, finish } of cases) {
  Deno.test(`${format}: ${name} is read`, () => {
    const events = decoded(codecs[format], stream);
    assertLaws(events);
    const [answer] = collect(events).alternatives;
    assertEquals([saidBy(answer.parts), answer.finishReason], [[...says], finish]);
    assertEquals(collect(events).usage?.inputTokens, 9);
  });

  for (const to of formatNames) {
    Deno.test(`${format}: ${name} reaches callers of ${to}`, () => {
      const out = encoded(codecs[to], decoded(codecs[format], stream), contextOf({}));
      assertValid(codecs[to], out);
      const [answer] = collect(decoded(codecs[to], out)).alternatives;
      assertEquals(saidBy(answer.parts).map(unwrapped), says.map(unwrapped));
      assertEquals(answer.finishReason, finish);
    });
  }

  Deno.test(`${format}: ${name} passes by the meter`, () => {
    const usageReader = codecs[format].usageReader.stream();
    for (const event of stream) {
      usageReader.push(event);
      usageReader.sent(event);
    }
    assertEquals([usageReader.result().outcome, usageReader.result().usage?.inputTokens], [
      "completed",
      9,
    ]);
  });

  Deno.test(`${format}: text behind ${name} comes at once`, () => {
    const decoder = codecs[format].eventDecoder();
    const at = stream.findLastIndex(({ data }) => /"delta":|"custom":/.test(data));
    const before = stream.slice(0, at).flatMap((event) => decoder.push(event));
    const events = decoder.push(stream[at]);
    const types = [...before, ...events].map(({ type }) => type);
    assertEquals(types.includes("part-delta") || finish === "tool-calls", true, types.join(" "));
  });
}
