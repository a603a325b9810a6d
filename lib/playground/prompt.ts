import type { JsonObject } from "./json.ts";

/** A file attached to a message. */
export interface Attachment {
  readonly name: string;
  readonly mediaType: string;
  readonly base64: string;
}

/** A tool call of the model. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  /** The arguments, as JSON text. */
  readonly json: string;
  /** The signature that the model expects back with the call. */
  readonly proof?: string;
}

export interface ToolResult {
  readonly callId: string;
  readonly name: string;
  readonly text: string;
}

/** One turn of a conversation, independent of formats. */
export type Turn =
  | { readonly role: "user"; readonly text: string; readonly attachments: readonly Attachment[] }
  | {
    readonly role: "assistant";
    readonly text: string;
    readonly calls: readonly ToolCall[];
    /** The model's reasoning, sent back to it with its signature. */
    readonly thought?: { readonly text: string; readonly proof: string };
  }
  | { readonly role: "tool"; readonly results: readonly ToolResult[] };

export interface Tool {
  readonly name: string;
  readonly description?: string;
  /** The JSON Schema of the arguments. */
  readonly parameters?: JsonObject;
}

/** Levels of reasoning effort. */
export const efforts = ["low", "medium", "high"] as const;
export type Effort = typeof efforts[number];

/** Parameters of a request; the model's default applies to absent ones. */
export interface Parameters {
  readonly temperature?: number;
  readonly topP?: number;
  readonly maxTokens?: number;
  readonly effort?: Effort;
  /** Stop sequences. */
  readonly stop: readonly string[];
  /** The JSON Schema of the answer. */
  readonly schema?: JsonObject;
  readonly stream: boolean;
}

/** The content of a request, independent of formats. */
export interface Prompt {
  readonly model: string;
  readonly system: string;
  readonly turns: readonly Turn[];
  readonly tools: readonly Tool[];
  readonly parameters: Parameters;
}

/** A request as sent over the wire. */
export interface WireRequest {
  /** Relative to the base URL. */
  readonly path: string;
  readonly body: JsonObject;
}

/** A file's content as a data URL. */
export function dataUrl({ mediaType, base64 }: Attachment): string {
  return `data:${mediaType};base64,${base64}`;
}

export function isImage({ mediaType }: Attachment): boolean {
  return mediaType.startsWith("image/");
}
