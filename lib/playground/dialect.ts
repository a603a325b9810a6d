import type { RequestContent, SentRequest } from "./prompt.ts";

/** One addition to the visible answer, from a stream event or a complete answer. */
export type AnswerPiece =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "reasoning"; readonly text: string }
  /** The signature of the reasoning so far. */
  | { readonly type: "proof"; readonly proof: string }
  /** Start of a tool call, or a complete one; `place` distinguishes the calls of one answer. */
  | {
    readonly type: "call";
    readonly place?: number;
    readonly id: string;
    readonly name: string;
    readonly json?: string;
    readonly proof?: string;
  }
  /** A part of a call's arguments. */
  | { readonly type: "arguments"; readonly place: number; readonly json: string }
  /** The finish reason, in the format's own word. */
  | { readonly type: "finish"; readonly reason: string }
  /** The format's error, in mid-stream or as a whole answer. */
  | { readonly type: "error"; readonly error: unknown };

/** Writes requests and reads answers of one format. Pure; ignores unknown events. */
export interface PlaygroundDialect {
  readonly request: (prompt: RequestContent) => SentRequest;
  /** The data of one server-sent event, parsed as JSON. */
  readonly readEvent: (data: unknown) => readonly AnswerPiece[];
  /** The body of an unstreamed answer. */
  readonly readAnswer: (body: unknown) => readonly AnswerPiece[];
  /** Parameters that the format does not support. */
  readonly without: readonly ("stop" | "topP")[];
}

/** A piece of text, or nothing for an empty text. */
export function textPiece(type: "text" | "reasoning", text: unknown): readonly AnswerPiece[] {
  return typeof text === "string" && text !== "" ? [{ type, text }] : [];
}
