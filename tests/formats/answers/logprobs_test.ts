import { assert, assertEquals } from "@std/assert";
import type { FormatName, JsonObject, JsonValue } from "../../../lib/canonical/mod.ts";
import { chatCompletions } from "../../../lib/formats/chat_completions/mod.ts";
import { cpuTimeMs } from "../../cpu_time.ts";
import { converted } from "./law.ts";
import {
  logprobsResult,
  manyTokens,
  objectOf,
  objects,
  openToken,
  readLogprobsResult,
  readOpenTokens,
  seenAs,
  textOf,
  tokensOf,
  type WirePiece,
  type WireToken,
} from "./logprobs.ts";

/** Log probabilities of an answer, on the way to callers of every format that has them. */

const pieces = manyTokens(400);
const text = textOf(pieces);

type Rating = Exclude<FormatName, "messages">;
const ratings: readonly Rating[] = ["chat-completions", "responses", "generate-content"];
const kindOf = {
  "chat-completions": "open",
  responses: "open",
  "generate-content": "result",
} as const satisfies Record<Rating, string>;

const wholeOf: Readonly<Record<Rating, () => JsonObject>> = {
  "chat-completions": () =>
    completion({ content: text }, { content: tokensOf(pieces).map(openToken) }),
  responses: () => response(tokensOf(pieces).map(openToken)),
  "generate-content": () => ({
    candidates: [candidate(text, tokensOf(pieces), "STOP")],
    modelVersion: "m",
    responseId: "r",
  }),
};

const streamOf: Readonly<Record<Rating, () => JsonObject[]>> = {
  "chat-completions": () => [
    chunk({ role: "assistant", content: "" }),
    ...pieces.map(({ text, tokens }) =>
      chunk({ content: text }, { content: tokens.map(openToken), refusal: null })
    ),
    chunk({}, null, "stop"),
  ],
  responses: () => responseEvents(),
  "generate-content": () => [
    ...pieces.map(({ text, tokens }) => ({ candidates: [candidate(text, tokens)] })),
    { candidates: [candidate("", [], "STOP")], usageMetadata: { totalTokenCount: 3 } },
  ],
};

/** The pieces of text that a caller receives, each with its tokens. */
const readers: Readonly<Record<Rating, (wire: JsonValue) => WirePiece[]>> = {
  "chat-completions": (wire) =>
    chunksOf(wire).flatMap(({ choices }) => objects(choices)).map((choice) => ({
      text: String(objectOf(choice.delta ?? choice.message).content ?? ""),
      tokens: readOpenTokens(objectOf(choice.logprobs).content),
    })),
  responses: (wire) =>
    Array.isArray(wire)
      ? objects(wire).filter(({ type }) => type === "response.output_text.delta")
        .map(({ delta, logprobs }) => ({ text: String(delta), tokens: readOpenTokens(logprobs) }))
      : objects(objectOf(wire).output).flatMap(({ content }) => objects(content))
        .map(({ text, logprobs }) => ({ text: String(text), tokens: readOpenTokens(logprobs) })),
  "generate-content": (wire) =>
    chunksOf(wire).flatMap(({ candidates }) => objects(candidates)).map((candidate) => ({
      text: objects(objectOf(candidate.content).parts).map(({ text }) => text ?? "").join(""),
      tokens: readLogprobsResult(candidate.logprobsResult),
    })),
};

for (const from of ratings) {
  for (const to of ratings.filter((to) => to !== from)) {
    Deno.test(`log probabilities of a whole answer: ${from} to ${to}`, () => {
      const { sent, notes } = converted({ from, wire: wholeOf[from]() }, to);
      assertSaid(readers[to](sent), from, to);
      assertEquals(notes.map(noteText), lossesOf(from, to));
    });
    Deno.test(`log probabilities of a stream: ${from} to ${to}`, () => {
      const { sent, notes } = converted({ from, wire: streamOf[from]() }, to);
      const heard = readers[to](sent);
      assertSaid(heard, from, to);
      assertAligned(heard);
      assertEquals(notes.map(noteText), lossesOf(from, to));
    });
  }
}

