import {
  type CanonicalEvent,
  type CanonicalResponse,
  Collector,
  type Delivered,
  deliveredBy,
  eventsOf,
  GatewayError,
  isJsonObject,
  type JsonObject,
  totalInputTokens,
  totalOutputTokens,
  type Usage,
  withMembers,
} from "../canonical/mod.ts";
import type { Codec, EncoderContext, Framing, ServerSentEvent } from "../formats/codec.ts";
import type { AnswerReader } from "../formats/state_codec.ts";
import type { ReadLimits } from "./answer_limits.ts";
import type { Call } from "./call.ts";
import type { Decoded } from "./decode.ts";
import { completionOf, Converting } from "./converting.ts";
import { Encoding, type StreamSample } from "./encoding.ts";
import { answerErrorOf } from "./errors.ts";
import { PassThrough } from "./pass_through.ts";
import { type SseFrame, SseReader } from "./sse.ts";
import { nextOutgoing, readNext, type Source } from "./stream_body.ts";
import type { Outgoing, Restate, Rewrite, StreamResult, Transcoder } from "./transcoder.ts";
import { restOfStream } from "./whole_event.ts";

/** What an upstream gave, before it is turned into the caller's format. */
export type Reply =
  /** The embedded model's events. */
  | { readonly type: "events"; readonly source: Source<CanonicalEvent> }
  /** A stream of server-sent events in `codec`'s format. */
  | {
    readonly type: "stream";
    readonly codec: Codec;
    readonly source: Source<Uint8Array>;
    readonly hides?: (event: ServerSentEvent) => boolean;
    /** Events that wait for the answer's end. */
    readonly holds?: (event: ServerSentEvent) => boolean;
    readonly rewrite?: Rewrite;
  }
  /** A whole body in `codec`'s format. */
  | {
    readonly type: "whole";
    readonly codec: Codec;
    readonly bytes: Uint8Array;
    readonly body: JsonObject;
    readonly rewrite?: Rewrite;
  };

/** An answer whose status is decided: it will be a success. */
export type Answer =
  | {
    readonly type: "whole";
    readonly bytes: Uint8Array;
    /** That of JSON where absent. */
    readonly contentType?: string;
    readonly result: StreamResult;
  }
  | StreamAnswer<"bytes", Uint8Array>
  | StreamAnswer<"events", CanonicalEvent>;

interface StreamAnswer<Kind, T> {
  readonly type: "stream";
  readonly kind: Kind;
  readonly framing: Framing | Unframed;
  readonly source: Source<T>;
  readonly transcoder: Transcoder<T>;
  /** What was read already to know that it begins well. */
  readonly first: readonly Outgoing[];
}

/** Bytes of a type that is the upstream's to name, such as speech: no room for a sign of life or an error. */
export interface Unframed {
  readonly contentType: string;
}

const text = new TextEncoder();

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

/** What was asked, and who else looks at an answer that is converted. */
export interface Asked {
  readonly call: Call;
  readonly decoded: Decoded;
  /** What an upstream's stream may be at most. */
  readonly limits: ReadLimits;
  /** Sees the answer as it goes out, and makes it say what is true of its state here. */
  readonly reader?: AnswerReader;
  /** Sees every canonical event, in order. */
  readonly onEvent?: (event: CanonicalEvent) => void;
  readonly sample?: StreamSample;
}

async function beginStream(reply: Reply, asked: Asked): Promise<Answer> {
  const { codec, id } = asked.call;
  const { framing } = asked.decoded.envelope;
  const { limits } = asked;
  const restate = restateOf(asked);
  const encoding = () =>
    new Encoding(codec, { ...asked, ...restate, context: contextOf(asked), framing });
  switch (reply.type) {
    case "events":
      return {
        kind: "events",
        framing,
        ...await beginWith(reply.source, encoding(), limits.answerTailMs),
      };
    case "whole": { // JSON where a stream was asked: streamed as if it had been
      const source = sourceOf(wholeEvents(reply));
      return {
        kind: "events",
        framing,
        ...await beginWith(source, encoding(), limits.answerTailMs),
      };
    }
    case "stream": {
      const transcoder = reply.codec.name === codec.name
        ? new PassThrough(codec, {
          requestId: id,
          framing,
          limits,
          alternatives: asked.decoded.envelope.alternatives,
          hides: reply.hides,
          holds: reply.holds,
          ...restate,
        })
        : new Converting(reply.codec.eventDecoder(), encoding(), {
          limits,
          rewrite: reply.rewrite,
        });
      return {
        kind: "bytes",
        framing,
        ...await beginWith(reply.source, transcoder, limits.answerTailMs),
      };
    }
    default:
      return reply satisfies never;
  }
}

function restateOf({ reader }: Asked): { restate?: Restate } {
  return reader ? { restate: (event) => reader.push(event) } : {};
}

/** Reads until the stream is known to have begun well: an error before anything was said keeps its status. */
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

async function beginWhole(reply: Reply, asked: Asked): Promise<Answer> {
  const { codec } = asked.call;
  if (reply.type === "whole" && reply.codec.name === codec.name) {
    return passedThrough(codec, restated(reply, asked));
  }
  const { response, counted } = await folded(reply, asked.limits);
  for (const event of eventsOf(response)) asked.onEvent?.(event);
  const body = codec.encodeResponse(response, contextOf(asked));
  const stated = { ...body, ...asked.reader?.whole(body) };
  return {
    type: "whole",
    bytes: text.encode(JSON.stringify(stated)),
    result: { ...wholeResult(response), ...(counted && { counted }) },
  };
}

