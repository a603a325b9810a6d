import { type Format, formats } from "./formats.ts";
import type { UpstreamOrder } from "./processes/upstream.ts";

/** A kind of call that is measured. */
export interface Shape {
  readonly name: string;
  /** The caller's format. */
  readonly from: Format;
  /** The upstream's format. */
  readonly to: Format;
  readonly answer: UpstreamOrder["answer"];
  readonly connections: number;
  readonly bodyBytes: number;
  readonly answerBytes: number;
  readonly events: number;
  readonly intervalMs: number;
  /** Prompts and answers are in Chinese: three bytes for most characters. */
  readonly isChinese?: boolean;
  /** Absent: a conversation in short turns. `picture`: a question about one, most of the body. */
  readonly prompt?: "agent" | "picture";
  /** Without a budget and limits. Every model has a price in any case. */
  readonly plainKey?: boolean;
  /** Responses only: the gateway stores the exchange. */
  readonly stored?: boolean;
  /** Calls per second at even intervals; undefined for as many as possible. */
  readonly rate?: number;
}

const chat = "chat-completions" as const;
const base = {
  from: chat,
  to: chat,
  bodyBytes: 1_024,
  answerBytes: 400,
  events: 0,
  intervalMs: 0,
} as const;
const whole = { ...base, answer: "whole", connections: 32 } as const;
const paced = { ...base, answer: "paced", connections: 100, events: 100, intervalMs: 20 } as const;
const burst = { ...base, answer: "burst", connections: 32, events: 200 } as const;
const converting = { from: "messages", to: chat } as const;
const kib = 1_024;
const picture = { bodyBytes: 2_048 * kib, prompt: "picture", connections: 8 } as const;
const agent = { bodyBytes: 200 * kib, prompt: "agent" } as const;

/** `deno task bench` without further options. */
export const standardShapes: readonly Shape[] = [
  { ...whole, name: "whole-32" },
  { ...whole, name: "whole-256", connections: 256 },
  { ...whole, name: "whole-32-20kb", bodyBytes: 20 * kib },
  { ...whole, name: "whole-32-200kb", bodyBytes: 200 * kib },
  { ...paced, name: "paced" },
  { ...burst, name: "burst" },
  { ...whole, name: "converting-whole", ...converting },
  { ...paced, name: "converting-paced", ...converting },
  { ...burst, name: "converting-burst", ...converting },
];

/** Added latency: few enough calls that nothing queues. */
export const latencyShapes: readonly Shape[] = [
  { ...whole, name: "latency-whole", connections: 64, rate: 200 },
  { ...paced, name: "latency-streamed", connections: 256, events: 20, rate: 200 },
];

const pairs: readonly (readonly [Format, Format])[] = [
  ["chat-completions", "messages"],
  ["chat-completions", "responses"],
  ["chat-completions", "generate-content"],
  ["messages", "responses"],
  ["messages", "generate-content"],
  ["responses", "chat-completions"],
  ["responses", "messages"],
  ["responses", "generate-content"],
  ["generate-content", "chat-completions"],
  ["generate-content", "messages"],
  ["generate-content", "responses"],
  ["messages", "messages"],
  ["responses", "responses"],
  ["generate-content", "generate-content"],
];

/** `--all` adds these to the standard ones. */
const furtherShapes: readonly Shape[] = [
  ...[1, 8, 1_000].map((connections) => ({
    ...whole,
    name: `whole-${connections}`,
    connections,
  })),
  { ...paced, name: "paced-1000", connections: 1_000 },
  ...[20, 200].flatMap((size) => [
    { ...whole, name: `converting-whole-${size}kb`, ...converting, bodyBytes: size * kib },
    { ...burst, name: `burst-${size}kb`, bodyBytes: size * kib },
  ]),
  { ...whole, name: "whole-200kb-chinese", bodyBytes: 200 * kib, isChinese: true },
  { ...burst, name: "burst-chinese", isChinese: true },
  { ...burst, name: "converting-burst-chinese", ...converting, isChinese: true },
  ...formats.flatMap((format) => [
    { ...whole, name: `agent-${format}`, from: format, to: format, ...agent },
    ...format === chat
      ? []
      : [{ ...whole, name: `converting-agent-${format}`, from: format, to: chat, ...agent }],
  ]),
  ...formats.map((format) => ({
    ...whole,
    name: `picture-${format}`,
    from: format,
    to: format,
    ...picture,
  })),
  { ...whole, name: "converting-picture", ...converting, ...picture },
  { ...whole, name: "whole-plain-key", plainKey: true },
  { ...whole, name: "responses-stored", from: "responses", to: chat, stored: true },
  ...pairs.flatMap(([from, to]) =>
    [whole, paced, burst].map((shape) => ({
      ...shape,
      name: `${from}-to-${to}-${shape.answer}`,
      from,
      to,
    }))
  ),
];

export const allShapes = [...standardShapes, ...latencyShapes, ...furtherShapes];

/** The unit of a shape's cost. */
export function unitOf({ events }: Pick<Shape, "events">): "call" | "event" {
  return events === 0 ? "call" : "event";
}

const prompts = { agent: "coding agent's request", picture: "picture" } as const;

/** The shape in a sentence, for tables. */
export function describe(shape: Shape): string {
  const { from, to, answer, events, intervalMs, connections, bodyBytes, rate } = shape;
  const how = {
    whole: "whole",
    paced: `${events} events, one per ${intervalMs} ms`,
    burst: `${events} events at once`,
  }[answer];
  return [
    from === to ? `${from}` : `${from} to ${to}`,
    how,
    `${connections} connections`,
    ...bodyBytes === base.bodyBytes ? [] : [`body of ${bodyBytes / kib} KB`],
    ...shape.isChinese ? ["Chinese"] : [],
    ...shape.prompt ? [prompts[shape.prompt]] : [],
    ...shape.plainKey ? ["key without limits"] : [],
    ...shape.stored ? ["stored"] : [],
    ...rate === undefined ? [] : [`${rate} calls/s`],
  ].join(", ");
}
