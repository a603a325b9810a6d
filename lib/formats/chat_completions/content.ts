import type { JsonObject, JsonValue, NativePart, Part, TextPart } from "../../canonical/mod.ts";
import { line, markdownText } from "../answer/item_markdown.ts";
import { isEmpty, objectsOf, textOf } from "../wire_value.ts";
import { cacheMembers, decodeCache, encodeCache } from "./cache.ts";
import {
  decodeAudio,
  decodeFile,
  decodeImage,
  decodeLinkedFile,
  decodeVideo,
  encodeAudio,
  encodeFile,
  encodeImage,
  encodeVideo,
  plainTextOf,
} from "./media.ts";
import { extraMembers, format, keep, ownFields } from "./native.ts";
import type { PlacedPart, RequestContext } from "./request_context.ts";

interface KnownPart {
  /** The member with the content. */
  readonly member: string;
  /** Another member with a canonical field. */
  readonly name?: string;
  readonly decode: (wire: JsonObject) => Part;
}

const knownParts: Readonly<Record<string, KnownPart>> = {
  text: { member: "text", decode: ({ text }) => ({ type: "text", text: textOf(text) }) },
  refusal: {
    member: "refusal",
    decode: ({ refusal }) => ({ type: "refusal", text: textOf(refusal) }),
  },
  image_url: { member: "image_url", decode: decodeImage },
  video_url: { member: "video_url", decode: decodeVideo },
  input_audio: { member: "input_audio", decode: decodeAudio },
  file: { member: "file", name: "file_id", decode: decodeFile },
  document_url: { member: "document_url", name: "document_name", decode: decodeLinkedFile },
  file_url: { member: "file_url", name: "file_name", decode: decodeLinkedFile },
};

/** A message's content, a string or parts. */
export function decodeContent(content: unknown): Part[] {
  if (typeof content === "string") return [{ type: "text", text: content }];
  return objectsOf(content).map(decodePart);
}

function decodePart(wire: JsonObject): Part {
  const type = textOf(wire.type);
  if (!Object.hasOwn(knownParts, type)) return nativePart(wire);
  const { member, name = "", decode } = knownParts[type];
  const part = decode(wire);
  const rest = extraMembers(wire, new Set(["type", member, name, ...cacheMembers]));
  const beside = isEmpty(rest) ? {} : keep({ ...ownFields(part), beside: rest });
  return { ...part, ...decodeCache(wire), ...beside };
}

/** Parts of a user's message. Parts that a user cannot send are noted and left out. */
export function encodeUserParts(
  placed: readonly PlacedPart[],
  context: RequestContext,
): JsonObject[] {
  const written: JsonObject[] = [];
  for (const { part, path } of placed) {
    const wire = encodeUserPart(part, path, context);
    if (!wire) continue;
    written.push(besides({ ...wire, ...encodeCache(part.cache, path, context) }, part));
  }
  return written;
}

function encodeUserPart(
  part: Part,
  path: string,
  context: RequestContext,
): JsonObject | undefined {
  if (part.type !== "native") context.notes.foreign(part.native, `${path}.native`);
  switch (part.type) {
    case "text":
      noteCitations(part, path, context);
      return { type: "text", text: part.text };
    case "image":
      return encodeImage(withoutBeside(part), path);
    case "audio":
      return encodeAudio(withoutBeside(part), path);
    case "video":
      return encodeVideo(part, path);
    case "file":
      return encodeDocument(withoutBeside(part), path, context);
    case "native":
      return encodeNative(part, path, context);
    case "refusal":
      return { type: "text", text: part.text };
    case "reasoning":
    case "tool-call":
    case "tool-result":
      context.notes.add("misplaced", path);
      return undefined;
    default:
      return part satisfies never;
  }
}

function encodeDocument(
  part: Extract<Part, { type: "file" }>,
  path: string,
  { notes }: RequestContext,
): JsonObject {
  const text = ownFields(part) ? undefined : plainTextOf(part);
  if (text === undefined) return encodeFile(part, path);
  notes.add("textFile", path);
  return { type: "text", text: part.name === undefined ? text : `${part.name}\n\n${text}` };
}

/** Encodes a part of this format unchanged, and a part of another format as text. */
export function encodeNative(
  part: NativePart,
  path: string,
  { notes }: RequestContext,
): JsonObject | undefined {
  if (part.format === format) return objectsOf([part.value])[0];
  const said = notes.asText(part, path);
  return said && { type: "text", text: said.text };
}

/** The text parts of a system, tool or assistant message. */
export function encodeTexts(
  placed: readonly PlacedPart<TextPart>[],
  context: RequestContext,
): JsonObject[] {
  return placed.map(({ part, path }) => {
    context.notes.foreign(part.native, `${path}.native`);
    noteCitations(part, path, context);
    return encodeText(part, path, context);
  });
}

function noteCitations({ citations }: TextPart, path: string, { notes }: RequestContext): void {
  if (citations?.length) notes.add("citations", `${path}.citations`);
}

/** A text part, without the note of its foreign fields. */
export function encodeText(part: TextPart, path: string, context: RequestContext): JsonObject {
  const wire = { type: "text", text: part.text, ...encodeCache(part.cache, path, context) };
  return besides(wire, part);
}

/** A single plain text becomes a string, which every upstream of this format accepts. */
export function contentOf(parts: readonly JsonObject[]): string | readonly JsonValue[] {
  const [first] = parts;
  const plain = parts.length === 1 && first.type === "text" && Object.keys(first).length === 2;
  return plain ? textOf(first.text) : parts;
}

/** Members other than the part's own. */
function besides(wire: JsonObject, part: Part): JsonObject {
  const own = ownFields(part);
  return own?.beside === undefined ? wire : { ...wire, ...objectsOf([own.beside])[0] };
}

function withoutBeside<P extends Part>(part: P): P {
  const own = ownFields(part);
  if (own?.beside === undefined) return part;
  const { beside: _, ...fields } = own;
  return { ...part, native: { format, fields } };
}

/** A content part that only this format has, with its content as Markdown. */
function nativePart(wire: JsonObject): NativePart {
  const said = markdownText(line(textOf(wire.text)));
  return { type: "native", format, value: wire, isContent: true, ...said };
}
