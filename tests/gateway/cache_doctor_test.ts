import { assertEquals } from "@std/assert";
import {
  type FormatName,
  type JsonObject,
  type JsonValue,
  noUsage,
  type Usage,
} from "../../lib/canonical/mod.ts";
import { codecs } from "../../lib/formats/mod.ts";
import { CacheDoctor, promptOf } from "../../lib/gateway/cache_doctor.ts";
import { decodedOf } from "../../lib/http/decode.ts";
import type { RequestLogRow } from "../../lib/store/log/mod.ts";
import { sampleRow } from "../store/samples.ts";

/** A prompt before it is in a format: texts of the tools, the instructions and the turns. */
interface Prompt {
  readonly tools: readonly string[];
  readonly system: string;
  readonly turns: readonly string[];
}

const mark = { cache_control: { type: "ephemeral" } };
const roleAt = (at: number) => at % 2 === 0 ? "user" : "assistant";

/** The prompt as a client writes it: the last block has a mark of the cache, which moves. */
const bodies: Readonly<Record<FormatName, (prompt: Prompt) => JsonObject>> = {
  "chat-completions": ({ tools, system, turns }) => ({
    model: "m",
    tools: tools.map((name) => ({ type: "function", function: { name } })),
    messages: [
      { role: "system", content: system },
      ...turns.map((content, at) => ({ role: roleAt(at), content })),
    ],
  }),
  responses: ({ tools, system, turns }) => ({
    model: "m",
    tools: tools.map((name) => ({ type: "function", name })),
    instructions: system,
    input: turns.map((text, at) => ({ type: "message", role: roleAt(at), content: text })),
  }),
  messages: ({ tools, system, turns }) => ({
    model: "m",
    max_tokens: 1,
    tools: tools.map((name) => ({ name, input_schema: { type: "object" } })),
    system: [{ type: "text", text: system, ...mark }],
    messages: turns.map((text, at) => ({
      role: roleAt(at),
      content: at < turns.length - 1 ? text : [{ type: "text", text, ...mark }],
    })),
  }),
  "generate-content": ({ tools, system, turns }) => ({
    systemInstruction: { parts: [{ text: system }] },
    tools: [{ functionDeclarations: tools.map((name) => ({ name })) }],
    contents: turns.map((text, at) => ({
      role: at % 2 === 0 ? "user" : "model",
      parts: [{ text }],
    })),
  }),
};

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => from + at);
const prompt: Prompt = {
  tools: range(1, 11).map((n) => `tool-${n}`),
  system: "You repair builds. Today is 2026-11-29.",
  turns: range(1, 16).map((n) => `Turn ${n} says something of some length`),
};
const longer = { ...prompt, turns: [...prompt.turns, "an answer", "a question"] };
const changed = (texts: readonly string[], position: number) =>
  texts.with(position - 1, `${texts[position - 1]}!`);

const wrote: Usage = { ...noUsage, inputTokens: 9, cacheWrite5mTokens: 20_000 };
const hit: Usage = { ...noUsage, inputTokens: 9, cacheReadTokens: 20_000 };
const minuteMs = 60_000;

/** A call of a session, a minute after the one before. */
function rowAt(minute: number, usage: Usage, fields: Partial<RequestLogRow> = {}): RequestLogRow {
  return sampleRow(1 + minute, {
    atMs: 1_000 + minute * minuteMs,
    session: { id: "s" },
    upstreamId: "up",
    usageSource: "upstream",
    usage,
    ...fields,
  });
}

function promptIn(format: FormatName, said: Prompt) {
  const codec = codecs[format];
  const body = bodies[format](said);
  const wire = { path: "/models/m:generateContent", search: {}, headers: {}, body };
  return () => promptOf({ codec }, decodedOf(codec, wire, { text: JSON.stringify(body), body }));
}

interface Second {
  readonly prompt: Prompt;
  readonly usage?: Usage;
  readonly minute?: number;
  readonly fields?: Partial<RequestLogRow>;
}

/** The finding in a call that follows one whose prompt was cached. */
async function findingOf(format: FormatName, second: Second): Promise<string | undefined> {
  const doctor = new CacheDoctor();
  doctor.examined(rowAt(0, wrote), promptIn(format, prompt));
  await Promise.resolve(); // the first prompt is remembered behind the task
  const { usage = wrote, minute = 1, fields } = second;
  const row = rowAt(minute, usage, fields);
  return doctor.examined(row, promptIn(format, second.prompt)).cacheMiss;
}