for (const from of ratings) {
  Deno.test(`log probabilities: a note reports their loss to a caller of messages, from ${from}`, () => {
    for (const wire of [wholeOf[from](), streamOf[from]()]) {
      assertEquals(converted({ from, wire }, "messages").notes.map(noteText), [
        "answer.parts[0].logprobs dropped: The caller's format has no log probabilities here",
      ]);
    }
  });
}

Deno.test("log probabilities: every event that repeats a text of responses repeats its tokens", () => {
  const { sent } = converted(
    { from: "chat-completions", wire: streamOf["chat-completions"]() },
    "responses",
  );
  const events = objects(sent as JsonObject[]);
  const only = (type: string) => objectOf(events.find((event) => event.type === type));
  const expected = tokensOf(pieces).map((token) => seenAs("open", token));
  const [item] = objects(objectOf(only("response.completed").response).output);
  for (
    const list of [
      only("response.output_text.done").logprobs,
      objectOf(only("response.content_part.done").part).logprobs,
      objects(objectOf(only("response.output_item.done").item).content)[0].logprobs,
      objects(item.content)[0].logprobs,
    ]
  ) assertEquals(readOpenTokens(list), expected);
});

function assertSaid(heard: readonly WirePiece[], from: Rating, to: Rating): void {
  assertEquals(textOf(heard), text);
  const bare = ({ id: _, bytes: __, top, ...token }: WireToken): WireToken => ({
    ...token,
    top: top.map(bare),
  });
  const expected = tokensOf(pieces).map((token) =>
    kindOf[from] === kindOf[to] ? seenAs(kindOf[to], token) : seenAs(kindOf[to], bare(token))
  );
  assertEquals(tokensOf(heard), expected);
}

/** No piece's tokens come before the text that they belong to, nor a piece later. */
function assertAligned(heard: readonly WirePiece[]): void {
  for (const { text, tokens } of heard) {
    const said = tokens.map(({ token }) => token).join("");
    assert(said === text || /\\x/.test(said), `"${said}" came with "${text}"`);
  }
}

function lossesOf(from: Rating, to: Rating): string[] {
  if (kindOf[from] === kindOf[to]) return [];
  const what = kindOf[to] === "open" ? "token ids" : "bytes and no further members of tokens";
  return [
    `answer.parts[0].logprobs dropped: Log probabilities of the caller's format have no ${what}`,
  ];
}

function noteText(
  { path, action, reason }: { path: string; action: string; reason: string },
): string {
  return `${path} ${action}: ${reason}`;
}

function chunksOf(wire: JsonValue): JsonObject[] {
  return Array.isArray(wire) ? objects(wire) : [objectOf(wire)];
}

function completion(message: JsonObject, logprobs: JsonObject | null): JsonObject {
  return {
    id: "c",
    object: "chat.completion",
    created: 1,
    model: "m",
    choices: [{
      index: 0,
      message: { role: "assistant", refusal: null, ...message },
      logprobs,
      finish_reason: "stop",
    }],
  };
}

function chunk(
  delta: JsonObject,
  logprobs: JsonObject | null = null,
  finish_reason: string | null = null,
): JsonObject {
  const choices = [{ index: 0, delta, logprobs, finish_reason }];
  return { id: "c", object: "chat.completion.chunk", created: 1, model: "m", choices };
}

function candidate(
  text: string,
  tokens: readonly WireToken[],
  finishReason?: string,
): JsonObject {
  return {
    content: { role: "model", parts: [{ text }] },
    index: 0,
    ...(finishReason !== undefined && { finishReason }),
    ...(tokens.length > 0 && { logprobsResult: logprobsResult(tokens) }),
  };
}

function response(logprobs: readonly JsonObject[]): JsonObject {
  return {
    id: "resp_1",
    object: "response",
    created_at: 1,
    model: "m",
    status: "completed",
    output: [message("completed", [outputText(text, logprobs)])],
  };
}

function message(status: string, content: readonly JsonObject[]): JsonObject {
  return { id: "msg_1", type: "message", role: "assistant", status, content };
}