/** The same bytes, unless the answer says more than its upstream knows. */
function restated(reply: WholeBody, { reader }: Asked): WholeBody {
  const changes = reader?.whole(reply.body) ?? {};
  if (Object.keys(changes).length === 0) return reply;
  const stated = withMembers(new TextDecoder().decode(reply.bytes), changes);
  return { body: { ...reply.body, ...changes }, bytes: text.encode(stated) };
}

interface WholeBody {
  readonly bytes: Uint8Array;
  readonly body: JsonObject;
}

/** What was said is followed only where it must be counted. */
function wholeResult(response: CanonicalResponse): StreamResult {
  const { usage, alternatives } = response;
  return {
    outcome: "completed",
    ...(usage && { usage }),
    ...(isStated(usage)
      ? { said: () => deliveredBy(response) }
      : { delivered: deliveredBy(response) }),
    ...(alternatives.some(({ promptBlocked }) => promptBlocked) && { promptBlocked: true }),
  };
}

function passedThrough(
  codec: Codec,
  { bytes, body }: WholeBody,
): Answer {
  const { glance } = codec;
  const usage = glance.usage(body);
  // Nearly every answer states its usage. What does not, or speaks of an error, may be a failure with status 200.
  if (!usage || isJsonObject(body.error)) {
    return { type: "whole", bytes, result: wholeResult(codec.decodeResponse(body)) };
  }
  const promptBlocked = glance.promptBlocked?.(body);
  const delivered = isStated(usage) ? undefined : readable(codec, body);
  return {
    type: "whole",
    bytes,
    result: {
      outcome: "completed",
      usage,
      ...(delivered ? { delivered } : { said: () => readable(codec, body) }),
      ...(promptBlocked && { promptBlocked }),
    },
  };
}

/** What an answer says, as far as it can be read: it goes out all the same. */
function readable(codec: Codec, body: JsonObject): Delivered | undefined {
  try {
    return deliveredBy(codec.decodeResponse(body));
  } catch (error) {
    if (error instanceof GatewayError) return undefined;
    throw error;
  }
}

/** Whether both sides of a usage say something: beside an answer a zero is no count. */
function isStated(usage: Usage | undefined): boolean {
  return usage !== undefined && totalInputTokens(usage) > 0 && totalOutputTokens(usage) > 0;
}

/** A whole answer, and whether its usage was counted here. */
interface Folded {
  readonly response: CanonicalResponse;
  readonly counted: boolean;
}

async function folded(reply: Reply, limits: ReadLimits): Promise<Folded> {
  switch (reply.type) {
    case "whole":
      return reply.rewrite
        ? await foldedSource(sourceOf(wholeEvents(reply)))
        : { response: decodedWhole(reply.codec, reply.body), counted: false };
    case "events":
      return await foldedSource(reply.source);
    case "stream": // a stream where JSON was asked: folded as if it had been whole
      return await foldedSource(decodedSource(reply, limits));
    default:
      return reply satisfies never;
  }
}

/** A whole answer as its events, rewritten where it must be; its usage stays what the upstream said. */
function wholeEvents(
  { codec, body, rewrite }: Extract<Reply, { type: "whole" }>,
): CanonicalEvent[] {
  const response = decodedWhole(codec, body);
  const events = [...eventsOf(response)];
  if (!rewrite) return events;
  const stated = response.usage;
  return events.flatMap(rewrite).map((event) =>
    event.type === "usage" && stated ? { type: "usage", usage: stated } : event
  );
}

/** Stops at the end that the events state: an upstream may keep its connection open long after it. */
async function foldedSource(source: Source<CanonicalEvent>): Promise<Folded> {
  const collector = new Collector();
  let counted = false;
  for (let event = await source.read(); event; event = await source.read()) {
    collector.push(event);
    if (event.type === "usage") counted = event.counted ?? false;
    if (event.type === "end") break;
  }
  source.cancel(new GatewayError("client_closed", "The answer is complete"));
  return { response: collector.response(), counted };
}

/** An upstream's bytes as canonical events. */
function decodedSource(
  { source, codec, rewrite = (event) => [event] }: Extract<Reply, { type: "stream" }>,
  { answerTailMs, ...limits }: ReadLimits,
): Source<CanonicalEvent> {
  const reader = new SseReader(limits);
  const decoder = codec.eventDecoder();
  const decode = (frames: readonly SseFrame[]) =>
    frames.flatMap(({ event }) => decoder.push(event));
  const waiting: CanonicalEvent[] = [];
  let open = true;
  const next = async (): Promise<readonly CanonicalEvent[]> => {
    try {
      const chunk = await readNext(source, decoder.isFinished ? answerTailMs : undefined);
      if (chunk) return decode(reader.push(chunk));
    } catch (failure) {
      open = false;
      const rest = completionOf(decoder);
      if (rest) return rest;
      throw failure;
    }
    open = false;
    return [...decode(restOfStream(reader.end(), decoder.isFinished)), ...decoder.end()];
  };
  return {
    cancel: (reason) => source.cancel(reason),
    read: async () => {
      while (waiting.length === 0 && open) waiting.push(...(await next()).flatMap(rewrite));
      return waiting.shift();
    },
  };
}

/** A source that yields what is there already. */
function sourceOf<T>(items: Iterable<T>): Source<T> {
  const iterator = items[Symbol.iterator]();
  return { read: () => Promise.resolve(iterator.next().value as T | undefined), cancel: () => {} }; // sound: an iterator without a return value
}

function decodedWhole(codec: Codec, body: unknown): CanonicalResponse {
  const response = codec.decodeResponse(body);
  if (response.alternatives.length > 0) return response;
  throw new GatewayError("upstream_invalid_response", "The upstream's answer holds no alternative");
}

function contextOf({ call, decoded }: Asked): EncoderContext {
  return {
    requestId: call.id,
    model: decoded.envelope.model,
    createdAtMs: call.startedAtMs,
    request: decoded.canonical(),
  };
}
