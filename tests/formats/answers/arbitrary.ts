import fc from "fast-check";
import {
  type CanonicalEvent,
  type CanonicalResponse,
  eventsOf,
  finishReasons,
  formatNames,
  GatewayError,
  type JsonValue,
  noUsage,
  type Part,
  type Usage,
} from "../../../lib/canonical/mod.ts";
import type { ServerSentEvent } from "../../../lib/formats/wire.ts";
import { junk, mutated } from "../conversation.ts";

/** Random answers and streams: valid ones, and ones that no upstream should send. */

const words = fc.string({ unit: "grapheme", minLength: 1, maxLength: 30 });
const proof = fc.option(
  fc.constantFrom(...formatNames).map((issuer) => ({
    issuer,
    data: issuer === "chat-completions" ? '{"reasoning_content":true}' : "EqQBc2lnbmF0dXJl",
  })),
  { nil: undefined },
);
const jsonText = (fc.dictionary(words, fc.oneof(words, fc.integer()), { maxKeys: 2 }))
  .map((value) => JSON.stringify(value));

const reasoning = fc.record({
  text: words,
  visibility: fc.constantFrom("summary" as const, "raw" as const),
  continuation: proof,
}).map((part): Part => ({ type: "reasoning", ...part }));
const text = words.map((text): Part => ({ type: "text", text }));
const call = fc.record({
  name: fc.constantFrom("get_weather", "get-time"),
  arguments: jsonText,
  continuation: proof,
})
  .map((part): Part => ({ type: "tool-call", id: "", kind: "function", ...part }));

const oddPart: fc.Arbitrary<Part> = fc.oneof(
  words.map((text): Part => ({ type: "refusal", text })),
  fc.constantFrom<Part>(
    { type: "text", text: "" },
    { type: "reasoning", text: "", visibility: "redacted" },
    {
      type: "reasoning",
      text: "",
      visibility: "summary",
      continuation: { issuer: "messages", data: "s" },
    },
    { type: "image", source: { type: "base64", data: "AAAA" }, mediaType: "image/png" },
    { type: "audio", source: { type: "base64", data: "AAAA" }, mediaType: "audio/wav" },
    { type: "tool-call", id: "c", name: "apply_patch", arguments: "*** free text", kind: "custom" },
    { type: "tool-call", id: "d", name: "get_weather", arguments: '{"cut', kind: "function" },
    { type: "tool-call", id: "", name: "get-time", arguments: "", kind: "function" },
    { type: "tool-call", id: "x".repeat(99), name: "näme x", arguments: "[1]", kind: "function" },
    { type: "tool-result", callId: "c", kind: "function", parts: [], isError: false },
    {
      type: "text",
      text: "cited",
      citations: [{ url: "https://a.test", title: "A", start: 0, end: 5 }],
    },
  ),
  fc.constantFrom(...formatNames).map((format): Part => ({
    type: "native",
    format,
    value: { type: "x", id: "x_1" },
  })),
);

const count = fc.nat({ max: 5000 });
const usage: fc.Arbitrary<Usage> = fc.record({
  inputTokens: count,
  cacheReadTokens: count,
  cacheWrite5mTokens: count,
  outputTokens: count,
  reasoningTokens: count,
}).map((counts) => ({ ...noUsage, ...counts }));

/** Gives calls ids of their own; an answer with calls ends for them. */
function answerOf(parts: readonly Part[], usage: Usage): CanonicalResponse {
  const named = parts.map((part, index) =>
    part.type === "tool-call" && part.id === "" ? { ...part, id: `call_${index}` } : part
  );
  const calls = named.some(({ type }) => type === "tool-call");
  return {
    id: "up_1",
    model: "up",
    alternatives: [{ parts: named, finishReason: calls ? "tool-calls" : "stop" }],
    usage,
  };
}

/** Content that every format can express: reasoning, then text, then calls. */
export const plainAnswer: fc.Arbitrary<CanonicalResponse> = fc.record({
  thoughts: fc.array(reasoning, { maxLength: 1 }),
  said: fc.array(text, { maxLength: 1 }),
  calls: fc.array(call, { maxLength: 3 }),
  usage,
}).filter(({ said, calls }) => said.length + calls.length > 0)
  .map(({ thoughts, said, calls, usage }) => answerOf([...thoughts, ...said, ...calls], usage));