function outputText(text: string, logprobs: readonly JsonObject[]): JsonObject {
  return { type: "output_text", text, annotations: [], logprobs };
}

function responseEvents(): JsonObject[] {
  const place = { item_id: "msg_1", output_index: 0, content_index: 0 };
  const all = tokensOf(pieces).map(openToken);
  const whole = response(all);
  const events: JsonObject[] = [
    { type: "response.created", response: { ...whole, status: "in_progress", output: [] } },
    { type: "response.output_item.added", output_index: 0, item: message("in_progress", []) },
    { type: "response.content_part.added", ...place, part: outputText("", []) },
    ...pieces.map(({ text, tokens }) => ({
      type: "response.output_text.delta",
      ...place,
      delta: text,
      logprobs: tokens.map(openToken),
    })),
    { type: "response.output_text.done", ...place, text, logprobs: all },
    { type: "response.content_part.done", ...place, part: outputText(text, all) },
    {
      type: "response.output_item.done",
      output_index: 0,
      item: message("completed", [outputText(text, all)]),
    },
    { type: "response.completed", response: whole },
  ];
  return events.map((event, sequence_number) => ({ ...event, sequence_number }));
}

/** Tokens of these texts, each with its own log probability. */
function tokens(...texts: readonly string[]): WireToken[] {
  return texts.map((token, at) => ({ token, logprob: -1 - at, top: [] }));
}

const called = {
  tool_calls: [{ id: "call_1", type: "function", function: { name: "f", arguments: "{}" } }],
};

interface Case {
  readonly name: string;
  readonly from: Rating;
  readonly to: FormatName;
  readonly wire: JsonObject | readonly JsonObject[];
  /** The tokens that the caller gets. */
  readonly said: readonly string[];
  readonly notes: readonly string[];
}

const stray =
  "answer.logprobs dropped: These log probabilities belong to no text, such as those of reasoning or a tool call";

const cases: readonly Case[] = [
  {
    name: "tokens of reasoning and calls are not said to be the text's",
    from: "chat-completions",
    to: "responses",
    wire: completion({ reasoning_content: "So it is.", content: "It is.", ...called }, {
      content: tokens("So", " it", " is", ".", "It", " is", ".", "{", "}").map(openToken),
    }),
    said: ["It", " is", "."],
    notes: [stray],
  },
  {
    name: "tokens of reasoning and calls in chunks are not said to be the text's",
    from: "chat-completions",
    to: "generate-content",
    wire: [
      chunk({ reasoning_content: "So" }, { content: tokens("So").map(openToken) }),
      chunk({ content: "It" }, { content: tokens("It").map(openToken) }),
      chunk({ tool_calls: [{ index: 0, ...called.tool_calls[0] }] }, {
        content: tokens("{", "}").map(openToken),
      }),
      chunk({}, null, "tool_calls"),
    ],
    said: ["It"],
    notes: [stray],
  },
  {
    name: "texts around a call keep their own tokens",
    from: "generate-content",
    to: "chat-completions",
    wire: {
      candidates: [{
        ...candidate("", tokens("Let", " me", "call", "Do", "ne"), "STOP"),
        content: {
          role: "model",
          parts: [{ text: "Let me" }, { functionCall: { name: "f", args: {} } }, { text: "Done" }],
        },
      }],
    },
    said: ["Let", " me", "Do", "ne"],
    notes: [stray],
  },
  {
    name: "the mark of an answer's end stays with its text",
    from: "chat-completions",
    to: "generate-content",
    wire: [
      chunk({ content: "Hi" }, { content: tokens("Hi").map(openToken) }),
      chunk({ content: "" }, { content: tokens("<|im_end|>").map(openToken) }, "stop"),
    ],
    said: ["Hi", "<|im_end|>"],
    notes: [],
  },
  {
    name: "a refusal has its own tokens",
    from: "chat-completions",
    to: "generate-content",
    wire: completion({ content: null, refusal: "No." }, {
      content: null,
      refusal: tokens("No", ".").map(openToken),
    }),
    said: ["No", "."],
    notes: [
      "answer.parts[0] emulated: The caller's format cannot mark refusals, so the refusal is plain text",
    ],
  },
  {
    name: "a refusal of responses has none",
    from: "chat-completions",
    to: "responses",
    wire: completion({ content: null, refusal: "No." }, {
      content: null,
      refusal: tokens("No", ".").map(openToken),
    }),
    said: [],
    notes: ["answer.parts[0].logprobs dropped: The caller's format has no log probabilities here"],
  },
  {
    name: "text of the gateway has none",
    from: "generate-content",
    to: "chat-completions",
    wire: {
      candidates: [{
        ...candidate("", tokens("It", " ran"), "STOP"),
        content: {
          role: "model",
          parts: [{ executableCode: { language: "PYTHON", code: "print(1)" } }, { text: "It ran" }],
        },
      }],
    },
    said: ["It", " ran"],
    notes: [
      "answer.parts[0] emulated: This item is not converted to the caller's format, so its content is sent as text",
      "answer.logprobs emulated: Text that replaces other content has no log probabilities",
    ],
  },
  {
    name: "tokens whose upstream states neither bytes nor alternatives",
    from: "chat-completions",
    to: "responses",
    wire: completion({ content: "é" }, {
      content: [{ token: "é", logprob: -0.5 }, { token: "\ufffd", logprob: -2, bytes: null }],
    }),
    said: ["é", "\ufffd"],
    notes: [],
  },
  {
    name: "lists that only the upstream's format has are named",
    from: "chat-completions",
    to: "responses",
    wire: completion({ content: "Hi" }, {
      content: tokens("Hi").map(openToken),
      reasoning_content: tokens("So").map(openToken),
    }),
    said: ["Hi"],
    notes: ["answer.native.logprobs dropped: This field is not converted to the caller's format"],
  },
  {
    name: "tokens that only the finished part of responses states",
    from: "responses",
    to: "chat-completions",
    wire: responseEvents().map((event) =>
      event.type === "response.output_text.delta" ? { ...event, logprobs: [] } : event
    ),
    said: tokensOf(pieces).map(({ token }) => token),
    notes: [],
  },
];

