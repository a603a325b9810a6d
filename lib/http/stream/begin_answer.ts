import type { CanonicalEvent } from "../../canonical/mod.ts";
import { answerErrorOf, errorCodecOf } from "../errors.ts";
import {
  type Answer,
  type AnswerOptions,
  contextOf,
  type Reply,
  type StreamReply,
} from "./answer.ts";
import { Converting, wholeEvents } from "./converting.ts";
import { Encoding } from "./encoding.ts";
import { PassThrough } from "./pass_through.ts";
import { type Source, sourceOf, TailedReading } from "./source.ts";
import { nextOutgoing } from "./stream_body.ts";
import type { Outgoing, Restate, Transcoder } from "./transcoder.ts";
import { beginWhole } from "./whole_answer.ts";

/**
 * Starts the answer to a caller from an upstream's reply: streamed or whole as the caller
 * requested, whichever the upstream sent; at once if it is whole and unchanged. Throws the
 * upstream's failure if nothing was sent yet.
 */
export function beginAnswer(reply: Reply, options: AnswerOptions): Answer | Promise<Answer> {
  try {
    const begun = (options.decoded.envelope.stream ? beginStream : beginWhole)(reply, options);
    return begun instanceof Promise ? begun.catch((thrown) => abandon(reply, thrown)) : begun;
  } catch (thrown) {
    return abandon(reply, thrown);
  }
}

/** Ends the upstream's reply: an answer that cannot be sent must not be generated further. */
function abandon(reply: Reply, thrown: unknown): never {
  const error = answerErrorOf(thrown);
  if (reply.type !== "whole") reply.source.cancel(error);
  throw error;
}

/** Returns true if the answer has the upstream's format and framing, so that it is not converted. */
export function isUnchanged(reply: Reply, { call, decoded }: AnswerOptions): boolean {
  return reply.type === (decoded.envelope.stream ? "stream" : "whole") &&
    reply.codec.name === call.codec.name;
}

function beginStream(reply: Reply, options: AnswerOptions): Promise<Answer> {
  switch (reply.type) {
    case "events":
      return beginEvents(reply.source, options);
    case "whole": // JSON although a stream was requested: sent as a stream
      return beginEvents(sourceOf(wholeEvents(reply)), options);
    case "stream":
      return beginBytes(reply, options);
    default:
      return reply satisfies never;
  }
}

async function beginEvents(
  source: Source<CanonicalEvent>,
  options: AnswerOptions,
): Promise<Answer> {
  const { framing } = options.decoded.envelope;
  const begun = await beginWith(source, encodingOf(options), options.limits.answerTailMs);
  return { kind: "events", framing, ...begun };
}

async function beginBytes(reply: StreamReply, options: AnswerOptions): Promise<Answer> {
  const { call, decoded: { envelope: { framing, alternatives } }, limits } = options;
  const transcoder = reply.codec.name === call.codec.name
    ? new PassThrough(errorCodecOf(call), {
      requestId: call.id,
      framing,
      limits,
      alternatives,
      hides: reply.hides,
      holds: reply.holds,
      restate: restateOf(options),
    })
    : new Converting(reply.codec.eventDecoder(), encodingOf(options), {
      limits,
      rewrite: reply.rewrite,
    });
  const begun = await beginWith(reply.source, transcoder, limits.answerTailMs);
  return { kind: "bytes", framing, ...begun };
}

function encodingOf(options: AnswerOptions): Encoding {
  const { call, decoded: { envelope: { framing } } } = options;
  return new Encoding(errorCodecOf(call), {
    ...options,
    restate: restateOf(options),
    context: contextOf(options),
    framing,
  });
}

function restateOf({ reader }: AnswerOptions): Restate | undefined {
  return reader && ((event) => reader.push(event));
}

/** Reads until the answer has started: an error before its first content keeps its status. */
export async function beginWith<T>(
  source: Source<T>,
  transcoder: Transcoder<T>,
  tailMs: number,
) {
  const first: Outgoing[] = [];
  const reading = new TailedReading(tailMs);
  for (let last: Outgoing = {}; !last.bytes && !last.terminal && !last.broken;) {
    last = await nextOutgoing(source, transcoder, reading);
    first.push(last);
  }
  const { error } = transcoder.result();
  if (error) throw error;
  return { type: "stream", source, transcoder, first } as const;
}
