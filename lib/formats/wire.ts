import type { JsonObject } from "../canonical/mod.ts";

/** A request on the wire; its address is relative to the format's base URL. */
export interface WireRequest {
  /** Such as `/chat/completions`, `/v1/messages`, `/models/gemini-x:generateContent`. */
  readonly path: string;
  /** Query parameters with a meaning in the format, such as `alt=sse`; never a key. */
  readonly search: Readonly<Record<string, string>>;
  /** Headers with a meaning in the format, lower-case, such as `anthropic-version`. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: JsonObject;
}

export interface WireError {
  readonly status: number;
  /** Headers by lower-case name; for an upstream's error, its response headers. */
  readonly headers: Readonly<Record<string, string>>;
  /** Parsed JSON, or the text itself if it is not JSON. */
  readonly body: unknown;
}

export type Framing = "sse" | "json-array";

/** One server-sent event without its framing. `data` holds no line break. */
export interface ServerSentEvent {
  /** The event's name, only if the format uses names. */
  readonly event?: string;
  readonly data: string;
  /** The JSON of `data`, if that is written only when it is read: a long event is written in pieces. */
  readonly value?: JsonObject;
}

/** The events of a stream that were sent to the caller. */
export interface SentEvents {
  readonly first?: ServerSentEvent;
  readonly last?: ServerSentEvent;
  readonly count: number;
}

/** Operations other than generating, relayed unchanged to any upstream that has them. */
export type RelayedOperation =
  | "embed"
  | "complete"
  | "generate-image"
  | "edit-image"
  | "speak"
  | "transcribe"
  | "translate"
  | "moderate"
  | "rerank"
  | "decide";

export type Operation =
  | RelayedOperation
  | "generate"
  | "count-tokens"
  | "compact-response"
  | "list-models"
  | "get-model"
  | "get-usage"
  | "get-key"
  | "get-subscription"
  | "get-billing-usage"
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
 * An address of the gateway. `path` is absolute and may hold one `{model}` or `{id}`, followed by
 * an `{item}`; `{model}` matches across `/`. `verb` follows the last colon of the path.
 */
export interface Endpoint {
  readonly method: "GET" | "POST" | "DELETE";
  readonly path: string;
  readonly verb?: string;
  /**
   * A second prefix for a `{model}` whose name holds a slash: some clients leave out the collection
   * before such names.
   */
  readonly bareHead?: string;
  readonly operation: Operation;
  /** True for an address that a WebSocket may be opened at, whose messages are calls of it. */
  readonly takesSockets?: true;
  /** True for an address that keys of every group may call, whatever their formats. */
  readonly isOwnKey?: true;
}
