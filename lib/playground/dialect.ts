import type { Prompt, WireRequest } from "./prompt.ts";

/** What one event of a stream, or a whole answer, adds to what is shown. */
export type Piece =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "reasoning"; readonly text: string }
  /** The seal of the reasoning so far. */
  | { readonly type: "proof"; readonly proof: string }
  /** A call begins, or is there as a whole; `place` tells calls of one answer apart. */
  | {
    readonly type: "call";
    readonly place?: number;
    readonly id: string;
    readonly name: string;
    readonly json?: string;
    readonly proof?: string;
  }
  /** More of a call's arguments. */
  | { readonly type: "arguments"; readonly place: number; readonly json: string }
  /** Why the answer is over, in the format's own word. */
  | { readonly type: "finish"; readonly reason: string }
  /** The format's error, in mid-stream or as the answer. */
  | { readonly type: "error"; readonly error: unknown };

/** How one format is written and read. Pure; unknown events add nothing. */
export interface Dialect {
  readonly request: (prompt: Prompt) => WireRequest;
  /** The data of one server-sent event, as JSON. */
  readonly readEvent: (data: unknown) => readonly Piece[];
  /** The body of an answer that does not stream. */
  readonly readAnswer: (body: unknown) => readonly Piece[];
  /** Parameters that the format has no word for. */
  readonly without: readonly ("stop" | "topP")[];
}

/** A piece of text, where there is any. */
export function textPiece(type: "text" | "reasoning", text: unknown): readonly Piece[] {
  return typeof text === "string" && text !== "" ? [{ type, text }] : [];
}
