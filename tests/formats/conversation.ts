import fc from "fast-check";
import { createHash } from "node:crypto";
import {
  type CanonicalRequest,
  type Continuation,
  type FormatName,
  formatNames,
  type JsonObject,
  type JsonValue,
  type MediaSource,
  type Part,
  type ReasoningPart,
  type TextPart,
  type Tool,
  type ToolCallPart,
  type ToolResultPart,
  type Turn,
} from "../../lib/canonical/mod.ts";
import { signedContent, thoughtSignature } from "../strict/generate_content/rules.ts";
import { signature } from "../strict/messages/rules.ts";
import { encryption } from "../strict/responses/rules.ts";
import { anySchema } from "./requests/schema_arbitrary.ts";

/** Random conversations that every vendor accepts: all parts, all settings, valid continuations. */

const plainName = /^[\w-]{1,64}$/;
const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined, freq: 3 });
const words = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.string({ minLength: 1, maxLength: 40 }).filter((text) => /\S/.test(text)),
  },
  {
    weight: 1,
    arbitrary: fc.string({ unit: "grapheme", minLength: 1, maxLength: 20 }).filter((text) =>
      /\S/.test(text)
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      "call x {}",
      '</tag> & "quotes"',
      "日本語",
      "\u0000\u2028",
      "tsr1.messages.e30",
    ),
  },
);
const bytes = fc.uint8Array({ minLength: 3, maxLength: 30 }).map((data) => data.toBase64());
const cacheMark = fc.constantFrom({}, { ttl: "5m" }, { ttl: "1h" }, { ttl: "30m" });
const marked = fc.option(cacheMark, { nil: undefined, freq: 12 });

function defined<T extends object>(value: T): T {
  return JSON.parse(JSON.stringify(value));
}

const text: fc.Arbitrary<TextPart> = fc.record({ text: words, cache: marked })
  .map(({ text, cache }) => defined({ type: "text" as const, text, cache }));

const source = fc.oneof(
  bytes.map((data): MediaSource => ({ type: "base64", data })),
  fc.webUrl({ validSchemes: ["https"] }).map((url): MediaSource => ({ type: "url", url })),
);
const held = fc.record({
  id: fc.constantFrom("file-1", "files/abc"),
  format: fc.constantFrom(...formatNames),
})
  .map((file): MediaSource => ({ type: "file-id", ...file }));

const image = fc.record({
  source,
  mediaType: fc.constantFrom("image/png", "image/jpeg", "image/gif", "image/webp"),
  detail: optional(fc.constantFrom("low" as const, "high" as const, "auto" as const)),
  cache: marked,
}).map((part): Part => defined({ type: "image", ...part }));

const document = fc.oneof(
  fc.record({
    source,
    mediaType: fc.constant("application/pdf"),
    name: optional(fc.constantFrom("a.pdf", "übersicht.pdf")),
  }),
  fc.record({
    source: words.map((text): MediaSource => ({ type: "text", text })),
    mediaType: fc.constant("text/plain"),
    name: fc.constant("notes.txt"),
  }),
).map((part): Part => defined({ type: "file", ...part }));

/** Media that only some vendors accept: the request is refused for others. */
const oddMedium: fc.Arbitrary<Part> = fc.oneof(
  bytes.map((data): Part => ({
    type: "audio",
    source: { type: "base64", data },
    mediaType: "audio/wav",
  })),
  bytes.map((data): Part => ({
    type: "video",
    source: { type: "base64", data },
    mediaType: "video/mp4",
  })),
  bytes.map((data): Part => ({
    type: "image",
    source: { type: "base64", data },
    mediaType: "image/tiff",
  })),
  bytes.map((data): Part => ({
    type: "file",
    source: { type: "base64", data },
    mediaType: "application/zip",
  })),
  held.map((source): Part => ({ type: "file", source })),
  held.map((source): Part => ({ type: "image", source })),
);

const nativePart = fc.record({
  format: fc.constantFrom(...formatNames),
  value: fc.constantFrom<JsonObject>({ type: "x_unknown" }, {
    type: "web_search_call",
    id: "ws_1",
  }),
}).map((part): Part => ({ type: "native", ...part }));

const userPart: fc.Arbitrary<Part> = fc.oneof(
  { weight: 12, arbitrary: text },
  { weight: 3, arbitrary: image },
  { weight: 1, arbitrary: document },
);

