import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import {
  type CanonicalEvent,
  type CanonicalRequest,
  type CanonicalResponse,
  Collector,
  formatNames,
  GatewayError,
  openContinuation,
  type Part,
  sealContinuation,
  type ToolResultPart,
  totalInputTokens,
  totalOutputTokens,
  type Turn,
} from "../../lib/canonical/mod.ts";
import { countRequestTokens, countTextTokens } from "../../lib/tokens/mod.ts";
import { answerEmbedded, embeddedModel } from "../../lib/upstreams/embedded/mod.ts";
import { bareRequest } from "../formats/requests/bare_request.ts";

const empty: CanonicalRequest = {
  ...bareRequest,
  model: embeddedModel,
};
const weather = {
  type: "function",
  name: "get_weather",
  parameters: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
} as const;
const note = { type: "custom", name: "note" } as const;
const nested = { type: "function", name: "get", namespace: "weather" } as const;
const tools = [weather, note, nested];

const text = (text: string): Part => ({ type: "text", text });
const user = (...parts: Part[]): Turn => ({ role: "user", parts });
const result = (
  callId: string,
  said: string,
  more: Partial<ToolResultPart> = {},
): ToolResultPart => ({
  type: "tool-result",
  callId,
  kind: "function",
  isError: false,
  parts: [text(said)],
  ...more,
});
const ask = (said: string, more: Partial<CanonicalRequest> = {}): CanonicalRequest => ({
  ...empty,
  turns: [user(text(said))],
  ...more,
});
const called = (said: string, more: Partial<CanonicalRequest> = {}): CanonicalRequest =>
  ask(said, { tools, ...more });
const resultsOf = (...results: Part[]): readonly Turn[] => [
  user(text('call get_weather {"city":"Oslo"}')),
  {
    role: "assistant",
    parts: [{
      type: "tool-call",
      id: "c1",
      name: "get_weather",
      arguments: "{}",
      kind: "function",
    }],
  },
  user(...results),
];

interface Heard {
  readonly events: readonly CanonicalEvent[];
  /** Thrown before any event. */
  readonly refusal?: unknown;
}

async function hear(
  request: CanonicalRequest,
  signal = new AbortController().signal,
): Promise<Heard> {
  const events: CanonicalEvent[] = [];
  try {
    const answer = answerEmbedded(request, { requestId: "req_1", signal, paceMs: 0 });
    for await (const event of answer) events.push(event);
    return { events };
  } catch (refusal) {
    return { events, refusal };
  }
}

async function answer(request: CanonicalRequest): Promise<CanonicalResponse> {
  const collector = new Collector();
  const { events, refusal } = await hear(request);
  if (refusal) throw refusal;
  for (const event of events) collector.push(event);
  return collector.response();
}

/** An alternative in short: its texts, and its calls as `name(arguments)`. */
function inShort({ alternatives }: CanonicalResponse): readonly string[] {
  return (alternatives[0]?.parts ?? []).map((part) => {
    if (part.type === "tool-call") return `${part.name}(${part.arguments})`;
    return part.type === "text" ? part.text : part.type;
  });
}

