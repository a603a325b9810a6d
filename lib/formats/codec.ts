import type {
  CanonicalRequest,
  CanonicalResponse,
  FormatName,
  GatewayError,
  JsonObject,
  LimitState,
  Note,
  ReadText,
  VendorState,
} from "../canonical/mod.ts";
import type { AnswerPlaces } from "./answer/places.ts";
import type { Billing } from "./billing.ts";
import type { Dialect } from "./dialect.ts";
import type { ModelListing } from "./models/listing.ts";
import type { StateCodec } from "./state_codec.ts";
import type { Framing, SentEvents, ServerSentEvent, WireError, WireRequest } from "./wire.ts";
import type { Endpoint } from "./endpoint.ts";
import type { EventDecoder, EventEncoder, StreamValidator, UsageReader } from "./stream.ts";

/**
 * One wire format, in both directions. Pure: no I/O, no clock, no randomness, and no knowledge of
 * any other format. The caller's side uses `envelope`, `decodeRequest`, `encodeResponse`,
 * `eventEncoder` and `encodeError`; the upstream's side uses the rest.
 *
 * Decoders throw `GatewayError`: `invalid_request` with the field's path for a bad request,
 * `upstream_invalid_response` for an answer that is not of this format.
 */
export interface Codec {
  readonly name: FormatName;
  /** Every method and path that belongs to this format. */
  readonly endpoints: readonly Endpoint[];
  /** What stands before `WireRequest.path` in the absolute paths of `endpoints`: `/v1`, `` or `/v1beta`; each of them is tried. */
  readonly basePaths: readonly string[];
  /** How the format's streams and counts are read without decoding them (native pass-through). */
  readonly usageReader: UsageReader;
  /** Every note that a conversion to this format can give, by a name of its own; `i`, `j` and `k` in paths are positions. */
  readonly noteTable: Readonly<Record<string, Note>>;

  // wire → canonical
  /** What routing needs, read without decoding the rest. */
  envelope(wire: WireRequest): Envelope;
  decodeRequest(wire: WireRequest): CanonicalRequest;
  decodeResponse(body: unknown): CanonicalResponse;
  eventDecoder(): EventDecoder;
  /** An upstream's error answer. Never throws: a body of any shape gives the nearest code. */
  decodeError(wire: WireError): GatewayError;

  // canonical → wire
  /** In the dialect of the server that it goes to, where that is known and the format has any. */
  encodeRequest(
    request: CanonicalRequest,
    dialect?: Dialect,
  ): { readonly wire: WireRequest; readonly notes: readonly Note[] };
  /** The places of its answers; an answer of another format is fitted to them before it is encoded. */
  readonly answerPlaces: AnswerPlaces;
  encodeResponse(response: CanonicalResponse, context: EncoderContext): JsonObject;
  eventEncoder(context: EncoderContext): EventEncoder;
  /** The headers also say whether and when to try again. */
  encodeError(error: GatewayError, requestId: string): WireError;
  /** The events that end a stream in this format's own error form, behind those that were sent; none where absent. */
  encodeStreamError(
    error: GatewayError,
    requestId: string,
    sent?: SentEvents,
  ): readonly ServerSentEvent[];
  /**
   * How the limits that bind a caller stand, in the vendor's own headers, lower-case, for every
   * answer and error; of several of a kind the one that is met first. Empty where the vendor has none.
   */
  limitHeaders(states: readonly LimitState[], nowMs: number): Readonly<Record<string, string>>;

