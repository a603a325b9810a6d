import type { ParsedObject } from "./json.ts";

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
export type PromptTurn =
  | { readonly role: "user"; readonly text: string; readonly attachments: readonly Attachment[] }
  | {
    readonly role: "assistant";
    readonly text: string;
    readonly calls: readonly ToolCall[];
    /** The model's reasoning, sent back to it with its signature. */
    readonly thought?: { readonly text: string; readonly proof: string };
  }
  | { readonly role: "tool"; readonly results: readonly ToolResult[] };

export interface ToolDefinition {
  readonly name: string;
  readonly description?: string;
  /** The JSON Schema of the arguments. */
  readonly parameters?: ParsedObject;
}

/** Levels of reasoning effort. */
export const offeredEfforts = ["low", "medium", "high"] as const;
export type OfferedEffort = typeof offeredEfforts[number];

/** The tokens of thinking for each level, for formats that have no levels. */
export const thinkingTokens = { low: 2_048, medium: 8_192, high: 16_384 } as const satisfies Record<
  OfferedEffort,
  number
>;

/** Parameters of a request; the model's default applies to absent ones. */
export interface Parameters {
  readonly temperature?: number;
  readonly topP?: number;
  readonly maxTokens?: number;
  readonly effort?: OfferedEffort;
  /** Stop sequences. */
  readonly stop: readonly string[];
  /** The JSON Schema of the answer. */
  readonly schema?: ParsedObject;
  readonly stream: boolean;
}

/** The content of a request, independent of formats. */
export interface RequestContent {
  readonly model: string;
  readonly system: string;
  readonly turns: readonly PromptTurn[];
  readonly tools: readonly ToolDefinition[];
  readonly parameters: Parameters;
}

/** A request as sent over the wire. */
export interface SentRequest {
  /** Relative to the base URL. */
  readonly path: string;
  readonly body: ParsedObject;
}

/** A file's content as a data URL. */
export function dataUrl({ mediaType, base64 }: Omit<Attachment, "name">): string {
  return `data:${mediaType};base64,${base64}`;
}

export function isImage({ mediaType }: Attachment): boolean {
  return mediaType.startsWith("image/");
}