const png = { type: "base64", data: "AAAAAAAA" } as const;
const answers: readonly { name: string; request: CanonicalRequest; expected: readonly string[] }[] =
  [
    { name: "plain", request: ask("hello"), expected: ["You said: hello"] },
    {
      name: "the last user turn counts",
      request: {
        ...empty,
        turns: [user(text("a")), { role: "assistant", parts: [text("b")] }, user(text("c"))],
      },
      expected: ["You said: c"],
    },
    {
      name: "blocks that agents add are skipped",
      request: {
        ...empty,
        turns: [user(text("<system-reminder>x</system-reminder>"), text("hi"))],
      },
      expected: ["You said: hi"],
    },
    {
      name: "nothing",
      request: empty,
      expected: ["You said nothing. I am tessera-echo: I repeat what you say."],
    },
    {
      name: "media",
      request: {
        ...empty,
        turns: [user(
          text("look"),
          { type: "image", source: png, mediaType: "image/png" },
          { type: "audio", source: { type: "url", url: "https://x" }, mediaType: "audio/wav" },
          { type: "file", source: { type: "text", text: "é" }, name: "a.txt" },
        )],
      },
      expected: [
        "You said: look\nI received an image (image/png, 6 bytes), an audio clip (audio/wav, by reference), a file (a.txt, unknown type, 2 bytes).",
      ],
    },
    {
      name: "a call",
      request: called('call get_weather {"city":"Oslo"}'),
      expected: ['get_weather({"city":"Oslo"})'],
    },
    {
      name: "a call without arguments",
      request: called("call get_weather"),
      expected: ["get_weather({})"],
    },
    {
      name: "a call of a custom tool",
      request: called("call note  some {words}"),
      expected: ["note(some {words})"],
    },
    {
      name: "a call of a custom tool in lines",
      request: called('call note "a\\nb"'),
      expected: ["note(a\nb)"],
    },
    { name: "a call in a namespace", request: called("call weather.get"), expected: ["get({})"] },
    {
      name: "calls at once, among words",
      request: called("please\ncall get_weather {}\n  call note x\nthanks"),
      expected: ["get_weather({})", "note(x)"],
    },
    {
      name: "one call where parallel calls are off",
      request: called("call get_weather\ncall note x", { parallelToolCalls: false }),
      expected: ["get_weather({})"],
    },
    {
      name: "no more calls than allowed",
      request: called("call note 1\ncall note 2\ncall note 3", { limits: { maxToolCalls: 2 } }),
      expected: ["note(1)", "note(2)"],
    },
    {
      name: "a tool that was not offered",
      request: called("call rm {}"),
      expected: ["I cannot call rm: it was not offered. Offered tools: get_weather, note, get."],
    },
    {
      name: "arguments that are no object",
      request: called("call get_weather [1]\ncall note x"),
      expected: ["I cannot call get_weather: its arguments are not a JSON object.", "note(x)"],
    },
    {
      name: "choice none never calls",
      request: called("call note x", { toolChoice: { type: "none" } }),
      expected: ["You said: call note x"],
    },
    {
      name: "choice any forces a call",
      request: called("hi", { toolChoice: { type: "any" } }),
      expected: ['get_weather({"city":"echo"})'],
    },
    {
      name: "choice any takes the line",
      request: called("call note x", { toolChoice: { type: "any" } }),
      expected: ["note(x)"],
    },
    {
      name: "choice of one tool forces it",
      request: called("hi", { toolChoice: { type: "tool", name: "note", kind: "custom" } }),
      expected: ["note(hi)"],
    },
    {
      name: "choice of some tools, auto",
      request: called("call note x", {
        toolChoice: { type: "allowed", mode: "auto", names: ["get_weather"] },
      }),
      expected: ["I cannot call note: it was not offered. Offered tools: get_weather."],
    },
    {
      name: "choice of some tools, any",
      request: called("hi", { toolChoice: { type: "allowed", mode: "any", names: ["note"] } }),
      expected: ["note(hi)"],
    },
    {
      name: "a result",
      request: { ...empty, tools, turns: resultsOf(result("c1", "21 °C")) },
      expected: ["get_weather returned: 21 °C"],
    },
    {
      name: "results ended well, badly, empty and with a picture",
      request: {
        ...empty,
        tools,
        turns: resultsOf(
          result("c1", "no", { isError: true }),
          result("c2", "x", { name: "note" }),
          result("c3", "", { parts: [{ type: "image", source: png }] }),
          result("c4", "", { parts: [] }),
        ),
      },
      expected: [
        "get_weather failed: no\nnote returned: x\nThe tool returned: an image (unknown type, 6 bytes)\nThe tool returned: nothing",
      ],
    },
    {
      name: "a result with items of one format, with words and without",
      request: {
        ...empty,
        tools,
        turns: resultsOf(
          result("c1", "", {
            parts: [
              { type: "native", format: "messages", value: { type: "novelty" }, text: "new" },
              { type: "native", format: "messages", value: { type: "novelty" } },
            ],
          }),
        ),
      },
      expected: ["get_weather returned: new\nan item of an unknown type"],
    },
    {
      name: "a result beside new words",
      request: { ...empty, turns: resultsOf(result("c1", "21"), text("thanks")) },
      expected: ["get_weather returned: 21\nYou said: thanks"],
    },
    {
      name: "a forced call is made once",
      request: {
        ...empty,
        tools,
        turns: resultsOf(result("c1", "21")),
        toolChoice: { type: "any" },
      },
      expected: ["get_weather returned: 21"],
    },
    {
      name: "one forced tool is called once",
      request: {
        ...empty,
        tools,
        turns: resultsOf(result("c1", "21")),
        toolChoice: { type: "tool", name: "get_weather", kind: "function" },
      },
      expected: ["get_weather returned: 21"],
    },
    {
      name: "another forced tool is called yet",
      request: {
        ...empty,
        tools,
        turns: resultsOf(result("c1", "21")),
        toolChoice: { type: "tool", name: "note", kind: "custom" },
      },
      expected: ["note()"],
    },
    {
      name: "JSON mode",
      request: ask('say "hi"', { output: { type: "json" } }),
      expected: ['{"echo":"say \\"hi\\""}'],
    },
    {
      name: "a schema",
      request: ask("hi", { output: { type: "schema", schema: weather.parameters } }),
      expected: ['{"city":"echo"}'],
    },
  ];

