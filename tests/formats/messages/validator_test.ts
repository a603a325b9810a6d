import { assert, assertEquals } from "@std/assert";
import type { JsonObject } from "../../../lib/canonical/mod.ts";
import type { ServerSentEvent } from "../../../lib/formats/wire.ts";
import { delta, eventsOf, messageStart, open, stop } from "./wire.ts";
import { streamValidators } from "../validators/mod.ts";

const start = messageStart();
const end = (stop_reason = "end_turn") => ({
  type: "message_delta",
  delta: { stop_reason },
  usage: { output_tokens: 1 },
});
const over = { type: "message_stop" };
const use = { type: "tool_use", id: "t", name: "f", input: {} };
const json = (partial_json: string) => ({ type: "input_json_delta", partial_json });
const error = { type: "error", error: { type: "api_error", message: "m" } };

const valid: { name: string; stream: JsonObject[] }[] = [
  { name: "an answer", stream: [start, open(0), delta(0), stop(0), end(), over] },
  { name: "an answer without content", stream: [start, end(), over] },
  {
    name: "pings anywhere",
    stream: [{ type: "ping" }, start, { type: "ping" }, end(), over, { type: "ping" }],
  },
  { name: "an error in an open block", stream: [start, open(0), error] },
  { name: "an error at once", stream: [error] },
  {
    name: "input that a limit cut off",
    stream: [start, open(0, use), delta(0, json("{")), stop(0), end("max_tokens"), over],
  },
];

for (const { name, stream } of valid) {
  Deno.test(`messages validator allows ${name}`, () => {
    assertEquals(violations(eventsOf(stream)), []);
  });
}

const broken: { name: string; stream: JsonObject[]; finds: string }[] = [
  { name: "two starts", stream: [start, start, end(), over], finds: "message_start twice" },
  { name: "no start", stream: [open(0), stop(0), end(), over], finds: "outside of the message" },
  {
    name: "a start without a message",
    stream: [{ type: "message_start" }, end(), over],
    finds: "message.id",
  },
  {
    name: "a start with content",
    stream: [{ ...start, message: { ...start.message, content: [{}] } }, end(), over],
    finds: "content already",
  },
  {
    name: "a start without usage",
    stream: [{ ...start, message: { ...start.message, usage: null } }, end(), over],
    finds: "no usage",
  },
  {
    name: "a gap in the indices",
    stream: [start, open(1), stop(1), end(), over],
    finds: "where 0 is next",
  },
  {
    name: "an index again",
    stream: [start, open(0), stop(0), open(0), stop(0), end(), over],
    finds: "where 1 is next",
  },
  {
    name: "two open blocks",
    stream: [start, open(0), open(1), stop(1), end(), over],
    finds: "while block 0 is open",
  },
  {
    name: "a block without a stop",
    stream: [start, open(0), end(), over],
    finds: "while block 0 is open",
  },
  {
    name: "a stop of nothing",
    stream: [start, stop(0), end(), over],
    finds: "stop of block 0, which is not open",
  },
  {
    name: "a delta of nothing",
    stream: [start, delta(0), end(), over],
    finds: "delta for block 0, which is not open",
  },
  {
    name: "a delta of another block",
    stream: [start, open(0), delta(1), stop(0), end(), over],
    finds: "delta for block 1, which is not open",
  },
  {
    name: "text in a call",
    stream: [start, open(0, use), delta(0), stop(0), end("tool_use"), over],
    finds: "text_delta in a tool_use block",
  },
  {
    name: "a delta without its text",
    stream: [start, open(0), delta(0, { type: "text_delta" }), stop(0), end(), over],
    finds: "has no text",
  },
  {
    name: "a call without an id",
    stream: [start, open(0, { ...use, id: "" }), stop(0), end("tool_use"), over],
    finds: "without a usable id",
  },
  {
    name: "a call with an id that clients refuse",
    stream: [start, open(0, { ...use, id: "a.b" }), stop(0), end("tool_use"), over],
    finds: "without a usable id",
  },
  {
    name: "input that is no JSON",
    stream: [start, open(0, use), delta(0, json("{")), stop(0), end("tool_use"), over],
    finds: "is not JSON",
  },
  {
    name: "a call that ends as a turn",
    stream: [start, open(0, use), stop(0), end("end_turn"), over],
    finds: "although a tool is called",
  },
  {
    name: "an end without a reason",
    stream: [start, { ...end(), delta: {} }, over],
    finds: "no stop_reason",
  },
  {
    name: "an end without usage",
    stream: [start, { ...end(), usage: {} }, over],
    finds: "no usage",
  },
  { name: "message_stop alone", stream: [start, over], finds: "without message_delta" },
  {
    name: "content after the end",
    stream: [start, end(), open(0), stop(0), over],
    finds: "outside of the message",
  },
  { name: "an event after the end", stream: [start, end(), over, over], finds: "after the end" },
  { name: "an answer after an error", stream: [start, error, end(), over], finds: "after the end" },
  { name: "no end", stream: [start, open(0), stop(0)], finds: "no terminal event" },
  { name: "nothing", stream: [], finds: "no terminal event" },
  {
    name: "an unknown event",
    stream: [start, { type: "future" }, end(), over],
    finds: "no event of this format",
  },
  { name: "an error that says nothing", stream: [start, { type: "error" }], finds: "no message" },
];

for (const { name, stream, finds } of broken) {
  Deno.test(`messages validator finds ${name}`, () => {
    const found = violations(eventsOf(stream));
    assert(found.some((text) => text.includes(finds)), JSON.stringify(found));
  });
}

Deno.test("messages validator finds events without a name, with another, and without JSON", () => {
  const [first, last, terminal] = eventsOf([start, end(), over]);
  assert(first && last && terminal);
  assert(violations([{ data: first.data }, last, terminal])[0]?.includes("without a name"));
  assert(
    violations([{ ...first, event: "ping" }, last, terminal])[0]?.includes("carries the type"),
  );
  assert(violations([first, { data: "[DONE]" }, last, terminal])[0]?.includes("not a JSON object"));
});

Deno.test("messages validator keeps its list short however long the stream", () => {
  const validator = streamValidators.messages();
  for (let at = 0; at < 1000; at++) validator.push({ event: "x", data: "{" });
  assert(validator.end().length <= 51);
});

function violations(events: readonly ServerSentEvent[]): readonly string[] {
  const validator = streamValidators.messages();
  for (const event of events) validator.push(event);
  return validator.end();
}
