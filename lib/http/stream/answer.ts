import { lenientText } from "../../bytes.ts";
import type { CanonicalEvent, CanonicalResponse, JsonObject } from "../../canonical/mod.ts";
import type { Codec, EncoderContext } from "../../formats/codec.ts";
import type { AnswerReader } from "../../formats/state_codec.ts";
import type { Framing, ServerSentEvent } from "../../formats/wire.ts";
import type { JsonBounds } from "../../json/mod.ts";
import type { Call } from "../call.ts";
import type { Decoded } from "../decode.ts";
import type { Source } from "./source.ts";
import type { Outgoing, Rewrite, StreamResult, Transcoder } from "./transcoder.ts";

/** An upstream's answer before its conversion to the caller's format. */
export type Reply =
  | { readonly type: "events"; readonly source: Source<CanonicalEvent> }
  /** A stream of server-sent events in `codec`'s format. */
  | StreamReply
  /** A whole body in `codec`'s format. */
  | WholeReply;

export interface StreamReply {
  readonly type: "stream";
  readonly codec: Codec;
  readonly source: Source<Uint8Array>;
  readonly hides?: (event: ServerSentEvent) => boolean;
  /** Returns true for events that are held until the answer's end. */
  readonly holds?: (event: ServerSentEvent) => boolean;
  readonly rewrite?: Rewrite;
}

export interface WholeReply extends WholeBody {
  readonly type: "whole";
  readonly codec: Codec;
  readonly rewrite?: Rewrite;
}

/** The JSON object of a whole answer, as it is sent and parsed. */
export interface WholeBody {
  readonly content: Content;
  readonly body: JsonObject;
}

/** Bytes, or their text if they were decoded: the runtime sends a text without a copy. */
export type Content = string | Uint8Array;

export function contentText(content: Content): string {
  return typeof content === "string" ? content : lenientText(content);
}

/** An answer that certainly has a success status. */
export type Answer =
  | {
    readonly type: "whole";
    readonly content: Content;
    /** Default: JSON's. */
    readonly contentType?: string;
    readonly result: StreamResult;
  }
  | StreamAnswer<"bytes", Uint8Array>
  | StreamAnswer<"events", CanonicalEvent>;

export interface StreamAnswer<Kind, T> {
  readonly type: "stream";
  readonly kind: Kind;
  readonly framing: Framing | Unframed;
  readonly source: Source<T>;
  readonly transcoder: Transcoder<T>;
  /** Output of the items that were read to check that the answer starts without a failure. */
  readonly first: readonly Outgoing[];
}

/** Bytes of a type that the upstream names, such as speech: without keep-alives and error forms. */
interface Unframed {
  readonly contentType: string;
}

/** The request of an answer, and the observers of its conversion. */
export interface AnswerOptions {
  readonly call: Call;
  readonly decoded: Decoded;
  /** Limits of an upstream's stream. */
  readonly limits: ReadLimits;
  /** Estimates the prompt's tokens on demand. */
  readonly promptTokens?: () => number;
  /** Sees the answer as it is sent, and corrects the stored state that it reports. */
  readonly reader?: AnswerReader;
  /** Called with every canonical event of a converted stream, in order. */
  readonly onEvent?: (event: CanonicalEvent) => void;
  readonly onWhole?: (response: CanonicalResponse) => void;
}

/** The data of the request that an encoder needs. */
export function contextOf({ call, decoded, promptTokens }: AnswerOptions): EncoderContext {
  return {
    requestId: call.id,
    model: decoded.envelope.model,
    createdAtMs: call.startedAtMs,
    request: decoded.canonical(),
    ...(promptTokens && { promptTokens }),
  };
}

/** Limits of an upstream's stream. */
export interface StreamLimits {
  readonly eventBytesMax: number;
  /** Maximum bytes without an event, such as comments and blank lines. */
  readonly silentBytesMax: number;
  /** Maximum nesting of a request; see `answerJsonBounds`. */
  readonly nestingMax: number;
  /** Maximum objects and arrays of an answer or of one event. */
  readonly answerContainersMax: number;
}

/** Limits of reading an upstream's stream. */
export interface ReadLimits extends StreamLimits {
  /** Time for events after a stated end, in milliseconds. */
  readonly answerTailMs: number;
}

/** Limits of any answer of an upstream. */
export interface AnswerLimits extends ReadLimits {
  readonly answerBytesMax: number;
}

/** Additional nesting: an answer may repeat parts of its request, such as tool schemas, within its own objects. */
const levelsAround = 16;
/** Average members per object or array: objects have a few, arrays none. */
const membersPerContainer = 2;

/** Average values per object or array: a token's bytes and its alternatives, in log probabilities. */
const valuesPerContainer = 4;

/** The complexity limits of the JSON in an answer or one event. */
export function answerJsonBounds(
  { nestingMax, answerContainersMax }: Pick<StreamLimits, "nestingMax" | "answerContainersMax">,
): JsonBounds {
  return {
    nestingMax: nestingMax + levelsAround,
    containersMax: answerContainersMax,
    membersMax: answerContainersMax * membersPerContainer,
    valuesMax: answerContainersMax * valuesPerContainer,
  };
}
