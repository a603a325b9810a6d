import type {
  CanonicalRequest,
  CanonicalResponse,
  FormatName,
  GatewayError,
  JsonObject,
  JsonValue,
  LimitState,
  Note,
  ToolCallIdRule,
  VendorState,
} from "../canonical/mod.ts";
import type { ReadText } from "../json/mod.ts";
import { atOnce, type Steps } from "../pace.ts";
import type { AnswerPlaces } from "./answer/places.ts";
import type { Billing } from "./billing.ts";
import type { CompactionCodec } from "./compaction_codec.ts";
import type {
  Endpoint,
  Framing,
  SentEvents,
  ServerSentEvent,
  WireError,
  WireRequest,
} from "./wire.ts";
import type { ModelListing } from "./models.ts";
import type { SpendingCodec } from "./spending_codec.ts";
import type { MemberChanges, StateCodec } from "./state_codec.ts";
import type { EventDecoder, EventEncoder, UsageReader } from "./stream.ts";

/**
 * One wire format, in both directions. Pure: no I/O, no clock, no randomness, no knowledge of other
 * formats. Decoders throw `GatewayError`:
 * `invalid_request` with the field's path for a bad request, `upstream_invalid_response` for an
 * answer that is not in this format.
 */
export interface Codec {
  readonly name: FormatName;
  /** Every method and path that belongs to this format. */
  readonly endpoints: readonly Endpoint[];
  /** Prefixes of `WireRequest.path` in `endpoints`: `/v1`, `` or `/v1beta`. The gateway tries each of them. */
  readonly basePaths: readonly string[];
  /** Reads usage and outcome without decoding, for calls that pass through unchanged. */
  readonly usageReader: UsageReader;
  /** Every note of a conversion to this format, by its id; `i`, `j` and `k` in paths are positions. */
  readonly noteTable: Readonly<Record<string, Note>>;

  // wire → canonical
  /** Reads the data for routing without decoding the rest. */
  envelope(wire: WireRequest): Envelope;
  /** The parts of a request that upstreams cache, in their order. Tolerates any body. */
  promptParts(body: JsonObject): PromptParts;
  decodeRequest(wire: WireRequest): CanonicalRequest;
  decodeResponse(body: unknown): CanonicalResponse;
  eventDecoder(): EventDecoder;
  /** Decodes an upstream's error. Never throws: a body of any shape gives the nearest code. */
  decodeError(wire: WireError): GatewayError;

  // canonical → wire
  /**
   * Encodes for the upstream's dialect, if the format has dialects and this one is known. In steps,
   * so that a long request leaves turns to other calls.
   */
  encodeRequest(request: CanonicalRequest, dialect?: Dialect): Steps<EncodedRequest>;
  /**
   * The kinds of content that answers can hold; an answer of another format is fitted to them
   * before it is encoded.
   */
  readonly answerPlaces: AnswerPlaces;
  encodeResponse(response: CanonicalResponse, context: EncoderContext): JsonObject;
  eventEncoder(context: EncoderContext): EventEncoder;
  /** The headers include whether and when to retry. */
  encodeError(error: GatewayError, requestId: string): WireError;
  /**
   * The events that end a stream with this format's error form; `sent` lists the events before
   * them, default: none.
   */
  encodeStreamError(
    error: GatewayError,
    requestId: string,
    sent?: SentEvents,
  ): readonly ServerSentEvent[];
  /**
   * The state of the limits that apply to the caller, as the vendor's own headers, lower-case, for
   * every answer and error; of several limits of a kind, the tightest. Empty if the vendor has
   * none.
   */
  limitHeaders(states: readonly LimitState[], nowMs: number): Readonly<Record<string, string>>;

  /** The request headers that the format gives a meaning, lower-case. */
  readonly requestHeaders: readonly string[];
  /** The members of a request's body that limit the length of its answer. */
  readonly answerBounds: AnswerBounds;
  readonly billing: Billing;
  /**
   * Replaces the output limit of each alternative and keeps every other byte of the text. Sets the
   * member that states one, else the one that the dialect accepts.
   */
  withOutputLimit(request: ReadText, tokens: number, dialect?: Dialect): ReadText;
  /** The upstream's model list. */
  readonly modelListing: ModelListing;
  /** Absent if the format has no token counter. */
  readonly tokenCount?: TokenCountCodec;
  /** Present if answers of the format can be stored and continued. */
  readonly state?: StateCodec;
  /** Present if clients of the format can ask for a compaction. */
  readonly compaction?: CompactionCodec;
  /**
   * Present if the format states a stream's usage only on request. The gateway then requests it, so
   * that it can charge native streams.
   */
  readonly meteredStream?: MeteredStream;
  /** False if clients of the format fail on comments in a stream; events of such a format have no names. */
  readonly takesComments?: false;
  /**
   * Present if clients of the format ignore an error in a stream and treat a clean close as success.
   * The gateway then breaks the connection after its error.
   */
  readonly ignoresErrors?: true;
  /** The changes of a request to an upstream of another vendor than the format's; default: none. */
  readonly forOtherVendor?: (body: JsonObject) => MemberChanges;
  /** Present if the usage of an answer can state its cost. */
  readonly statedCost?: StatedCost;
  /** Present if some clients of the format show budgets in ways of their own. */
  readonly spending?: SpendingCodec;
  /**
   * The message of an error at which a client leaves out what the upstream cannot take, and sends the
   * rest again; undefined for every other client and error.
   */
  readonly repairMessage?: (error: GatewayError, headers: Headers) => string | undefined;
  /** JSON Schema (2020-12) of the body of a generating request, for the API's description. */
  readonly requestJsonSchema?: () => JsonObject;
  /**
   * The format's own keep-alive for streams, framed; default: a comment, or a growing line if
   * clients fail on comments.
   */
  readonly keepAlive?: string;
}

