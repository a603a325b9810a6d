import type { CanonicalEvent, JsonObject } from "../../canonical/mod.ts";
import type { Codec, EncoderContext } from "../../formats/codec.ts";
import type { Framing, ServerSentEvent } from "../../formats/wire.ts";
import type { AnswerReader } from "../../formats/state_codec.ts";
import type { ReadLimits } from "./answer_limits.ts";
import type { Call } from "../call.ts";
import type { Decoded } from "../decode.ts";
import type { StreamSample } from "./encoding.ts";
import type { Source } from "./stream_body.ts";
import type { Outgoing, Rewrite, StreamResult, Transcoder } from "./transcoder.ts";

/** The answer of an upstream, before it is turned into the caller's format. */
export type Reply =
  /** The embedded model's events. */
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
  /** Events that wait for the answer's end. */
  readonly holds?: (event: ServerSentEvent) => boolean;
  readonly rewrite?: Rewrite;
}

export interface WholeReply extends WholeBody {
  readonly type: "whole";
  readonly codec: Codec;
  readonly rewrite?: Rewrite;
}

/** The JSON object of a whole answer, as bytes and parsed. */
export interface WholeBody {
  readonly bytes: Uint8Array;
  readonly body: JsonObject;
}

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
  /** Read already, to know that it begins without a failure. */
  readonly first: readonly Outgoing[];
}

/** Bytes of a type that is the upstream's to name, such as speech: no room for a sign of life or an error. */
interface Unframed {
  readonly contentType: string;
}

/** The request that an answer is for, and the observers of an answer that is converted. */
export interface AnswerOptions {
  readonly call: Call;
  readonly decoded: Decoded;
  /** The bounds of an upstream's stream. */
  readonly limits: ReadLimits;
  /** About as many tokens as the prompt has; not counted before somebody asks. */
  readonly promptTokens?: () => number;
  /** Sees the answer as it goes out, and makes it say what is true of its state here. */
  readonly reader?: AnswerReader;
  /** Sees every canonical event, in order. */
  readonly onEvent?: (event: CanonicalEvent) => void;
  readonly sample?: StreamSample;
}

/** The parts of the request that an encoder repeats in its answer. */
export function contextOf({ call, decoded, promptTokens }: AnswerOptions): EncoderContext {
  return {
    requestId: call.id,
    model: decoded.envelope.model,
    createdAtMs: call.startedAtMs,
    request: decoded.canonical(),
    ...(promptTokens && { promptTokens }),
  };
}
