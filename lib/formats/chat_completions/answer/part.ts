import type { AudioPart, Citation, JsonObject, Part, TextPart } from "../../../canonical/mod.ts";
import type { EncoderContext } from "../../codec.ts";
import {
  defined,
  isEmpty,
  listOf,
  numberOrNothing,
  objectOf,
  objectsOf,
  textOf,
  textOrNothing,
} from "../../wire_value.ts";
import { decodeSignature } from "../calls.ts";
import { decodeImages } from "../media.ts";
import { extraMembers, keep, mark, ownFields } from "../native.ts";
import { thoughtMembers } from "../thoughts.ts";

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

const citationMembers = new Set(["url", "title", "start_index", "end_index"]);
const annotationMembers = new Set(["type", "url_citation"]);

/** An annotation of a message; kinds other than `url_citation` are kept as they are. */
export function decodeCitation(annotation: JsonObject): Citation {
  if (annotation.type !== "url_citation") return keep(annotation);
  const { url, title, start_index, end_index } = objectOf(annotation.url_citation);
  const inner = extraMembers(objectOf(annotation.url_citation), citationMembers);
  return {
    ...defined({
      url: textOrNothing(url),
      title: textOrNothing(title),
      start: numberOrNothing(start_index),
      end: numberOrNothing(end_index),
    }),
    ...keep({
      ...extraMembers(annotation, annotationMembers),
      ...(!isEmpty(inner) && { url_citation: inner }),
    }),
  };
}

/** The annotations of a text that starts `offset` units into the message. This format cites addresses only. */
export function encodeCitations(
  citations: readonly Citation[],
  { text, offset }: { readonly text: string; readonly offset: number },
): JsonObject[] {
  return citations.flatMap((citation) => {
    const { url, title, start, end } = citation;
    const own = ownFields(citation) ?? {};
    if (typeof own.type === "string") return [own];
    if (url === undefined) return [];
    return [{
      ...own,
      type: "url_citation",
      url_citation: {
        ...objectOf(own.url_citation),
        start_index: offset + (start ?? 0),
        end_index: offset + (end ?? text.length),
        title: title ?? "",
        url,
      },
    }];
  });
}

/** The annotations of all texts of a message, in order. */
export function encodeAnnotations(texts: readonly TextPart[]): JsonObject[] {
  let offset = 0;
  return texts.flatMap(({ text, citations }) => {
    const annotations = encodeCitations(citations ?? [], { text, offset });
    offset += text.length;
    return annotations;
  });
}

/** The members of an assistant's message that have a place in the canonical form. */
export const assistantMembers: ReadonlySet<string> = new Set([
  "role",
  "content",
  ...thoughtMembers,
  "refusal",
  "annotations",
  "audio",
  "images",
  "tool_calls",
  "function_call",
  "extra_content",
]);