/** A prompt in the order in which upstreams cache it, as it is on the wire. */
export interface PromptParts {
  readonly tools: readonly JsonValue[];
  readonly system: readonly JsonValue[];
  readonly turns: readonly JsonValue[];
}

export interface EncodedRequest {
  readonly wire: WireRequest;
  readonly notes: readonly Note[];
}

/** Encodes a request without turns for other calls. */
export function encodeAtOnce(
  { encodeRequest }: Pick<Codec, "encodeRequest">,
  request: CanonicalRequest,
  dialect?: Dialect,
): EncodedRequest {
  return atOnce(encodeRequest(request, dialect));
}

/** Requests the usage of a stream, and hides it from callers that did not request it. */
export interface MeteredStream {
  /**
   * Top-level members to set in the request; undefined if it requests usage already, or if the
   * server cannot state it.
   */
  members(body: JsonObject, dialect?: Dialect): JsonObject | undefined;
  /** Returns true if this event exists only because of those members. */
  isExtra(event: ServerSentEvent): boolean;
}

/** The caller's request for the cost of an answer in its usage. */
export interface StatedCost {
  /** The member of the request that asks for the cost; it is not sent upstream. */
  readonly member: string;
  isAsked(body: JsonObject): boolean;
  /** True if an event states the usage of the whole stream: it is held until the cost is known. */
  isLast(event: ServerSentEvent): boolean;
  /**
   * Adds the cost in USD to the usage in the JSON text of an answer or event; returns the same text
   * if it has no usage.
   */
  state(text: string, usd: string): string;
}

/** The format's token counter: the request is that of a generation, without limits of the answer. */
export interface TokenCountCodec {
  decodeRequest(wire: WireRequest): CanonicalRequest;
  encodeRequest(request: CanonicalRequest): WireRequest;
  decodeResponse(body: unknown): number;
  encodeResponse(inputTokens: number): JsonObject;
}

/** Members of a body that set the length and the number of answers. */
export interface AnswerBounds {
  readonly members: readonly string[];
  /** If `members` are objects: the members within them. */
  readonly within?: readonly string[];
}

/** The part of a request that routing and reserving read. */
export interface Envelope {
  readonly model: string;
  readonly stream: boolean;
  /**
   * A value that stays the same over the turns of a conversation, to keep it on one upstream and
   * its prompt cache. Undefined if nothing identifies the conversation.
   */
  readonly conversation?: () => string | undefined;
  /** Present if only an upstream of the request's own format can answer. */
  readonly vendorState?: VendorState;
  /** Maximum tokens of each alternative, reasoning included; absent if the caller sets no limit. */
  readonly maxOutputTokens?: number;
  /** Tokens of each alternative reserved for reasoning; the output limit must be higher. */
  readonly thinkingTokens?: number;
  /** Number of requested answers: a positive integer, default: 1. */
  readonly alternatives: number;
  /** Framing of a streamed answer; `json-array` only if the request's address asks for it. */
  readonly framing: Framing;
}

/** Data that an encoder of answers needs apart from the answer. */
export interface EncoderContext {
  /** The gateway's request id, `req_` + ULID. Fresh ids in the format's style are derived from it. */
  readonly requestId: string;
  /** The model's name as the caller wrote it. */
  readonly model: string;
  readonly createdAtMs: number;
  /** The caller's request, for formats that repeat it and for options such as `include_usage`. */
  readonly request: CanonicalRequest;
  /** Estimates the prompt's tokens, for formats that state them before the upstream does. */
  readonly promptTokens?: () => number;
}

/**
 * The differences between a server and the format of its vendor. Plain data; the codec applies it
 * to converted requests only. Members are named as on the wire.
 */
export interface Dialect {
  /** The only top-level members that it accepts; absent if it ignores unknown ones. */
  readonly knows?: readonly string[];
  /** Top-level members of the format that it refuses. */
  readonly refuses?: readonly string[];
  /** Top-level members that have another name. */
  readonly renames?: Readonly<Record<string, string>>;
  /** False if an answer can be limited to JSON, but not to a schema. */
  readonly outputSchemas?: false;
  /** False if free-text tools are refused. */
  readonly customTools?: false;
  /** False if cache breakpoints are refused. */
  readonly cacheBreakpoints?: false;
  /** False if the gateway must not set cache breakpoints for callers that set none. */
  readonly automaticCaching?: false;
  /** Service tiers that it has beside those of the format. */
  readonly serviceTiers?: readonly string[];
  /** Ids of tool calls that it accepts, if it accepts fewer than the format's vendor. */
  readonly callIds?: ToolCallIdRule;
}

/** Returns true if a request may have a top-level member. */
export function takesMember(dialect: Dialect | undefined, name: string): boolean {
  return !dialect?.refuses?.includes(name) && (dialect?.knows?.includes(name) ?? true);
}
