import { assertEquals, assertThrows } from "@std/assert";
import {
  type FormatName,
  GatewayError,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from "../../../lib/canonical/mod.ts";
import { type Dialect, encodeAtOnce } from "../../../lib/formats/codec.ts";
import { codecs } from "../../../lib/formats/mod.ts";

/** Breakpoints, their lifetimes and the cache options between formats. */

type Caller = "chat-completions" | "responses" | "messages";

const long = "The parser reads one token after the other and keeps its place. ".repeat(80);

/** A request whose user text has this breakpoint, with these additional members. */
const requests: Readonly<
  Record<Caller, (mark: JsonObject | undefined, members: JsonObject) => JsonObject>
> = {
  "chat-completions": (mark, members) => ({
    model: "m",
    messages: [
      { role: "system", content: long },
      {
        role: "user",
        content: [{ type: "text", text: "hi", ...(mark && { prompt_cache_breakpoint: mark }) }],
      },
    ],
    ...members,
  }),
  responses: (mark, members) => ({
    model: "m",
    instructions: long,
    input: [{
      role: "user",
      content: [{ type: "input_text", text: "hi", ...(mark && { prompt_cache_breakpoint: mark }) }],
    }],
    ...members,
  }),
  messages: (mark, members) => ({
    model: "m",
    max_tokens: 100,
    system: long,
    messages: [{
      role: "user",
      content: [{ type: "text", text: "hi", ...(mark && { cache_control: mark }) }],
    }],
    ...members,
  }),
};

interface Case {
  readonly from: Caller;
  readonly to: FormatName;
  readonly mark?: JsonObject;
  readonly members?: JsonObject;
  readonly dialect?: Dialect;
}

function converted({ from, to, mark, members = {}, dialect }: Case) {
  const wire = { path: "", search: {}, headers: {}, body: requests[from](mark, members) };
  const request = codecs[from].decodeRequest(wire);
  const { wire: { body }, notes } = encodeAtOnce(codecs[to], request, dialect);
  return {
    body,
    marks: marksIn(body.messages ?? body.input),
    notes: notes.map(({ path }) => path).filter((path) => /cache|caching/.test(path)),
  };
}

function marksIn(value: JsonValue | undefined): JsonValue[] {
  if (Array.isArray(value)) return value.flatMap(marksIn);
  if (!isJsonObject(value)) return [];
  const own = value.cache_control ?? value.prompt_cache_breakpoint;
  return [...(own === undefined ? [] : [own]), ...Object.values(value).flatMap(marksIn)];
}

const explicit = (ttl?: string) => ({ mode: "explicit", ...(ttl && { ttl }) });
const ephemeral = (ttl?: string) => ({ type: "ephemeral", ...(ttl && { ttl }) });
const at = "turns[0].parts[0].cache.ttl";

const lifetimes: readonly (readonly [
  from: Caller,
  ttl: string | undefined,
  to: Caller,
  expected: string | undefined,
  notes?: readonly string[],
])[] = [
  ["chat-completions", undefined, "messages", undefined],
  ["chat-completions", "30m", "messages", "1h"],
  ["chat-completions", "30m", "responses", "30m"],
  ["responses", undefined, "messages", undefined],
  ["responses", "30m", "messages", "1h"],
  ["responses", "12h", "messages", "1h", [at]],
  ["responses", "30m", "chat-completions", "30m"],
  ["responses", "12h", "chat-completions", "30m", [at]],
  ["messages", undefined, "chat-completions", undefined],
  ["messages", "5m", "chat-completions", "30m"],
  ["messages", "1h", "chat-completions", "30m", [at]],
  ["messages", undefined, "responses", undefined],
  ["messages", "5m", "responses", "30m"],
  ["messages", "1h", "responses", "12h"],
];

for (const [from, ttl, to, expected, notes = []] of lifetimes) {
  const name = `${from} ${ttl ?? "without a lifetime"} to ${to}`;
  Deno.test(`cache lifetime: ${name} is ${expected ?? "none"}`, () => {
    const own = (format: Caller) => format === "messages" ? ephemeral : explicit;
    const sent = converted({ from, to, mark: own(from)(ttl) });
    assertEquals(sent.marks, [own(to)(expected)]);
    assertEquals(sent.notes, [...notes]);
  });
}

Deno.test("cache lifetime: no longer one is behind a shorter one", () => {
  const part = (mark: JsonObject) => ({
    type: "input_text",
    text: "hi",
    prompt_cache_breakpoint: mark,
  });
  const wire = {
    path: "",
    search: {},
    headers: {},
    body: {
      model: "m",
      input: [{
        role: "user",
        content: [part(explicit()), part(explicit("12h")), part(explicit())],
      }],
    },
  };
  const { wire: sent } = encodeAtOnce(codecs.messages, codecs.responses.decodeRequest(wire));
  assertEquals(marksIn(sent.body.messages), [ephemeral("1h"), ephemeral("1h"), ephemeral()]);
});

for (const from of ["chat-completions", "responses"] as const) {
  const withOptions = (options: JsonObject, mark?: JsonObject, to: Caller = "messages") =>
    converted({ from, to, mark, members: { prompt_cache_options: options } });

  Deno.test(`cache options of ${from}: explicit without a breakpoint stores nothing`, () => {
    const { body } = withOptions({ mode: "explicit" });
    assertEquals(marksIn(body), []);
  });

  Deno.test(`cache options of ${from}: explicit with one stores that, for the stated time`, () => {
    const { body } = withOptions({ mode: "explicit", ttl: "30m" }, explicit());
    assertEquals(marksIn(body), [ephemeral("1h")]);
  });

  Deno.test(`cache options of ${from}: implicit is the vendor's own breakpoint, beside others`, () => {
    const { body, notes } = withOptions({ mode: "implicit", ttl: "30m" });
    assertEquals([body.cache_control, notes], [ephemeral("1h"), []]);
    assertEquals(marksIn(body.system), [ephemeral("1h")]);
    assertEquals(marksIn(body.messages), []);
  });

  Deno.test(`cache options of ${from}: an id to compare with is noted, since only its own vendor knows it`, () => {
    const { notes } = withOptions({ comparison_response_id: "resp_1" });
    assertEquals(notes, ["native.prompt_cache_options"]);
  });

  Deno.test(`cache options of ${from}: its own format gets them as they were`, () => {
    const options = { mode: "explicit", ttl: "12h", prewarm: true, comparison_response_id: "r" };
    const { body, notes } = withOptions(options, explicit("12h"), from);
    assertEquals([body.prompt_cache_options, marksIn(body.messages ?? body.input), notes], [
      options,
      [explicit("12h")],
      [],
    ]);
  });

  Deno.test(`cache options of ${from}: a call that only fills the cache asks for no answer`, () => {
    const members = {
      stream: true,
      prompt_cache_options: { prewarm: true },
      ...(from === "responses"
        ? { reasoning: { effort: "high" }, text: { format: { type: "json_object" } } }
        : { reasoning_effort: "high", response_format: { type: "json_object" } }),
    };
    const { body } = converted({ from, to: "messages", members });
    const { max_tokens, stream, thinking, output_config } = body;
    assertEquals([max_tokens, stream, thinking, output_config], [0, ...Array(3)]);
    assertEquals(marksIn(body).length, 2);
  });
}

Deno.test("cache options: a call that only fills the cache stays one from messages to the others", () => {
  for (const to of ["chat-completions", "responses"] as const) {
    const { body } = converted({ from: "messages", to, members: { max_tokens: 0 } });
    assertEquals(body.prompt_cache_options, { prewarm: true }, to);
  }
});

Deno.test("cache options: a call that only fills the cache is refused where it would be answered", () => {
  const members = { prompt_cache_options: { prewarm: true } };
  const refused: readonly Case[] = [
    { from: "responses", to: "generate-content", members },
    { from: "messages", to: "generate-content", members: { max_tokens: 0 } },
    { from: "responses", to: "chat-completions", members, dialect: { cacheBreakpoints: false } },
    { from: "responses", to: "chat-completions", members, dialect: { knows: ["model"] } },
  ];
  for (const one of refused) {
    const error = assertThrows(() => converted(one), GatewayError);
    assertEquals([error.code, error.param], ["unsupported_parameter", "caching.prewarm"]);
  }
});

Deno.test("cache options: the vendor's own breakpoint of messages is the default of others", () => {
  for (const to of ["chat-completions", "responses"] as const) {
    const { body, notes } = converted({
      from: "messages",
      to,
      members: { cache_control: ephemeral() },
    });
    assertEquals([body.prompt_cache_options, notes], [undefined, []]);
  }
  const hour = { cache_control: ephemeral("1h") };
  const responses = converted({ from: "messages", to: "responses", members: hour });
  assertEquals([responses.body.prompt_cache_options, responses.notes], [{ ttl: "12h" }, []]);
  const chat = converted({ from: "messages", to: "chat-completions", members: hour });
  assertEquals([chat.body.prompt_cache_options, chat.notes], [undefined, ["cache.ttl"]]);
});

Deno.test("cache options: an id to compare with is noted from messages too", () => {
  const members = { diagnostics: { previous_message_id: "msg_1" } };
  for (const to of ["chat-completions", "responses", "generate-content"] as const) {
    const wire = { path: "", search: {}, headers: {}, body: requests.messages(undefined, members) };
    const { notes } = encodeAtOnce(codecs[to], codecs.messages.decodeRequest(wire));
    assertEquals(notes.map(({ path }) => path), ["native.diagnostics"], to);
  }
});
