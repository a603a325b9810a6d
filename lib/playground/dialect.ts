import type { RequestContent, SentRequest } from "./prompt.ts";

/** An image of the model. */
export interface AnswerImage {
  readonly mediaType: string;
  readonly base64: string;
}

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
  /** A complete image. */
  | { readonly type: "image"; readonly image: AnswerImage }
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

/** An image that a browser shows as a picture only: no vector image, which is a document. */
export function imagePiece(mediaType: unknown, base64: unknown): readonly AnswerPiece[] {
  if (typeof mediaType !== "string" || typeof base64 !== "string") return [];
  const isShown = /^image\/(?:png|jpeg|gif|webp)$/.test(mediaType) && base64 !== "";
  return isShown ? [{ type: "image", image: { mediaType, base64 } }] : [];
}

/** Reads an image from its data URL. */
export function imageOfUrl(url: unknown): readonly AnswerPiece[] {
  const [, mediaType, base64] = /^data:([^;,]+);base64,(.+)$/.exec(String(url)) ?? [];
  return imagePiece(mediaType, base64);
}
