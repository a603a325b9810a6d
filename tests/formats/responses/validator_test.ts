import { assert, assertEquals } from "@std/assert";
import { type JsonObject } from "../../../lib/canonical/mod.ts";
import { responses } from "../../../lib/formats/responses/mod.ts";
import {
  added,
  argumentsDelta,
  call,
  completed,
  created,
  done,
  eventsOf,
  hello,
  message,
  textDelta,
  usage,
} from "./wire.ts";
import { streamValidators } from "../validators/mod.ts";

const violations: readonly { name: string; stream: JsonObject[]; found: string }[] = [
  { name: "a stream without a start", stream: [completed()], found: "before response.created" },
  { name: "two starts", stream: [created, created, completed()], found: "twice" },
  { name: "no end", stream: [created], found: "no terminal event" },
  {
    name: "an event after the end",
    stream: [created, completed(), { type: "keepalive" }],
    found: "after the end",
  },
  {
    name: "a gap in the indices",
    stream: [created, added(1, message), done(1, hello), completed([hello])],
    found: "output_index 1, not 0",
  },
  {
    name: "two open items",
    stream: [created, added(0, message), added(1, call("a", ""))],
    found: "while item 0 is open",
  },
  {
    name: "an item done twice",
    stream: [created, added(0, message), done(0, hello), done(0, hello)],
    found: "done but not open",
  },
  {
    name: "an item that is never done",
    stream: [created, added(0, message), completed([hello])],
    found: "open",
  },
  {
    name: "an empty final output",
    stream: [created, added(0, message), done(0, hello), completed()],
    found: "has 0 items",
  },
  {
    name: "an item without id",
    stream: [created, added(0, { type: "message" }), done(0, hello), completed([hello])],
    found: "lacks its type or its id",
  },
  {
    name: "a delta without its part",
    stream: [created, added(0, message), textDelta("x")],
    found: "which is not open",
  },
  {
    name: "a delta outside of items",
    stream: [created, textDelta("x")],
    found: "outside of its item",
  },
  {
    name: "a part that stays open",
    stream: [created, added(0, message), {
      type: "response.content_part.added",
      output_index: 0,
      content_index: 0,
    }, done(0, hello)],
    found: "with an open part",
  },
  {
    name: "a part done but not added",
    stream: [created, added(0, message), {
      type: "response.content_part.done",
      output_index: 0,
      content_index: 0,
    }],
    found: "done but not open",
  },
  {
    name: "another text at the end",
    stream: [
      created,
      added(0, message),
      { type: "response.content_part.added", output_index: 0, content_index: 0 },
      textDelta("x"),
      { type: "response.output_text.done", output_index: 0, content_index: 0, text: "y" },
    ],
    found: "another text",
  },
  {
    name: "arguments that are an object",
    stream: [created, added(0, call("a", "")), done(0, { ...call("a", ""), arguments: {} })],
    found: "as a string",
  },
  {
    name: "other arguments at the end",
    stream: [created, added(0, call("a", "")), argumentsDelta(0, "{}"), done(0, call("a", "{ }"))],
    found: "other arguments",
  },
  {
    name: "an end without usage",
    stream: [created, { ...completed([], { usage: null }) }],
    found: "without usage",
  },
  {
    name: "an error that nothing follows",
    stream: [created, { type: "error", error: { message: "m" } }],
    found: "no terminal event",
  },
  {
    name: "an answer after an error",
    stream: [created, { type: "error", error: { message: "m" } }, completed()],
    found: "after an error",
  },
];

for (const { name, stream, found } of violations) {
  Deno.test(`streamValidator finds ${name}`, () => {
    const validator = streamValidators.responses();
    const numbered = stream.map((event, sequence_number) => ({ ...event, sequence_number }));
    for (const event of eventsOf(numbered)) validator.push(event);
    const list = validator.end();
    assert(
      list.some((violation) => violation.includes(found)),
      `${found} is not in ${JSON.stringify(list)}`,
    );
  });
}

Deno.test("streamValidator finds wrong sequence numbers, wrong names and what is no JSON", () => {
  const validator = streamValidators.responses();
  validator.push({
    event: "response.created",
    data: JSON.stringify({ ...created, sequence_number: 3 }),
  });
  validator.push({ data: JSON.stringify({ type: "keepalive", sequence_number: 1 }) });
  validator.push({ event: "x", data: "{" });
  const list = validator.end();
  for (const found of ["sequence_number 3", "without a name", "not a JSON object"]) {
    assert(list.some((violation) => violation.includes(found)), found);
  }
});

Deno.test("the usage reader calls an answer completed only at its real end, and keeps the first error", () => {
  const reader = responses.usageReader.stream();
  const quoted = textDelta('"response.completed" "error"');
  for (const event of eventsOf([created, quoted])) assertEquals(reader.push(event), "open");
  assertEquals(reader.push({ data: JSON.stringify(quoted) }), "open");
  assertEquals(reader.result(), { outcome: "open" });
  assertEquals(reader.push({ data: JSON.stringify(completed(), null, 1) }), "terminal");
  assertEquals(reader.result().outcome, "completed");

  const failing = responses.usageReader.stream();
  const [error, failed] = eventsOf([
    { type: "error", error: { code: "server_is_overloaded", message: "busy" } },
    { type: "response.failed", response: { error: { code: "server_error", message: "x" }, usage } },
  ]);
  assertEquals(failing.push(error), "open");
  assertEquals(failing.push(failed), "terminal");
  const result = failing.result();
  assertEquals([result.outcome, result.error?.code, result.usage?.outputTokens], [
    "failed",
    "upstream_overloaded",
    4,
  ]);
});
