import {
  type FilePart,
  type ImagePart,
  type JsonObject,
  type MediaSource,
} from "../../canonical/mod.ts";
import { unsupportedMedia } from "../error.ts";
import { objectOf, objectsOf, restOf, saysNothing, textOf, textOrNothing } from "../wire_value.ts";
import { decodeCache, encodeCache } from "./cache.ts";
import { format, keep, ownFields } from "./native.ts";
import type { RequestContext } from "./request_context.ts";

/** An image; undefined if only this format has its kind of source. */
export function decodeImage(block: JsonObject): ImagePart | undefined {
  const wire = objectOf(block.source);
  const source = decodeSource(wire);
  if (!source) return undefined;
  const mediaType = textOrNothing(wire.media_type);
  return {
    type: "image",
    source,
    ...(mediaType !== undefined && { mediaType }),
    ...decodeCache(block.cache_control),
    ...keep({ ...restOf(block, ["type", "source", "cache_control"]), ...sourceRest(wire) }),
  };
}

/** A document; undefined if its source is not plain text, or is of an unknown kind. */
export function decodeDocument(block: JsonObject): FilePart | undefined {
  const wire = objectOf(block.source);
  const source = wire.type === "content" ? textSource(wire.content) : decodeSource(wire);
  if (!source) return undefined;
  const mediaType = textOrNothing(wire.media_type) ?? mediaTypes.get(textOf(wire.type));
  const name = textOrNothing(block.title);
  return {
    type: "file",
    source,
    ...(mediaType !== undefined && { mediaType }),
    ...(name !== undefined && { name }),
    ...decodeCache(block.cache_control),
    ...keep({
      ...restOf(block, ["type", "source", "title", "cache_control"]),
      ...(wire.type === "content" ? { source: wire } : sourceRest(wire)),
    }),
  };
}

/** Throws `unsupported_parameter` if the format has no place for the image. */
export function encodeImage(part: ImagePart, path: string, context: RequestContext): JsonObject {
  const { notes } = context;
  if (part.detail !== undefined && part.detail !== "auto") {
    notes.add("imageDetail", `${path}.detail`);
  }
  notes.foreign(part.native, `${path}.native`);
  return {
    ...restOf(ownFields(part) ?? {}, ["source"]),
    type: "image",
    source: ownFields(part)?.source ?? imageSource(part, path),
    ...encodeCache(part.cache, path, context),
  };
}

/**
 * Throws `unsupported_parameter` if the format has no place for the file. Images are sent as
 * images, whatever the caller called them.
 */
export function encodeFile(part: FilePart, path: string, context: RequestContext): JsonObject {
  const { source, mediaType, name } = part;
  if (imageTypes.has(mediaType ?? "") && !ownFields(part)) {
    return encodeImage({ ...part, type: "image" }, path, context);
  }
  context.notes.foreign(part.native, `${path}.native`);
  return {
    ...restOf(ownFields(part) ?? {}, ["source"]),
    type: "document",
    source: ownFields(part)?.source ?? documentSource({ source, mediaType, name }, path),
    ...(name !== undefined && { title: name }),
    ...encodeCache(part.cache, path, context),
  };
}

const imageTypes: ReadonlySet<string> = new Set([
  "image/jpeg",
  "image/png",
  "image/gif",
  "image/webp",
]);

const mediaTypes = new Map([
  ["text", "text/plain"],
  ["content", "text/plain"],
  ["url", "application/pdf"],
]);

function decodeSource(source: JsonObject): MediaSource | undefined {
  switch (source.type) {
    case "base64":
      return { type: "base64", data: textOf(source.data) };
    case "text":
      return { type: "text", text: textOf(source.data) };
    case "url":
      return { type: "url", url: textOf(source.url) };
    case "file":
      return { type: "file-id", id: textOf(source.file_id), format };
    default:
      return undefined;
  }
}

/** Joins a document of blocks into one text, if all of them are text. */
function textSource(content: unknown): MediaSource | undefined {
  if (typeof content === "string") return { type: "text", text: content };
  const blocks = objectsOf(content);
  if (!blocks.every(({ type }) => type === "text")) return undefined;
  return { type: "text", text: blocks.map(({ text }) => textOf(text)).join("\n\n") };
}