/** A user turn always has some text. */
const userTurn: fc.Arbitrary<Turn> = fc.tuple(text, fc.array(userPart, { maxLength: 2 }))
  .map(([first, rest]): Turn => ({ role: "user", parts: [first, ...rest] }));

const systemTurn: fc.Arbitrary<Turn> = text.map((part) => ({ role: "system", parts: [part] }));

const toolNames = [
  "get_weather",
  "get-time",
  "näme with space",
  "n".repeat(80),
  "apply_patch",
] as const;
const customName = "apply_patch";

const jsonObject: fc.Arbitrary<JsonObject> = fc.dictionary(
  fc.string({ minLength: 1, maxLength: 6 }).filter((key) => key !== "__proto__"),
  fc.oneof(
    words,
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.array(fc.integer(), { maxLength: 2 }),
  ),
  { maxKeys: 3 },
) as fc.Arbitrary<JsonObject>; // sound: JSON values alone

interface Called {
  readonly name: string;
  readonly args: JsonObject;
  readonly input: string;
  readonly id: string;
}

const called: fc.Arbitrary<Called> = fc.record({
  name: fc.constantFrom(...toolNames),
  args: jsonObject,
  input: words,
  id: fc.constantFrom("call_1", "toolu_x", "a.b c", "x".repeat(70), "日本"),
});

interface Step {
  readonly thought?: { readonly text: string; readonly issuer?: FormatName };
  readonly said?: TextPart;
  readonly calls: readonly Called[];
  readonly results: readonly { readonly parts: readonly Part[]; readonly isError: boolean }[];
  readonly beside?: TextPart;
  /** The issuer of the first call's continuation. */
  readonly issuer?: FormatName;
}

const resultPart: fc.Arbitrary<Part> = fc.oneof({ weight: 5, arbitrary: text }, {
  weight: 1,
  arbitrary: image,
});
const step: fc.Arbitrary<Step> = fc.record({
  thought: optional(fc.record({ text: words, issuer: optional(fc.constantFrom(...formatNames)) })),
  said: optional(text),
  calls: fc.array(called, { maxLength: 3 }),
  results: fc.array(
    fc.record({ parts: fc.array(resultPart, { maxLength: 2 }), isError: fc.boolean() }),
    {
      minLength: 3,
      maxLength: 3,
    },
  ),
  beside: optional(text),
  issuer: optional(fc.constantFrom(...formatNames)),
});

/** The continuation that a strict server of the issuer gives for a reasoning. */
function proofOf(text: string, issuer: FormatName): Continuation | undefined {
  switch (issuer) {
    case "messages":
      return { issuer, data: signature.sign(text) };
    case "responses":
      return { issuer, data: encryption.sign(text), itemId: `rs_${text.length}` };
    case "chat-completions":
      return { issuer, data: '{"reasoning_content":true}' };
    case "generate-content":
      return undefined; // the issuer signs calls and texts
    default:
      return issuer satisfies never;
  }
}

function thoughtOf({ text, issuer }: NonNullable<Step["thought"]>): ReasoningPart {
  const continuation = issuer && proofOf(text, issuer);
  return { type: "reasoning", text, visibility: "summary", ...(continuation && { continuation }) };
}

/** The turns of one step: the model's output, and the results of its tools. `at` makes ids unique. */
function turnsOf(step: Step, at: number): Turn[] {
  const calls = step.calls.map((call, index): ToolCallPart => callOf(call, `${at}.${index}`));
  const signed = calls.map((call, index) =>
    index === 0 && step.issuer ? withSignature(call, step.issuer) : call
  );
  const parts = [
    ...(step.thought ? [thoughtOf(step.thought)] : []),
    ...(step.said ? [step.said] : []),
    ...signed,
  ];
  if (!step.said && calls.length === 0) parts.push({ type: "text", text: "So." });
  const results = calls.map((call, index): ToolResultPart => ({
    type: "tool-result",
    callId: call.id,
    kind: call.kind,
    ...step.results[index],
  }));
  const answers = [...results, ...(step.beside ? [step.beside] : [])];
  const said: Turn = { role: "assistant", parts };
  return results.length > 0 ? [said, { role: "user", parts: answers }] : [said];
}

function callOf({ name, args, input, id }: Called, suffix: string): ToolCallPart {
  const custom = name === customName;
  return {
    type: "tool-call",
    id: `${id}${suffix}`,
    name,
    arguments: custom ? input : JSON.stringify(args),
    kind: custom ? "custom" : "function",
  };
}

