import type { Change } from "./change.ts";
import type { FormatName, NativeFields } from "./format.ts";
import type { JsonValue } from "./json.ts";

/**
 * One piece of a turn. Order is meaning: reasoning, text and calls stay as they were interleaved.
 * Parts are never merged or split by a decoder.
 */
export type Part =
  | TextPart
  | ImagePart
  | AudioPart
  | VideoPart
  | FilePart
  | ReasoningPart
  | ToolCallPart
  | ToolResultPart
  | RefusalPart
  | NativePart;

interface PartBase {
  /** A prompt-cache breakpoint directly after this part. */
  readonly cache?: CacheMark;
  /** The vendor's opaque proof that belongs to this very part. */
  readonly continuation?: Continuation;
  /** Fields of this part that only its own format knows (item ids, `phase`, `caller`, log probabilities). */
  readonly native?: NativeFields;
}

export interface TextPart extends PartBase {
  readonly type: "text";
  readonly text: string;
  readonly citations?: readonly Citation[];
}

export interface ImagePart extends PartBase {
  readonly type: "image";
  readonly source: MediaSource;
  /** Such as `image/png`; absent when the wire did not say. */
  readonly mediaType?: string;
  readonly detail?: "low" | "high" | "auto" | "original";
}

export interface AudioPart extends PartBase {
  readonly type: "audio";
  readonly source: MediaSource;
  readonly mediaType?: string;
  readonly transcript?: string;
}

export interface VideoPart extends PartBase {
  readonly type: "video";
  readonly source: MediaSource;
  readonly mediaType?: string;
}

/** A document: a PDF, a text file or anything else that is neither image, audio nor video. */
export interface FilePart extends PartBase {
  readonly type: "file";
  readonly source: MediaSource;
  readonly mediaType?: string;
  /** File name or document title. */
  readonly name?: string;
}

/** What the model thought. `redacted` has no text: its content is the continuation alone. */
export interface ReasoningPart extends PartBase {
  readonly type: "reasoning";
  readonly text: string;
  readonly visibility: "summary" | "raw" | "redacted";
}

export interface ToolCallPart extends PartBase {
  readonly type: "tool-call";
  /** Pairs the call with its result. May be empty only when the wire had none (generate-content). */
  readonly id: string;
  readonly name: string;
  /** JSON text for a function (`{}` when there are no arguments), free text for a custom tool. */
  readonly arguments: string;
  readonly kind: "function" | "custom";
  readonly namespace?: string;
  /** True if its result may come in a later turn, while the model goes on. */
  readonly async?: boolean;
}

/** The answer to a call. Lives in a user turn, whatever role the wire gave it. */
export interface ToolResultPart extends PartBase {
  readonly type: "tool-result";
  readonly callId: string;
  /** The tool's name where the wire states it; otherwise found through the call. */
  readonly name?: string;
  readonly kind: "function" | "custom";
  readonly parts: readonly Part[];
  readonly isError: boolean;
}

export interface RefusalPart extends PartBase {
  readonly type: "refusal";
  readonly text: string;
}

/** An item that belongs to one format: printed verbatim by it; every other says its text, or notes it. */
export interface NativePart {
  readonly type: "native";
  readonly format: FormatName;
  readonly value: JsonValue;
  /** The item in words for a reader, in Markdown, such as the code that ran and its output; absent where it has none. */
  readonly text?: string;
  /** The item as a call that its reader must answer, such as a request for approval; absent where it asks nothing. */
  readonly call?: Pick<ToolCallPart, "id" | "name" | "arguments">;
  /** The change that the item makes from its place in the conversation on. */
  readonly change?: Change;
  readonly cache?: CacheMark;
  readonly continuation?: Continuation;
  readonly native?: NativeFields;
}

/** Where the bytes of a medium are. `base64` is standard base64 (never URL-safe). */
export type MediaSource =
  | { readonly type: "base64"; readonly data: string }
  | { readonly type: "url"; readonly url: string }
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "file-id"; readonly id: string; readonly format: FormatName };

export interface CacheMark {
  /** Time to live as the wire says it: `5m`, `1h`, `30m`; absent for the vendor's default. */
  readonly ttl?: string;
  readonly native?: NativeFields;
}

/**
 * An opaque proof that only its issuer understands: a reasoning signature, `encrypted_content`,
 * a thought signature. It is never sent to another vendor's format in the clear.
 */
export interface Continuation {
  /** The format whose vendor issued it. */
  readonly issuer: FormatName;
  readonly data: string;
  /** The issuer's id of the item (`rs_…`), where it has one. */
  readonly itemId?: string;
  /** The thought that it proves, on its way through a caller who wants to see none of it. */
  readonly text?: string;
}

/** A source of a piece of text. Offsets are UTF-16 units into the part's text. */
export interface Citation {
  readonly url?: string;
  readonly title?: string;
  readonly start?: number;
  readonly end?: number;
  readonly quote?: string;
  readonly native?: NativeFields;
}