/** Members of a source other than the known ones. */
function sourceRest(source: JsonObject): { source?: JsonObject } {
  const rest = restOf(source, ["type", "media_type", "data", "url", "file_id"]);
  return saysNothing(rest) ? {} : { source };
}

type Medium = Pick<FilePart, "source" | "mediaType" | "name">;

function imageSource({ source, mediaType }: Medium, path: string): JsonObject {
  const data = dataOf(source);
  if (data) {
    const type = imageType(mediaType ?? data.mediaType, data.base64);
    if (!imageTypes.has(type)) {
      throw unsupportedMedia(path, `an image of type ${type || "unknown"}`, format);
    }
    return { type: "base64", media_type: type, data: data.base64 };
  }
  return sourceElsewhere(source, path) ?? refuse(path, "an image that is text");
}

function documentSource(medium: Medium, path: string): JsonObject {
  const { source, mediaType, name } = medium;
  if (source.type === "text") return plainText(source.text);
  const data = dataOf(source);
  if (!data) return sourceElsewhere(source, path) ?? refuse(path, "a file without content");
  const type = mediaType ?? data.mediaType ?? typeOfFile(data.base64, name);
  if (type === "application/pdf") {
    return { type: "base64", media_type: "application/pdf", data: data.base64 };
  }
  if (isTextual(type)) return plainText(decodedText(data.base64, path));
  throw unsupportedMedia(path, `a file of type ${type || "unknown"}`, format);
}

function refuse(path: string, what: string): never {
  throw unsupportedMedia(path, what, format);
}

function plainText(data: string): JsonObject {
  return { type: "text", media_type: "text/plain", data };
}

function sourceElsewhere(source: MediaSource, path: string): JsonObject | undefined {
  if (source.type === "url") return { type: "url", url: source.url };
  if (source.type !== "file-id") return undefined;
  if (source.format !== format) {
    throw unsupportedMedia(path, "a file stored by another vendor", format);
  }
  return { type: "file", file_id: source.id };
}

/** The bytes within a source, also in a data URL. */
function dataOf(source: MediaSource): { base64: string; mediaType?: string } | undefined {
  if (source.type === "base64") return { base64: source.data };
  const found = source.type === "url"
    ? /^data:([^;,]*)[^,]*;base64,/.exec(source.url.slice(0, 200))
    : null;
  if (!found || source.type !== "url") return undefined;
  return {
    base64: source.url.slice(found[0].length),
    ...(found[1] && { mediaType: found[1].toLowerCase() }),
  };
}

/** The first base64 characters of the file types that the format accepts. */
const beginnings = [
  ["iVBOR", "image/png"],
  ["/9j/", "image/jpeg"],
  ["R0lGOD", "image/gif"],
  ["UklGR", "image/webp"],
  ["JVBER", "application/pdf"],
] as const;

function imageType(stated: string | undefined, base64: string): string {
  const type = stated?.toLowerCase();
  if (type === "image/jpg") return "image/jpeg";
  if (type && type !== "image/*" && type !== "application/octet-stream") return type;
  return beginningOf(base64) ?? "";
}

function typeOfFile(base64: string, name: string | undefined): string {
  const sniffed = beginningOf(base64);
  if (sniffed) return sniffed;
  return name && /\.(txt|md|csv|json|xml|html?|ya?ml|log|[jt]sx?|py|rs|go)$/i.test(name)
    ? "text/plain"
    : "";
}

function beginningOf(base64: string): string | undefined {
  return beginnings.find(([beginning]) => base64.startsWith(beginning))?.[1];
}

function isTextual(type: string): boolean {
  return /^text\/|[/+](json|xml|yaml|javascript|csv)$/.test(type.split(";")[0]?.trim() ?? "");
}

function decodedText(base64: string, path: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Uint8Array.fromBase64(base64));
  } catch {
    throw unsupportedMedia(path, "a text file that is not base64 of UTF-8", format);
  }
}