/** Any content of the canonical form, in any order. */
export const oddAnswer: fc.Arbitrary<CanonicalResponse> = fc.record({
  parts: fc.array(fc.oneof(reasoning, text, call, oddPart), { maxLength: 6 }),
  finishReason: fc.constantFrom(...finishReasons),
  more: fc.option(fc.array(fc.oneof(text, call, oddPart), { maxLength: 2 }), {
    nil: undefined,
    freq: 6,
  }),
  usage: fc.option(usage, { nil: undefined }),
}).map(({ parts, finishReason, more, usage }) => {
  const answer = answerOf(parts, usage ?? noUsage);
  const others = more ? answerOf(more, noUsage).alternatives : [];
  return { ...answer, alternatives: [{ ...answer.alternatives[0], finishReason }, ...others] };
});

/** The events of an answer, ended by an error if `cut` is set. */
export const oddEvents: fc.Arbitrary<CanonicalEvent[]> = fc.record({
  answer: oddAnswer,
  cut: fc.option(fc.nat({ max: 20 }), { nil: undefined }),
}).map(({ answer, cut }) => {
  const events = [...eventsOf(answer)];
  if (cut === undefined || cut >= events.length) return events;
  const error = new GatewayError("upstream_truncated", "The upstream closed too early");
  return [...events.slice(0, cut), { type: "error", error }];
});

/** A way to corrupt a stream of server-sent events. */
export type Harm =
  | { readonly type: "drop" | "double" | "cut"; readonly at: number }
  | { readonly type: "swap"; readonly at: number; readonly with: number }
  | { readonly type: "garbage"; readonly at: number; readonly data: string }
  | { readonly type: "rename"; readonly at: number; readonly event: string }
  | {
    readonly type: "change";
    readonly at: number;
    readonly path: readonly number[];
    readonly by?: JsonValue;
  };

const at = fc.nat({ max: 60 });
export const harm: fc.Arbitrary<Harm> = fc.oneof(
  fc.record({ type: fc.constantFrom("drop" as const, "double" as const, "cut" as const), at }),
  fc.record({ type: fc.constant("swap" as const), at, with: at }),
  fc.record({
    type: fc.constant("garbage" as const),
    at,
    data: fc.constantFrom(
      "",
      "{",
      "null",
      "[]",
      "[DONE]",
      '"x"',
      "{}",
      '{"error":1}',
      '{"error":{"message":"no"}}',
      '{"type":"error"}',
    ),
  }),
  fc.record({
    type: fc.constant("rename" as const),
    at,
    event: fc.constantFrom("", "error", "ping", "x"),
  }),
  fc.record({
    type: fc.constant("change" as const),
    at,
    path: fc.array(fc.nat({ max: 50 }), { minLength: 1, maxLength: 6 }),
    by: fc.option(junk, { nil: undefined }),
  }),
);

export function harmed(events: readonly ServerSentEvent[], harm: Harm): ServerSentEvent[] {
  if (events.length === 0) return [];
  const at = harm.at % events.length;
  const [before, event, after] = [events.slice(0, at), events[at], events.slice(at + 1)];
  switch (harm.type) {
    case "drop":
      return [...before, ...after];
    case "double":
      return [...before, event, event, ...after];
    case "cut":
      return before;
    case "swap": {
      const list = [...events];
      const other = harm.with % events.length;
      [list[at], list[other]] = [list[other], list[at]];
      return list;
    }
    case "garbage":
      return [...before, { ...event, data: harm.data }, ...after];
    case "rename":
      return [...before, { ...event, event: harm.event }, ...after];
    case "change":
      return [...before, { ...event, data: changed(event.data, harm.path, harm.by) }, ...after];
    default:
      return harm satisfies never;
  }
}

function changed(data: string, path: readonly number[], by: JsonValue | undefined): string {
  try {
    return JSON.stringify(mutated(JSON.parse(data), path, by));
  } catch {
    return data; // an end marker is not JSON
  }
}

/** Interleaves two streams event by event, as a broken proxy does. */
export function interleaved(
  one: readonly ServerSentEvent[],
  other: readonly ServerSentEvent[],
): ServerSentEvent[] {
  return one.flatMap((event, index) => other[index] ? [event, other[index]] : [event]);
}