for (const { name, request, expected } of answers) {
  Deno.test(`answerEmbedded: ${name}`, async () => {
    const response = await answer(request);
    assertEquals(inShort(response), expected);
    const calls = response.alternatives[0]?.parts.some(({ type }) => type === "tool-call");
    assertEquals(response.alternatives[0]?.finishReason, calls ? "tool-calls" : "stop");
  });
}

Deno.test("answerEmbedded gives calls ids and namespaces of their own", async () => {
  const [alternative] =
    (await answer(called("call weather.get\ncall get\ncall note"))).alternatives;
  const calls = alternative?.parts.filter((part) => part.type === "tool-call") ?? [];
  assertEquals(calls.map(({ kind, namespace }) => [kind, namespace]), [
    ["function", "weather"],
    ["function", "weather"],
    ["custom", undefined],
  ]);
  assertEquals(new Set(calls.map(({ id }) => id)).size, 3);
  for (const { id } of calls) assert(/^call_[0-9a-f]{24}$/.test(id));
});

Deno.test("answerEmbedded streams word by word", async () => {
  const { events } = await hear(ask("one two three"));
  const deltas = events.flatMap((event) => event.type === "part-delta" ? [event.text] : []);
  assertEquals(deltas, ["You ", "said: ", "one ", "two ", "three"]);
});

Deno.test("answerEmbedded cites a very long text in part", async () => {
  const [said = ""] = inShort(await answer(ask("x".repeat(1_000_000))));
  assert(said.length < 33_000);
  assert(said.endsWith("… (968000 more characters)"));
});

const stops: readonly { name: string; request: CanonicalRequest; text: string; ending: object }[] =
  [
    {
      name: "the first stop sequence in the text",
      request: ask("a b c", { sampling: { stopSequences: ["c", "", "b"] } }),
      text: "You said: a ",
      ending: { finishReason: "stop-sequence", stopSequence: "b" },
    },
    {
      name: "a limit of tokens",
      request: ask("a b c", { limits: { maxOutputTokens: 4 } }),
      text: "You said: a",
      ending: { finishReason: "length" },
    },
    {
      name: "a limit that is just enough",
      request: ask("a b c", { limits: { maxOutputTokens: 6 } }),
      text: "You said: a b c",
      ending: { finishReason: "stop" },
    },
    {
      name: "a stop sequence before the limit",
      request: ask("a b c", {
        limits: { maxOutputTokens: 4 },
        sampling: { stopSequences: ["said"] },
      }),
      text: "You ",
      ending: { finishReason: "stop-sequence", stopSequence: "said" },
    },
  ];

for (const { name, request, text, ending } of stops) {
  Deno.test(`answerEmbedded ends at ${name}`, async () => {
    const [alternative] = (await answer(request)).alternatives;
    const { parts = [], ...ended } = alternative ?? {};
    assertEquals(parts, text === "" ? [] : [{ type: "text", text }]);
    assertEquals(ended, ending);
  });
}

Deno.test("answerEmbedded cuts the arguments of a call at the limit", async () => {
  const request = called('call get_weather {"city":"Oslo"}', { limits: { maxOutputTokens: 5 } });
  const response = await answer(request);
  assertEquals(inShort(response), ['get_weather({"city":")']);
  assertEquals(response.alternatives[0]?.finishReason, "length");
  assertEquals(response.usage?.outputTokens, 5);
});

Deno.test("answerEmbedded gives alternatives, one after another", async () => {
  const { alternatives } = await answer(ask("hi", { sampling: { alternatives: 3 } }));
  assertEquals(alternatives.map(({ parts }) => parts), [
    [{ type: "text", text: "You said: hi" }],
    [{ type: "text", text: "(2) You said: hi" }],
    [{ type: "text", text: "(3) You said: hi" }],
  ]);
});

