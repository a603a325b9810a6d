import { assert, assertEquals } from "@std/assert";
import { collect, type JsonObject } from "../../../lib/canonical/mod.ts";
import { messages } from "../../../lib/formats/messages/mod.ts";
import { words } from "../../e2e/load/sized_body.ts";
import { delta, eventsOf, messageStart, open, stop } from "../messages/wire.ts";
import { brief, convertedToOthers, decodedInChunks } from "./converted_answer.ts";

/** Messages streams whose `message_start` contains content, as with programmatic tool calls (2026-11). */

const big = words(60_000);
const start = (content: JsonObject[]) => messageStart({ content });
const said = (index: number, text: string) =>
  text.match(/.{1,400}/gs)?.map((text) => delta(index, { type: "text_delta", text })) ?? [];
const input = (index: number, partial_json: string) =>
  delta(index, { type: "input_json_delta", partial_json });
const ended = (stop_reason: string) => [
  {
    type: "message_delta",
    delta: { stop_reason, stop_sequence: null },
    usage: { output_tokens: 9 },
  },
  { type: "message_stop" },
];

const caller = { type: "code_execution_20260120", tool_id: "srvtoolu_1" };
const call = (id: string, input: JsonObject) => ({
  type: "tool_use",
  id,
  name: "f",
  input,
  caller,
});
const text = (text: string) => ({ type: "text", text });
const emptyText = text("");

const cases: {
  readonly name: string;
  readonly stream: readonly JsonObject[];
  readonly parts: readonly string[];
  readonly end: string;
}[] = [
  {
    name: "a call with its input",
    stream: [start([call("a", { q: big })]), ...ended("tool_use")],
    parts: [`a f {"q":"${big}"}`],
    end: "tool-calls",
  },
  {
    name: "text, a call, and blocks that go on behind them",
    stream: [
      start([text("So: "), call("a", { q: 1 })]),
      open(2, emptyText),
      ...said(2, big),
      stop(2),
      open(3, call("b", {})),
      input(3, '{"q":'),
      input(3, "2}"),
      stop(3),
      ...ended("tool_use"),
    ],
    parts: ["text: So: ", 'a f {"q":1}', `text: ${big}`, 'b f {"q":2}'],
    end: "tool-calls",
  },
  {
    name: "blocks that are then streamed once more",
    stream: [
      start([text(big), call("a", { q: 1 })]),
      open(0, emptyText),
      ...said(0, big),
      stop(0),
      open(1, call("a", {})),
      input(1, '{"q":1}'),
      stop(1),
      ...ended("tool_use"),
    ],
    parts: [`text: ${big}`, 'a f {"q":1}'],
    end: "tool-calls",
  },
  {
    name: "blocks that are then opened and closed once more, and say nothing",
    stream: [
      start([text(big), call("a", { q: 1 })]),
      open(0, emptyText),
      stop(0),
      open(1, call("a", { q: 1 })),
      stop(1),
      ...ended("tool_use"),
    ],
    parts: [`text: ${big}`, 'a f {"q":1}'],
    end: "tool-calls",
  },
  {
    name: "an empty block that then grows",
    stream: [start([emptyText]), ...said(0, big), stop(0), ...ended("end_turn")],
    parts: [`text: ${big}`],
    end: "stop",
  },
  {
    name: "a call, and another one that begins at the same index",
    stream: [
      start([call("a", { q: 1 })]),
      open(0, call("b", {})),
      input(0, '{"q":2}'),
      stop(0),
      ...ended("tool_use"),
    ],
    parts: ['a f {"q":1}', 'b f {"q":2}'],
    end: "tool-calls",
  },
];

for (const { name, stream, parts, end } of cases) {
  Deno.test(`message_start with content: ${name}`, () => {
    const canonical = decodedInChunks("messages", eventsOf(stream));
    const answer = collect(canonical);
    assertEquals([brief(answer), answer.alternatives[0].finishReason], [parts, end]);
    for (const [to, { streamed, whole }] of convertedToOthers("messages", canonical)) {
      for (const answer of [streamed, whole]) {
        assertEquals(withoutIds(brief(answer)), withoutIds(parts), to);
        assertEquals(answer.alternatives[0].finishReason, end, to);
      }
    }
  });

  Deno.test(`message_start with content: ${name}, in pass-through it counts once as delivered`, () => {
    const usageReader = messages.usageReader.stream();
    for (const event of eventsOf(stream)) {
      usageReader.push(event);
      usageReader.sent(event);
    }
    const { answer } = usageReader.delivered;
    assert(answer.chars < big.length + 100, `${answer.chars} characters`);
    for (const part of parts) {
      assert(answer.text().includes(part.slice(part.indexOf(":") + 2, 80)), part);
    }
  });
}

/**
 * Joins texts, because some formats have one text only, before the calls; removes ids, which are
 * the format's own.
 */
function withoutIds(parts: readonly string[]): unknown {
  const texts = parts.filter((part) => part.startsWith("text: ")).map((part) => part.slice(6));
  const calls = parts.filter((part) => !part.startsWith("text: "));
  return [texts.join(""), calls.map((call) => call.slice(call.indexOf(" ")))];
}