/** A call's continuation: valid if its own vendor issued it, meaningless otherwise. */
function withSignature(call: ToolCallPart, issuer: FormatName): ToolCallPart {
  if (call.kind === "custom") return call; // no vendor signs free text
  if (issuer !== "generate-content") {
    const data = issuer === "chat-completions" ? "c2ln" : encryption.sign(call.id);
    return { ...call, continuation: { issuer, data } };
  }
  if (!plainName.test(call.name)) return call; // signed under its wire name
  const args: JsonObject = JSON.parse(call.arguments);
  const data = thoughtSignature.sign(signedContent({ functionCall: { name: call.name, args } }));
  return { ...call, continuation: { issuer, data } };
}

const turns: fc.Arbitrary<Turn[]> = fc.record({
  first: userTurn,
  steps: fc.array(fc.tuple(step, userTurn, fc.option(systemTurn, { nil: undefined, freq: 10 })), {
    maxLength: 3,
  }),
  open: fc.boolean(),
}).map(({ first, steps, open }) => {
  const all = steps.flatMap(([step, after, system], at) => [
    ...turnsOf(step, at),
    ...(system ? [system] : []),
    after,
  ]);
  const ended = open && all.at(-2)?.role === "user" ? all.slice(0, -1) : all; // within a tool loop
  return [first, ...ended];
});

/** The tools of the history, each with a random schema. */
const tools: fc.Arbitrary<Tool[]> = fc.tuple(
  ...toolNames.map((name) =>
    fc.record({
      description: optional(words),
      parameters: optional(anySchema),
      strict: optional(fc.boolean()),
      cache: marked,
    }).map((rest): Tool =>
      name === customName
        ? defined({ type: "custom" as const, name, description: rest.description })
        : defined({ type: "function" as const, name, ...rest })
    )
  ),
);

const toolChoice = fc.oneof(
  fc.constantFrom({ type: "auto" as const }, { type: "any" as const }, { type: "none" as const }),
  fc.constant({ type: "tool" as const, name: "get_weather", kind: "function" as const }),
  fc.constantFrom("auto" as const, "any" as const).map((mode) => ({
    type: "allowed" as const,
    mode,
    names: ["get_weather", "get-time"],
  })),
);

const settings = fc.record({
  instructions: fc.array(text, { maxLength: 2 }),
  parallelToolCalls: optional(fc.boolean()),
  output: optional(fc.oneof(
    fc.constantFrom({ type: "text" as const }, { type: "json" as const }),
    anySchema.map((schema) => ({ type: "schema" as const, schema })),
    anySchema.map((schema) => ({ type: "schema" as const, schema, name: "place", strict: true })),
  )),
  sampling: fc.record({
    temperature: fc.integer({ min: 0, max: 20 }).map((value) => value / 10),
    topP: fc.integer({ min: 1, max: 10 }).map((value) => value / 10),
    topK: fc.integer({ min: 1, max: 40 }),
    stopSequences: fc.array(fc.constantFrom("END", "\n\n", "STOP!", "###", "a", "b"), {
      maxLength: 6,
    }),
    seed: fc.integer({ min: 0, max: 2 ** 31 - 1 }),
    presencePenalty: fc.constantFrom(-2, 0, 1.5),
    frequencyPenalty: fc.constantFrom(-2, 0, 1.5),
    logitBias: fc.constant({ "15339": -100 }),
    logprobs: fc.constant(true),
  }, { requiredKeys: [] }),
  limits: fc.record({ maxOutputTokens: fc.integer({ min: 1, max: 8000 }) }, { requiredKeys: [] }),
  reasoning: optional(fc.record({
    effort: fc.constantFrom("none", "minimal", "low", "medium", "high", "xhigh", "max"),
    budgetTokens: fc.constantFrom(-1, 0, 500, 1024, 5000, 100_000),
    mode: fc.constantFrom("enabled", "adaptive", "disabled"),
    summary: fc.constantFrom("none", "auto", "concise", "detailed"),
  }, { requiredKeys: [] }) as fc.Arbitrary<CanonicalRequest["reasoning"]>), // sound: the members above
  cacheKey: optional(words),
  endUser: optional(
    fc.constantFrom("user-1", "ada@example.com", '{"device":"x"}', "u".repeat(300)),
  ),
  metadata: optional(fc.constant({ team: "red" })),
  serviceTier: optional(
    fc.constantFrom("default", "flex", "priority"),
  ),
  verbosity: optional(fc.constantFrom("low" as const, "high" as const)),
  store: optional(fc.boolean()),
  stream: fc.boolean(),
});

