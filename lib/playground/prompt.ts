import type { JsonObject } from "./json.ts";

/** A file that goes with the user's words. */
export interface Attachment {
  readonly name: string;
  readonly mediaType: string;
  readonly base64: string;
}

/** A tool that the model wants to be run. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  /** Its arguments, as JSON in text. */
  readonly json: string;
  /** What the model wants back with the call, sealed by it. */
  readonly proof?: string;
}

export interface ToolResult {
  readonly callId: string;
  readonly name: string;
  readonly text: string;
}

/** One turn of a conversation, in no format. */
export type Turn =
  | { readonly role: "user"; readonly text: string; readonly attachments: readonly Attachment[] }
  | {
    readonly role: "assistant";
    readonly text: string;
    readonly calls: readonly ToolCall[];
    /** What the model thought, to be shown to it again with its seal. */
    readonly thought?: { readonly text: string; readonly proof: string };
  }
  | { readonly role: "tool"; readonly results: readonly ToolResult[] };

export interface Tool {
  readonly name: string;
  readonly description?: string;
  /** A JSON Schema of its arguments. */
  readonly parameters?: JsonObject;
}

/** How long a model is to think. */
export const efforts = ["low", "medium", "high"] as const;
export type Effort = typeof efforts[number];

/** What is absent is left to the model. */
export interface Parameters {
  readonly temperature?: number;
  readonly topP?: number;
  readonly maxTokens?: number;
  readonly effort?: Effort;
  /** Texts that end the answer. */
  readonly stop: readonly string[];
  /** A JSON Schema that the answer is to follow. */
  readonly schema?: JsonObject;
  readonly stream: boolean;
}

/** Everything that a request says. */
export interface Prompt {
  readonly model: string;
  readonly system: string;
  readonly turns: readonly Turn[];
  readonly tools: readonly Tool[];
  readonly parameters: Parameters;
}

/** A request for an answer as it goes over the wire. */
export interface WireRequest {
  /** Below the gateway's address. */
  readonly path: string;
  readonly body: JsonObject;
}

/** As browsers and formats write a file's content in an address. */
export function dataUrl({ mediaType, base64 }: Attachment): string {
  return `data:${mediaType};base64,${base64}`;
}

export function isImage({ mediaType }: Attachment): boolean {
  return mediaType.startsWith("image/");
}