const thinking: readonly [CanonicalRequest["reasoning"], boolean][] = [
  [undefined, false],
  [{}, false],
  [{ effort: "none" }, false],
  [{ effort: "low" }, true],
  [{ effort: "max" }, true],
  [{ budgetTokens: 0 }, false],
  [{ budgetTokens: -1 }, true],
  [{ budgetTokens: 1024 }, true],
  [{ mode: "enabled" }, true],
  [{ mode: "adaptive" }, true],
  [{ mode: "disabled", effort: "high" }, false],
  [{ summary: "auto" }, false],
];

for (const [reasoning, thinks] of thinking) {
  Deno.test(`answerEmbedded thinks: ${JSON.stringify(reasoning)}: ${thinks}`, async () => {
    const response = await answer(ask("hi", { reasoning }));
    const [first, ...rest] = response.alternatives[0]?.parts ?? [];
    assertEquals(first?.type, thinks ? "reasoning" : "text");
    assertEquals(rest.length, thinks ? 1 : 0);
    assertEquals((response.usage?.reasoningTokens ?? 0) > 0, thinks);
    assertEquals(response.usage?.outputTokens, countTextTokens("You said: hi"));
  });
}

for (const carrier of formatNames) {
  Deno.test(`answerEmbedded knows its proof again after a ${carrier} caller`, async () => {
    const [thought] =
      (await answer(ask("hi", { reasoning: { effort: "low" } }))).alternatives[0]?.parts ?? [];
    assert(thought?.continuation);
    const continuation = openContinuation(carrier, sealContinuation(carrier, thought.continuation));
    assert(continuation);
    const turns: readonly Turn[] = [
      user(text("hi")),
      { role: "assistant", parts: [{ ...thought, continuation }] },
      user(text("more")),
    ];
    const [next] =
      (await answer({ ...empty, turns, reasoning: { effort: "low" } })).alternatives[0]?.parts ??
        [];
    assert(
      next?.type === "reasoning" && next.text.endsWith("Of my earlier thoughts 1 came back to me."),
    );
  });
}

Deno.test("answerEmbedded states usage by the tokenizer", async () => {
  const request = called("call note hello there", {
    instructions: [{ type: "text", text: "Be brief." }],
  });
  const { usage } = await answer(request);
  assert(usage);
  assertEquals(totalInputTokens(usage), countRequestTokens(request));
  assertEquals(totalOutputTokens(usage), countTextTokens("note") + countTextTokens("hello there"));
  assertEquals(usage.cacheReadTokens, 0);
});

const refusals: readonly [string, string, number | undefined][] = [
  ["fail 400", "invalid_request", undefined],
  ["fail 401", "upstream_unauthorized", undefined],
  ["fail 429", "rate_limit_exceeded", 2],
  ["fail 500", "upstream_error", undefined],
  ["fail 503", "upstream_overloaded", 5],
  ["pace 1 fail timeout", "upstream_timeout", undefined],
];

for (const [prompt, code, retryAfterSeconds] of refusals) {
  Deno.test(`answerEmbedded refuses: ${prompt}`, async () => {
    const { events, refusal } = await hear(ask(prompt));
    assertEquals(events, []);
    assert(refusal instanceof GatewayError);
    assertEquals([refusal.code, refusal.retryAfterSeconds], [code, retryAfterSeconds]);
  });
}

Deno.test("answerEmbedded takes words that only begin like an error for words", async () => {
  assertEquals(inShort(await answer(ask("fail 429 please"))), ["You said: fail 429 please"]);
});

Deno.test("answerEmbedded breaks off midway with its last event", async () => {
  const { events, refusal } = await hear(ask("fail midway"));
  assertEquals(refusal, undefined);
  assert(events.some(({ type }) => type === "part-delta"));
  const last = events.at(-1);
  assert(last?.type === "error" && last.error.code === "upstream_error");
});

Deno.test("answerEmbedded hangs until it is cancelled, with the reason of who cancels", async () => {
  const controller = new AbortController();
  const heard = hear(ask("fail hang"), controller.signal);
  const silent = await Promise.race([
    heard,
    new Promise((resolve) => setTimeout(resolve, 20, "silent")),
  ]);
  assertEquals(silent, "silent");
  controller.abort(new GatewayError("upstream_timeout", "Too late"));
  const { refusal } = await heard;
  assert(refusal instanceof GatewayError && refusal.code === "upstream_timeout");
});