/** A conversation that every vendor accepts, in its own format. */
export const conversation: fc.Arbitrary<CanonicalRequest> = fc.record({
  settings,
  turns,
  tools,
  toolChoice: optional(toolChoice),
}).map(({ settings, turns, tools, toolChoice }): CanonicalRequest => {
  const calls = turns.some(({ parts }) => parts.some(({ type }) => type === "tool-call"));
  const offers = calls || toolChoice !== undefined;
  return defined({ model: "m", ...settings, turns, tools: offers ? tools : [], toolChoice });
});

/** Content that all formats share: text, images, and calls of functions with one text as result. */
export const commonConversation: fc.Arbitrary<CanonicalRequest> = conversation.map((request) => ({
  model: request.model,
  stream: request.stream,
  instructions: request.instructions.slice(0, 1).map(({ text }) => ({ type: "text", text })),
  turns: request.turns.filter(({ role }) => role !== "system")
    .map(({ role, parts }): Turn => ({ role, parts: parts.flatMap(commonPart) }))
    .filter(({ parts }) => parts.length > 0),
  tools: request.tools.flatMap((tool): Tool[] =>
    tool.type === "function" && plainName.test(tool.name)
      ? [{ type: "function", name: tool.name, description: "d", parameters: commonSchema }]
      : []
  ),
  ...(request.tools.length > 0 && { toolChoice: { type: "auto" } }),
  sampling: {},
  limits: { maxOutputTokens: 1000 },
}));

const commonSchema = { type: "object", properties: { a: { type: "string" } }, required: ["a"] };

/** Ids that every vendor accepts; a call and its result keep the same one. */
function commonId(id: string): string {
  return `call_${digest(id).slice(0, 12)}`;
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

function commonPart(part: Part): Part[] {
  switch (part.type) {
    case "text":
      return [{ type: "text", text: part.text }];
    case "image":
      return part.source.type === "base64"
        ? [{ type: "image", source: part.source, mediaType: part.mediaType }]
        : [];
    case "tool-call":
      return part.kind === "function" && plainName.test(part.name)
        ? [{
          type: "tool-call",
          id: commonId(part.id),
          name: part.name,
          arguments: part.arguments,
          kind: "function",
        }]
        : [];
    case "tool-result": {
      const text: Part = { type: "text", text: `told ${part.callId}` };
      return [{
        type: "tool-result",
        callId: commonId(part.callId),
        kind: "function",
        parts: [text],
        isError: false,
      }];
    }
    default:
      return [];
  }
}

/** A conversation with content that some vendors refuse, at any position. */
export const oddConversation: fc.Arbitrary<CanonicalRequest> = fc.record({
  base: conversation,
  parts: fc.array(fc.oneof(oddMedium, nativePart), { maxLength: 2 }),
  place: fc.nat(),
  drop: fc.nat({ max: 6 }),
}).map(({ base, parts, place, drop }) => {
  const turns = base.turns.map((turn, index) =>
    index === place % base.turns.length ? { ...turn, parts: [...turn.parts, ...parts] } : turn
  );
  return { ...base, turns: turns.filter((_, index) => index !== drop) };
});

/** Any JSON, and a body with any of its values replaced by it. */
export const junk: fc.Arbitrary<JsonValue> = fc.oneof(
  fc.constantFrom<JsonValue>(null, true, 0, -1, 1e308, "", "x", [], {}, [[]], [null], {
    type: null,
  }),
  fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<JsonValue>, // sound: JSON by construction
);

/** Replaces, removes or doubles a value somewhere; `at` selects the position. */
export function mutated(
  value: JsonValue,
  at: readonly number[],
  by: JsonValue | undefined,
): JsonValue {
  const [first, ...rest] = at;
  if (first === undefined || typeof value !== "object" || value === null) return by ?? null;
  if (Array.isArray(value)) {
    if (value.length === 0) return by === undefined ? [] : [by];
    const index = first % value.length;
    const list: JsonValue[] = [...value];
    if (rest.length === 0 && by === undefined) list.splice(index, 1);
    else list[index] = mutated(list[index], rest, by);
    return list;
  }
  const keys = Object.keys(value);
  if (keys.length === 0) return by === undefined ? {} : { x: by };
  const key = keys[first % keys.length];
  if (rest.length === 0 && by === undefined) {
    return Object.fromEntries(Object.entries(value).filter(([name]) => name !== key));
  }
  return { ...value, [key]: mutated((value as JsonObject)[key] ?? null, rest, by) }; // sound: neither null nor a list
}
