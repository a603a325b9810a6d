import { type CanonicalEvent, noUsage } from "../../../lib/canonical/mod.ts";
import type { Codec, EncoderContext } from "../../../lib/formats/codec.ts";
import type { WireRequest } from "../../../lib/formats/wire.ts";
import { sseText } from "../../../lib/http/stream/sse.ts";

/** A valid answer of an upstream, split at the places where faults occur. */
export interface ProperAnswer {
  readonly whole: string;
  /** Events before any content. */
  readonly opening: string;
  /** One or more events for each piece of text. */
  readonly deltas: readonly string[];
  /** Further deltas behind the first two, as many as are wanted. */
  readonly more: () => string;
  /** The closing behind those. */
  readonly rest: () => string;
  /** The end of the content, the usage and the terminal event. */
  readonly closing: string;
  /** The same without the mark behind a stated finish, in formats that have one. */
  readonly unmarked: string;
}

export const story = ["Once", " upon", " a time", " there was", " a fox."] as const;
export const statedUsage = { ...noUsage, inputTokens: 7, outputTokens: 9 };

const ending = { finishReason: "stop" } as const;

/** The proper answer to a request in a codec's format that says these texts. */
export function properAnswer(
  codec: Codec,
  wire: WireRequest,
  texts: readonly string[] = story,
): ProperAnswer {
  const request = { ...codec.decodeRequest(wire), streamOptions: { includeUsage: true } };
  const context = { requestId: "req_upstream", model: "m", createdAtMs: 1_000, request };
  return { whole: wholeOf(codec, context, texts), ...streamOf(codec, context, texts) };
}

function wholeOf(codec: Codec, context: EncoderContext, texts: readonly string[]): string {
  const part = { type: "text", text: texts.join("") } as const;
  return JSON.stringify(codec.encodeResponse({
    id: "answer_1",
    model: "m",
    createdAtMs: 1_000,
    alternatives: [{ parts: [part], ...ending }],
    usage: statedUsage,
  }, context));
}

function streamOf(
  codec: Codec,
  context: EncoderContext,
  texts: readonly string[],
): Omit<ProperAnswer, "whole"> {
  const said = begun(codec, context, texts);
  const unending = begun(codec, context, texts.slice(0, 2));
  const next = texts[2] ?? texts[0];
  return {
    opening: said.opening,
    deltas: said.deltas,
    more: () => unending.write([{ type: "part-delta", index: 0, text: next }]),
    rest: () => unending.write(lastEvents),
    ...closingOf(said.write(lastEvents)),
  };
}

const endMark = /(?:data: \[DONE\]|event: message_stop\n.*)\n\n$/;

function closingOf(closing: string) {
  return { closing, unmarked: closing.replace(endMark, "") };
}

const lastEvents: readonly CanonicalEvent[] = [
  { type: "part-end", index: 0 },
  { type: "usage", usage: statedUsage },
  { type: "end", endings: [ending] },
];

/** A stream that has said these texts and can say more. */
function begun(codec: Codec, context: EncoderContext, texts: readonly string[]) {
  const encoder = codec.eventEncoder(context);
  const write = (events: readonly CanonicalEvent[]) =>
    events.flatMap((event) => encoder.push(event)).map(sseText).join("");
  const opening = write([
    { type: "start", id: "answer_1", model: "m", createdAtMs: 1_000 },
    { type: "part-start", index: 0, part: { type: "text", text: "" } },
  ]);
  const deltas = texts.map((text) => write([{ type: "part-delta", index: 0, text }]));
  return { opening, deltas, write };
}