  /** The members of a request's body that say how long its answer may be. */
  readonly answerBounds: AnswerBounds;
  readonly billing: Billing;
  /**
   * A request's body with another output limit for each alternative, and every other byte of its text
   * as it was: in the member that states one, else in the one that the dialect takes.
   */
  withOutputLimit(request: ReadText, tokens: number, dialect?: Dialect): ReadText;
  /** How an upstream of the format lists its models. */
  readonly modelListing: ModelListing;
  /** Absent where the format has no token counter. */
  readonly tokenCount?: TokenCountCodec;
  /** Present where answers of the format can be kept and gone on from. */
  readonly state?: StateCodec;
  /** Present where the format states a stream's usage only on request; a native pass-through meters it all the same. */
  readonly meteredStream?: MeteredStream;
  /** False where a client of the format fails on a comment in a stream, wherever it is; the format's events have no names. */
  readonly takesComments?: false;
  /**
   * Present where clients of the format ignore an error in a stream, and take it for whole where it is
   * closed: behind its error the connection breaks off.
   */
  readonly ignoresErrors?: true;
  /** Present where an answer's usage has a place for what it cost. */
  readonly statedCost?: StatedCost;
  /** JSON Schema (2020-12) of the body of a generating request, for the API's description. */
  readonly requestJsonSchema?: () => JsonObject;
  /** The format's own sign of life in a stream, framed; a comment event where absent, or a growing line where there are none. */
  readonly keepAlive?: string;
  /** A fresh checker of this format's stream protocol. */
  streamValidator(): StreamValidator;
}

/** How to have a streamed answer state its usage, and how to hide that from a caller who did not ask. */
export interface MeteredStream {
  /** Top-level members to set in the request; undefined when it asks for usage already, or when the server cannot be asked. */
  members(body: JsonObject, dialect?: Dialect): JsonObject | undefined;
  /** Whether this event of the answer is there only because of those members. */
  isExtra(event: ServerSentEvent): boolean;
}

/** How a caller asks for the cost of an answer in its usage. */
export interface StatedCost {
  /** The member of the request that asks for it; upstreams do not get it. */
  readonly member: string;
  isAsked(body: JsonObject): boolean;
  /** Whether an event of a stream states the usage of all of it: it waits until the cost is known. */
  isLast(event: ServerSentEvent): boolean;
  /** The JSON text of an answer, or of an event of one, with USD in its usage; the same text where it has none. */
  state(text: string, usd: string): string;
}

/** The format's token counter: the request is that of a generation, less what only limits the answer. */
export interface TokenCountCodec {
  decodeRequest(wire: WireRequest): CanonicalRequest;
  encodeRequest(request: CanonicalRequest): WireRequest;
  decodeResponse(body: unknown): number;
  encodeResponse(inputTokens: number): JsonObject;
}

/** Members of a body that say how long its answer may be and how many alternatives it has. */
export interface AnswerBounds {
  readonly members: readonly string[];
  /** Where `members` are objects: the members within them. */
  readonly within?: readonly string[];
}

/** The part of a request that routing and reserving read. */
export interface Envelope {
  readonly model: string;
  readonly stream: boolean;
  /** What stays the same over the turns of a conversation, so that it can stay with one upstream and its prompt cache. */
  readonly conversation?: string;
  /** Present if only an upstream of the request's own format can answer. */
  readonly vendorState?: VendorState;
  /** Tokens that each alternative may have at most, reasoning included; absent where the caller sets no limit. */
  readonly maxOutputTokens?: number;
  /** Tokens of each alternative that are set apart for thinking; the answer's limit must be above them. */
  readonly thinkingTokens?: number;
  /** How many answers are asked for: a positive integer, 1 where the caller does not say. */
  readonly alternatives: number;
  /** How a streamed answer is framed; `json-array` only where the caller's address asks for it. */
  readonly framing: Framing;
}

/** What an encoder of answers must know besides the answer itself. */
export interface EncoderContext {
  /** The gateway's request id, `req_` + ULID. Fresh ids in the format's style are derived from it. */
  readonly requestId: string;
  /** The model's name as the caller wrote it. */
  readonly model: string;
  readonly createdAtMs: number;
  /** The caller's request: formats that echo it, and options such as `include_usage`. */
  readonly request: CanonicalRequest;
  /** About as many tokens as the prompt has, for formats that say so before the upstream does. */
  readonly promptTokens?: () => number;
}