for (const { name, from, to, wire, said, notes } of cases) {
  Deno.test(`log probabilities, ${from} to ${to}: ${name}`, () => {
    const answer = converted({ from, wire }, to);
    const heard = to === "messages" ? [] : readers[to](answer.sent);
    assertEquals(tokensOf(heard).map(({ token }) => token), said);
    assertEquals(answer.notes.map(noteText), notes);
  });
}

Deno.test("log probabilities: a token without known bytes gets those of its text", () => {
  const list = [{ token: "é", logprob: -0.5 }, { token: "\ufffd", logprob: -2, bytes: null }];
  const wire = completion({ content: "é" }, { content: list });
  const { sent } = converted({ from: "chat-completions", wire }, "responses");
  assertEquals(tokensOf(readers.responses(sent)).map(({ bytes }) => bytes), [[195, 169], []]);
});

Deno.test("log probabilities: the average of a candidate is that of its tokens", () => {
  const wire = completion({ content: "Hi." }, { content: tokens("Hi", ".").map(openToken) });
  const { sent } = converted({ from: "chat-completions", wire }, "generate-content");
  assertEquals(objects(objectOf(sent).candidates)[0].avgLogprobs, -1.5);
});

Deno.test("log probabilities of reasoning in 40,000 chunks are read in time that grows with the chunks", () => {
  const reasoning_content = [{ token: "a", logprob: -1, top_logprobs: [] }];
  const choice = { index: 0, delta: { reasoning_content: "a" }, logprobs: { reasoning_content } };
  const data = JSON.stringify({ id: "a", choices: [choice] });
  const readMs = (count: number) => {
    const decoder = chatCompletions.eventDecoder();
    const beganMs = cpuTimeMs();
    for (let at = 0; at < count; at++) decoder.push({ data });
    return cpuTimeMs() - beganMs;
  };
  readMs(5_000);
  const fewMs = readMs(5_000);
  const manyMs = readMs(40_000);
  assert(manyMs < 24 * fewMs, `${fewMs} ms for 5,000 chunks, ${manyMs} ms for 40,000`);
});