// Deno's own sanitizer fails these tests where a timer is left behind.
Deno.test("answerEmbedded ends at once when it is cancelled between two words", async () => {
  const controller = new AbortController();
  const events: CanonicalEvent[] = [];
  const started = performance.now();
  const options = { requestId: "req_1", signal: controller.signal };
  for await (const event of answerEmbedded(ask("pace 5000 a b c"), options)) {
    events.push(event);
    if (event.type === "part-start") queueMicrotask(() => controller.abort());
  }
  assert(performance.now() - started < 1_000);
  const last = events.at(-1);
  assert(last?.type === "error" && last.error.code === "client_closed");
  assertLawful(events);
});

Deno.test("answerEmbedded leaves nothing behind when its reader leaves", async () => {
  const options = { requestId: "req_1", signal: new AbortController().signal, paceMs: 1 };
  for await (const event of answerEmbedded(ask("a b c"), options)) {
    if (event.type === "part-delta") break;
  }
});

Deno.test("answerEmbedded says nothing when it is cancelled before it begins", async () => {
  for (const prompt of ["hello", "fail hang"]) {
    const { events } = await hear(ask(prompt), AbortSignal.abort());
    assertEquals(events.filter(({ type }) => type === "part-delta"), []);
  }
});

Deno.test("answerEmbedded speaks as fast as the prompt says", async () => {
  const started = performance.now();
  assertEquals(inShort(await answer(ask("pace 20 a b", { stream: false }))), ["You said: a b"]);
  assert(performance.now() - started >= 4 * 20 - 5);
});

Deno.test("answerEmbedded speaks a long text several words at a time", async () => {
  const controller = new AbortController();
  const options = { requestId: "req_1", signal: controller.signal };
  for await (const event of answerEmbedded(ask(`pace 10 ${"a ".repeat(9_000)}`), options)) {
    if (event.type !== "part-delta") continue;
    assertEquals(event.text, "You said: a a ");
    break;
  }
});

/** The laws that the event contract states. */
function assertLawful(events: readonly CanonicalEvent[]): void {
  assertEquals(events[0]?.type, "start");
  const open = new Set<number>();
  let parts = 0;
  for (const [at, event] of events.entries()) {
    if (event.type === "start") assertEquals(at, 0);
    if (event.type === "part-start") {
      assertEquals([event.index, open.size], [parts++, 0]);
      open.add(event.index);
    }
    if (event.type === "part-delta") assert(open.has(event.index) && event.text !== "");
    if (event.type === "part-end") assert(open.delete(event.index));
    if (event.type === "end" || event.type === "error") {
      assertEquals([at, open.size], [events.length - 1, 0]);
    }
  }
  assert(["end", "error"].includes(events.at(-1)?.type ?? ""));
}

const requests = fc.record({
  prompt: fc.oneof(
    fc.string({ unit: "grapheme" }),
    fc.constantFrom("call note x\ncall get_weather {}\ncall y", "fail midway", "call note", ""),
  ),
  reasoning: fc.constantFrom(undefined, { effort: "low" } as const, { budgetTokens: 100 }),
  toolChoice: fc.constantFrom(undefined, { type: "any" } as const, { type: "none" } as const),
  output: fc.constantFrom(
    undefined,
    { type: "json" } as const,
    { type: "schema", schema: weather.parameters } as const,
  ),
  maxOutputTokens: fc.option(fc.nat(40), { nil: undefined }),
  stopSequences: fc.array(fc.string({ maxLength: 2 }), { maxLength: 2 }),
  alternatives: fc.constantFrom(undefined, 1, 2, -1, 0.5, NaN),
}).map(({ prompt, maxOutputTokens, stopSequences, alternatives, ...rest }) =>
  called(prompt, {
    ...rest,
    limits: { maxOutputTokens },
    sampling: { stopSequences, alternatives },
  })
);

Deno.test("answerEmbedded law: its events keep the contract, the limits, and are the same each time", async () => {
  await fc.assert(
    fc.asyncProperty(requests, async (request) => {
      const { events, refusal } = await hear(request);
      assertEquals(refusal, undefined);
      assertLawful(events);
      assertEquals(JSON.stringify((await hear(request)).events), JSON.stringify(events));
      const { maxOutputTokens = Infinity } = request.limits;
      const usage = events.findLast((event) => event.type === "usage")?.usage;
      const count = events.findLast((event) => event.type === "end")?.endings.length ?? 1;
      if (usage) assert(totalOutputTokens(usage) <= (maxOutputTokens + 2) * count);
    }),
    { numRuns: 200 },
  );
});
