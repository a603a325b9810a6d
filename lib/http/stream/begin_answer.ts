import type { CanonicalEvent } from "../../canonical/mod.ts";
import { type Answer, type Asked, contextOf, type Reply, type StreamReply } from "./answer.ts";
import { Converting } from "./converting.ts";
import { Encoding } from "./encoding.ts";
import { answerErrorOf } from "../errors.ts";
import { PassThrough } from "./pass_through.ts";
import { wholeEvents } from "./reply_events.ts";
import { nextOutgoing, type Source, sourceOf } from "./stream_body.ts";
import type { Outgoing, Restate, Transcoder } from "./transcoder.ts";
import { beginWhole } from "./whole_answer.ts";

/**
 * Begins the answer to a caller from an upstream's reply: streamed or whole as the caller asked,
 * whatever the upstream sent. Throws the upstream's failure where nothing was answered yet.
 */
export async function begin(reply: Reply, asked: Asked): Promise<Answer> {
  try {
    return await (asked.decoded.envelope.stream ? beginStream : beginWhole)(reply, asked);
  } catch (thrown) {
    const error = answerErrorOf(thrown);
    if (reply.type !== "whole") reply.source.cancel(error); // what cannot be answered must not go on being made
    throw error;
  }
}

async function beginStream(reply: Reply, asked: Asked): Promise<Answer> {
  switch (reply.type) {
    case "events":
      return await beginEvents(reply.source, asked);
    case "whole": // JSON where a stream was asked: streamed as if it had been
      return await beginEvents(sourceOf(wholeEvents(reply)), asked);
    case "stream":
      return await beginBytes(reply, asked);
    default:
      return reply satisfies never;
  }
}

async function beginEvents(source: Source<CanonicalEvent>, asked: Asked): Promise<Answer> {
  const { framing } = asked.decoded.envelope;
  const begun = await beginWith(source, encodingOf(asked), asked.limits.answerTailMs);
  return { kind: "events", framing, ...begun };
}

async function beginBytes(reply: StreamReply, asked: Asked): Promise<Answer> {
  const { framing } = asked.decoded.envelope;
  const transcoder = reply.codec.name === asked.call.codec.name
    ? passThroughOf(reply, asked)
    : new Converting(reply.codec.eventDecoder(), encodingOf(asked), {
      limits: asked.limits,
      rewrite: reply.rewrite,
    });
  const begun = await beginWith(reply.source, transcoder, asked.limits.answerTailMs);
  return { kind: "bytes", framing, ...begun };
}

function passThroughOf({ hides, holds }: StreamReply, asked: Asked): PassThrough {
  const { call: { codec, id: requestId }, decoded: { envelope }, limits } = asked;
  const { framing, alternatives } = envelope;
  return new PassThrough(codec, {
    requestId,
    framing,
    limits,
    alternatives,
    hides,
    holds,
    ...restateOf(asked),
  });
}

function encodingOf(asked: Asked): Encoding {
  const { call: { codec }, decoded: { envelope: { framing } } } = asked;
  return new Encoding(codec, {
    ...asked,
    ...restateOf(asked),
    context: contextOf(asked),
    framing,
  });
}

function restateOf({ reader }: Asked): { restate?: Restate } {
  return reader ? { restate: (event) => reader.push(event) } : {};
}

/** Reads until the answer has begun: an error before its first words keeps its status. */
export async function beginWith<T>(
  source: Source<T>,
  transcoder: Transcoder<T>,
  tailMs: number,
) {
  const first: Outgoing[] = [];
  while (first.every(({ bytes, terminal, broken }) => !bytes && !terminal && !broken)) {
    first.push(await nextOutgoing(source, transcoder, tailMs));
  }
  const { error } = transcoder.result();
  if (error) throw error;
  return { type: "stream", source, transcoder, first } as const;
}
