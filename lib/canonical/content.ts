import type { JsonValue } from "../json/mod.ts";
import type { Change } from "./settings.ts";
import type { FormatName, NativeFields } from "./format.ts";
import type { TokenLogprob } from "./logprob.ts";

/**
 * One piece of a turn. The order has meaning: reasoning, text and calls stay interleaved as they
 * came. A decoder never merges or splits parts.
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
  /** The vendor's opaque continuation of this part. */
  readonly continuation?: Continuation;
  /** Native fields of this part (item ids, `phase`, `caller`). */
  readonly native?: NativeFields;
}

export interface TextPart extends PartBase {
  readonly type: "text";
  readonly text: string;
  readonly citations?: readonly Citation[];
  /** The tokens of an answer's text, in order. */
  readonly logprobs?: readonly TokenLogprob[];
}

export interface ImagePart extends PartBase {
  readonly type: "image";
  readonly source: MediaSource;
  /** Such as `image/png`; absent if the wire has none. */
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

/** A document: a PDF, a text file or any other file that is not image, audio or video. */
export interface FilePart extends PartBase {
  readonly type: "file";
  readonly source: MediaSource;
  readonly mediaType?: string;
  /** File name or document title. */
  readonly name?: string;
}

/** Reasoning of the model. `redacted` has no text: its content is the continuation alone. */
export interface ReasoningPart extends PartBase {
  readonly type: "reasoning";
  readonly text: string;
  readonly visibility: "summary" | "raw" | "redacted";
}

export interface ToolCallPart extends PartBase {
  readonly type: "tool-call";
  /** Pairs the call with its result. Empty only if the wire had none (generate-content). */
  readonly id: string;
  readonly name: string;
  /** JSON text for a function (`{}` without arguments), free text for a custom tool. */
  readonly arguments: string;
  readonly kind: "function" | "custom";
  readonly namespace?: string;
  /** True if its result may come in a later turn, while the model continues. */
  readonly async?: boolean;
}

/** The result of a call. Part of a user turn, whatever its role on the wire. */
export interface ToolResultPart extends PartBase {
  readonly type: "tool-result";
  readonly callId: string;
  /** The tool's name if the wire states it; otherwise found through the call. */
  readonly name?: string;
  readonly kind: "function" | "custom";
  readonly parts: readonly Part[];
  readonly isError: boolean;
}

export interface RefusalPart extends PartBase {
  readonly type: "refusal";
  readonly text: string;
  readonly logprobs?: readonly TokenLogprob[];
}

/** An item of one format: its codec writes it unchanged; every other codec writes its text, or notes the loss. */
export interface NativePart {
  readonly type: "native";
  readonly format: FormatName;
  readonly value: JsonValue;
  /** The item as Markdown for a reader, such as executed code with its output; absent if it has none. */
  readonly text?: string;
  /** The item as a call that the caller must answer, such as a request for approval; absent for other items. */
  readonly call?: Pick<ToolCallPart, "id" | "name" | "arguments">;
  /** True for content of a message: without it a caller's message would mean something else. */
  readonly isContent?: true;
  /** The change that the item makes from its place in the conversation on. */
  readonly change?: Change;
  readonly cache?: CacheMark;
  readonly continuation?: Continuation;
  readonly native?: NativeFields;
}

/** The bytes of a medium, or their location. `base64` is standard base64 (never URL-safe). */
export type MediaSource =
  | { readonly type: "base64"; readonly data: string }
  | { readonly type: "url"; readonly url: string }
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "file-id"; readonly id: string; readonly format: FormatName };

export interface CacheMark {
  /** Time to live as on the wire: `5m`, `1h`, `30m`; absent for the vendor's default. */
  readonly ttl?: string;
  readonly native?: NativeFields;
}

/**
 * Opaque data that only its issuer understands: a reasoning signature, `encrypted_content`, a
 * thought signature. Never sent to another vendor's format unsealed.
 */
export interface Continuation {
  /** The format of the vendor that issued it. */
  readonly issuer: FormatName;
  readonly data: string;
  /** The issuer's id of the item (`rs_…`), if any. */
  readonly itemId?: string;
  /** The reasoning that it signs, carried through a caller that must not see it. */
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