const cases: Readonly<Record<string, readonly [expected: string | undefined, Second]>> = {
  "a hit": [undefined, { prompt: longer, usage: hit }],
  "a hit behind a changed end": [undefined, {
    prompt: { ...longer, turns: changed(longer.turns, 15) },
    usage: hit,
  }],
  "other instructions": ["system", {
    prompt: { ...longer, system: prompt.system.replace("29", "30") },
  }],
  "another seventh tool": ["tool 7", { prompt: { ...longer, tools: changed(longer.tools, 7) } }],
  "one more tool": ["tool 11", { prompt: { ...longer, tools: [...longer.tools, "new"] } }],
  "a tool less": ["tool 10", { prompt: { ...longer, tools: longer.tools.slice(0, -1) } }],
  "an expired cache": ["expired", { prompt: longer, minute: 7 }],
  "an expired cache and other instructions": ["system", {
    prompt: { ...longer, system: "Short." },
    minute: 7,
  }],
  "another model": ["model", { prompt: longer, fields: { model: "other" } }],
  "another upstream": ["upstream", { prompt: longer, fields: { upstreamId: "other" } }],
  "nothing changed": ["unknown", { prompt: longer }],
  "another conversation": [undefined, {
    prompt: { tools: [], system: "Write a title.", turns: [prompt.turns[0]] },
  }],
  "a call that began before the first had an answer": [undefined, {
    prompt: { ...longer, system: "other" },
    fields: { atMs: 1_000 },
  }],
  "a prompt too short for a cache": [undefined, {
    prompt: { ...longer, system: "other" },
    usage: { ...noUsage, inputTokens: 500 },
  }],
  "a usage that was counted here": [undefined, {
    prompt: { ...longer, system: "other" },
    fields: { usageSource: "counted" },
  }],
};

for (const format of Object.keys(bodies) as FormatName[]) {
  for (const [name, [expected, second]] of Object.entries(cases)) {
    Deno.test(`cache doctor: ${name} in ${format}`, async () => {
      assertEquals(await findingOf(format, second), expected);
    });
  }
  Deno.test(`cache doctor: another turn in ${format}`, async () => {
    const first = format === "chat-completions" ? 2 : 1; // the instructions are the first message
    const found = await findingOf(format, {
      prompt: { ...longer, turns: changed(longer.turns, 12) },
    });
    assertEquals(found, `message ${11 + first}`);
  });
}

Deno.test("cache doctor: a text is the same alone and in a block with a mark", async () => {
  const doctor = new CacheDoctor();
  const parts = (content: JsonValue) => () => ({
    tools: [],
    system: ["long"],
    turns: [{ role: "user", content }, { role: "assistant", content: "b" }],
  });
  doctor.examined(rowAt(0, wrote), parts([{ type: "text", text: "hi", ...mark }]));
  await Promise.resolve();
  assertEquals(doctor.examined(rowAt(1, wrote), parts("hi")).cacheMiss, "unknown");
});

Deno.test("cache doctor: sub-agents and other keys have prompts of their own", async () => {
  for (const other of [{ session: { id: "s", agent: "a1" } }, { keyId: "key_2" }]) {
    const said = { ...longer, system: "other" };
    assertEquals(await findingOf("messages", { prompt: said, fields: other }), undefined);
  }
});

Deno.test("cache doctor: a prompt is read only for sessions with caches, and later for a hit", async () => {
  const doctor = new CacheDoctor();
  let reads = 0;
  const read = () => {
    reads++;
    return { tools: [], system: [], turns: ["a"] };
  };
  doctor.examined(sampleRow(1, { usage: wrote, usageSource: "upstream" }), read);
  doctor.examined(rowAt(0, { ...noUsage, inputTokens: 5_000 }), read);
  await Promise.resolve();
  assertEquals(reads, 0);
  doctor.examined(rowAt(1, wrote), read);
  assertEquals(reads, 0);
  await Promise.resolve();
  assertEquals(reads, 1);
});

Deno.test("cache doctor: a fault of a prompt is no fault of the call", async () => {
  const doctor = new CacheDoctor();
  const broken = () => {
    throw new RangeError("too deep");
  };
  doctor.examined(rowAt(0, wrote), broken);
  await Promise.resolve();
  assertEquals(doctor.examined(rowAt(1, wrote), broken).cacheMiss, "unknown");
});
