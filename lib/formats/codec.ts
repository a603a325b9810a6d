import type {
  CanonicalEvent,
  CanonicalRequest,
  CanonicalResponse,
  Delivered,
  FormatName,
  GatewayError,
  JsonObject,
  LimitState,
  Note,
  ReadText,
  Usage,
  VendorState,
} from "../canonical/mod.ts";
import type { AnswerPlaces } from "./answer/places.ts";
import type { Billing } from "./billing.ts";
import type { Dialect } from "./dialect.ts";
import type { ModelListing } from "./models/listing.ts";
import type { StateCodec } from "./state_codec.ts";

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

/** A request as it stands on the wire, its address being relative to the format's base URL. */
export interface WireRequest {
  /** Such as `/chat/completions`, `/v1/messages`, `/models/gemini-x:generateContent`. */
  readonly path: string;
  /** Query parameters that carry meaning, such as `alt=sse`; never a key. */
  readonly search: Readonly<Record<string, string>>;
  /** Only headers that carry meaning in the format, lower-case, such as `anthropic-version`. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: JsonObject;
}

export interface WireError {
  readonly status: number;
  /** Lower-case names. For an upstream's error these are its response headers. */
  readonly headers: Readonly<Record<string, string>>;
  /** Parsed JSON, or the text itself where it is not JSON. */
  readonly body: unknown;
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

export type Framing = "sse" | "json-array";

/** What a format's vendor does beside generating, passed on as it is to whichever upstream has it. */
export type RelayedOperation =
  | "embed"
  | "complete"
  | "generate-image"
  | "edit-image"
  | "speak"
  | "transcribe"
  | "translate"
  | "moderate"
  | "rerank";

export type Operation =
  | RelayedOperation
  | "generate"
  | "count-tokens"
  | "list-models"
  | "get-model"
  | "get-response"
  | "delete-response"
  | "cancel-response"
  | "list-input-items"
  | "create-conversation"
  | "get-conversation"
  | "update-conversation"
  | "delete-conversation"
  | "create-conversation-items"
  | "list-conversation-items"
  | "get-conversation-item"
  | "delete-conversation-item";

/**
 * An address that the gateway serves. `path` is absolute and may hold one `{model}` or `{id}`, and
 * an `{item}` behind that; `{model}` matches across `/`. A `verb` is what follows the last colon of
 * the path.
 */
export interface Endpoint {
  readonly method: "GET" | "POST" | "DELETE";
  readonly path: string;
  readonly verb?: string;
  /** Another prefix of a `{model}` whose name holds a slash: some clients write such names without the collection before them. */
  readonly bareHead?: string;
  readonly operation: Operation;
}

/** One server-sent event without its framing. `data` holds no line break. */
export interface ServerSentEvent {
  /** The event's name, only where the format uses one. */
  readonly event?: string;
  readonly data: string;
}

/** The events that a stream has sent its caller so far. */
export interface SentEvents {
  readonly first?: ServerSentEvent;
  readonly last?: ServerSentEvent;
  readonly count: number;
}

/** A push machine from the upstream's events to canonical ones. Cut anywhere, it decodes the same. */
export interface EventDecoder {
  push(event: ServerSentEvent): readonly CanonicalEvent[];
  /** Whether the answer has stated how it ended: only its usage, its close and the like may follow. */
  readonly isFinished: boolean;
  /** The upstream closed: what is still owed, ending in `end`, or in `error` where the close came too early. */
  end(): readonly CanonicalEvent[];
}

/** A push machine from canonical events to the caller's format. Writes the terminal event on `end` or `error`. */
export interface EventEncoder {
  push(event: CanonicalEvent): readonly ServerSentEvent[];
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

/** Reads usage and outcome out of an answer that passes through untouched. */
export interface UsageReader {
  /** Usage of a whole answer's body; undefined where it states none. */
  usage(body: unknown): Usage | undefined;
  /** Whether a whole answer says that its prompt was blocked and nothing else; absent where the format has no such answer. */
  readonly promptBlocked?: (body: unknown) => boolean;
  /** Whether an answer is over with its terminal event, or only when the upstream closes (later events still count). */
  readonly endsAt: "terminal-event" | "close";
  /** The event that an upstream leaves out when it closes behind a finished answer; absent where only the close ends one, or nothing else does. */
  readonly terminalEvent?: ServerSentEvent;
  /** A reader for one stream, of which so many answers were asked. */
  stream(alternatives?: number): StreamUsageReader;
}

/**
 * The part that an event of a stream plays: `terminal` ends the answer, and the gateway holds it until
 * the usage is durable; `foreign` belongs to another answer, so that this one is over before it.
 */
export type EventRole = "open" | "terminal" | "foreign";

export interface StreamUsageReader {
  /** Looks at one event. Cheap for events that say nothing about usage or outcome: they are not parsed. */
  push(event: ServerSentEvent): EventRole;
  /** Told of every event that went out to the caller, after `push`: what it says counts as delivered. As cheap. */
  sent(event: ServerSentEvent): void;
  /** Whether every answer in the stream has stated how it ended: only usage, the close and the like may follow. */
  readonly isFinished: boolean;
  /**
   * The rest of an event behind the answer's end that may still go out: the same event, one without
   * what a finished answer cannot say, or nothing. Absent where nothing follows the end.
   */
  readonly trailing?: (event: ServerSentEvent) => ServerSentEvent | undefined;
  /** What went out so far. */
  readonly delivered: Delivered;
  /** What is known so far. */
  result(): StreamUsage;
}

export interface StreamUsage {
  readonly usage?: Usage;
  /** Whether the usage's output is only a placeholder so far, as at the beginning of an answer. */
  readonly outputPending?: boolean;
  /** The service tier that events named before any usage, by its canonical name. */
  readonly servedTier?: string;
  /** Whether the prompt was blocked, so that there is no answer at all. */
  readonly promptBlocked?: boolean;
  /** `completed` only after the format's real terminal event; `failed` after its error form. */
  readonly outcome: "open" | "completed" | "failed";
  /** The error that the stream carried, where `failed`. */
  readonly error?: GatewayError;
}

/** Checks one stream against its dialect's protocol. Used by every test and by sampling in production. */
export interface StreamValidator {
  push(event: ServerSentEvent): void;
  /** The violations found, empty when there are none. `end` also checks that the stream ended as it must. */
  end(): readonly string[];
}
