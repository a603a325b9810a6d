import {
  type CanonicalEvent,
  type CanonicalResponse,
  collect,
  eventsOf,
  type FormatName,
  formatNames,
  type JsonObject,
  type Part,
} from "../../../lib/canonical/mod.ts";
import { AnswerFitter } from "../../../lib/formats/answer/fitter.ts";
import { codecs } from "../../../lib/formats/mod.ts";
import type { ServerSentEvent } from "../../../lib/formats/wire.ts";
import { SseReader, sseText } from "../../../lib/http/stream/sse.ts";
import { assertLaws, assertValid, contextOf, encoded } from "../codec_suite.ts";

/** An answer as callers of another format receive it from the gateway. */
export interface ConvertedAnswer {
  /** The stream's events as objects, without end markers. */
  readonly events: readonly JsonObject[];
  readonly body: JsonObject;
  /** Both, decoded by the caller's format. */
  readonly streamed: CanonicalResponse;
  readonly whole: CanonicalResponse;
}

/** The canonical events of a stream whose bytes arrive in chunks split anywhere. */
export function decodedInChunks(
  format: FormatName,
  events: readonly ServerSentEvent[],
): CanonicalEvent[] {
  const decoder = codecs[format].eventDecoder();
  const reader = new SseReader();
  const bytes = new TextEncoder().encode(events.map(sseText).join(""));
  const canonical: CanonicalEvent[] = [];
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const length = 1 + (turn * 7919) % 1_531; // sizes without a pattern, from 1 to 1531 bytes
    for (const { event } of reader.push(bytes.subarray(at, at + length))) {
      canonical.push(...decoder.push(event));
    }
    at += length;
  }
  canonical.push(...decoder.end());
  assertLaws(canonical);
  return canonical;
}

/** The answer as callers of every other format receive it. */
export function convertedToOthers(
  from: FormatName,
  canonical: readonly CanonicalEvent[],
  request: Partial<ReturnType<typeof contextOf>["request"]> = {},
): readonly (readonly [FormatName, ConvertedAnswer])[] {
  return formatNames.filter((to) => to !== from).map((
    to,
  ) => [to, convertedTo(to, canonical, request)]);
}

function convertedTo(
  to: FormatName,
  canonical: readonly CanonicalEvent[],
  request: Partial<ReturnType<typeof contextOf>["request"]>,
): ConvertedAnswer {
  const codec = codecs[to];
  const plain = contextOf({});
  const context = { ...plain, request: { ...plain.request, ...request } };
  const fitter = new AnswerFitter(codec, context.request);
  const fitted = canonical.flatMap((event) => fitter.push(event));
  const events = encoded(codec, fitted, context);
  assertValid(codec, events);
  const body = codec.encodeResponse(collect(fitted), context);
  return {
    events: events.filter(({ data }) => data.startsWith("{")).map(({ data }) => JSON.parse(data)),
    body,
    streamed: collect(decodedInChunks(to, events)),
    whole: codec.decodeResponse(JSON.parse(JSON.stringify(body))),
  };
}

/** A summary of an answer's parts, without the reader's own marks. */
export function brief({ alternatives: [first] }: CanonicalResponse): string[] {
  return first.parts.map(briefPart);
}

function briefPart(part: Part): string {
  switch (part.type) {
    case "tool-call":
      return `${part.id} ${part.name} ${JSON.stringify(JSON.parse(part.arguments))}`;
    case "text":
    case "refusal":
    case "reasoning":
      return `${part.type}: ${part.text}`;
    default:
      return part.type;
  }
}

/** The events of the same answer as a whole. */
export function wholeEvents(format: FormatName, body: JsonObject): CanonicalEvent[] {
  return [...eventsOf(codecs[format].decodeResponse(body))];
}
