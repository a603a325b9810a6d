import type { AudioPart, JsonObject, Part, TextPart } from "../../../canonical/mod.ts";
import type { EncoderContext } from "../../codec.ts";
import { defined, listOf, objectOf, objectsOf, textOf, textOrNothing } from "../../wire_value.ts";
import { decodeSignature } from "../calls.ts";
import { decodeImages } from "../media.ts";
import { mark, ownFields } from "../native.ts";
import { decodeCitation } from "./citations.ts";

/**
 * The parts of an answer's message, in order: reasoning within its content, text with citations,
 * refusal, audio, images.
 */
export function decodeSaid(message: JsonObject): Part[] {
  if (isText(message)) return decodeTexts(message);
  const refusal = textOf(message.refusal);
  const thoughts = contentThoughts(message.content);
  return [
    ...(thoughts === "" ? [] : [{ type: "reasoning", text: thoughts, visibility: "raw" } as const]),
    ...decodeTexts(message),
    ...(refusal === "" ? [] : [{ type: "refusal", text: refusal } as const]),
    ...decodeAudio(objectOf(message.audio)),
    ...decodeImages(message.images),
  ];
}

/** Returns true for a message of one text, as most are. */
function isText({ content, refusal, audio, images }: JsonObject): boolean {
  return typeof content === "string" && !refusal && !audio && !images;
}

/** The text of `content`, which some upstreams (Mistral, 2026-11-21) send as parts. */
export function contentText(content: unknown): string {
  if (typeof content === "string") return content;
  return objectsOf(content).map(({ text }) => textOf(text)).join("");
}

/** Reasoning that is inside `content` as parts of its own. */
export function contentThoughts(content: unknown): string {
  if (typeof content === "string") return "";
  return objectsOf(content).map(({ thinking }) => contentText(thinking)).join("");
}

/** Audio of the model: data and transcript, from `message.audio` or its accumulated deltas. */
export function decodeAudio(audio: JsonObject): AudioPart[] {
  if (!hasSound(audio)) return [];
  const { id, data, transcript, expires_at } = audio;
  const said = textOrNothing(transcript);
  return [{
    type: "audio",
    source: { type: "base64", data: textOf(data) },
    ...(said !== undefined && { transcript: said }),
    ...mark(defined({ id, expires_at })),
  }];
}

/** Returns false for audio without content, from servers that fill in every member (2026-11). */
export function hasSound({ data, transcript }: JsonObject): boolean {
  return textOf(data) !== "" || textOf(transcript) !== "";
}

export function encodeAudio(
  part: AudioPart,
  { requestId, createdAtMs }: EncoderContext,
): JsonObject {
  const own = ownFields(part);
  return {
    id: own?.id ?? `audio_${requestId.replace(/^req_/, "")}`,
    data: part.source.type === "base64" ? part.source.data : "",
    expires_at: own?.expires_at ?? Math.floor(createdAtMs / 1000),
    transcript: part.transcript ?? "",
  };
}

/** Texts of a message; `""` and `null` both mean no text. */
function decodeTexts(message: JsonObject): TextPart[] {
  const text = contentText(message.content);
  if (text === "") return [];
  const citations = listOf(message.annotations).length > 0
    ? objectsOf(message.annotations).map(decodeCitation)
    : [];
  return [{
    type: "text",
    text,
    ...(citations.length > 0 && { citations }),
    ...decodeSignature(message),
  }];
}
