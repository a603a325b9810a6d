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
