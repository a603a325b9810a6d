import {
  type AudioPart,
  type FilePart,
  type ImagePart,
  type JsonObject,
  type MediaSource,
} from "../../canonical/mod.ts";
import { foreignFile, unsupportedMedia } from "../error.ts";
import { objectOf, restOf, textOf, textOrNothing } from "../wire_value.ts";
import { decodeCache } from "./cache.ts";
import { format, mark, ownFields, ownInput } from "./native.ts";

export function decodeImage(part: JsonObject): ImagePart {
  const { detail } = part;
  const known = detail === "low" || detail === "high" || detail === "auto" || detail === "original";
  const url = textOrNothing(part.image_url);
  return {
    type: "image",
    ...sourceOf(url, textOf(part.file_id)),
    ...(known && { detail }),
    ...decodeCache(part),
    ...mark(restOf(part, [
      "type",
      "prompt_cache_breakpoint",
      ...(known ? ["detail"] : []),
      ...(url === undefined ? ["file_id"] : ["image_url"]),
    ])),
  };
}

export function encodeImage(part: ImagePart, path: string): JsonObject {
  const own = ownFields(part);
  return {
    ...ownInput(part),
    type: "input_image",
    ...(part.source.type === "file-id"
      ? { file_id: fileId(part.source, path) }
      : { image_url: urlOf(part.source, part.mediaType ?? "image/png") }),
    ...(part.detail ? { detail: part.detail } : own ? {} : { detail: "auto" }),
  };
}

export function decodeFile(part: JsonObject): FilePart {
  const data = textOrNothing(part.file_data);
  const url = textOrNothing(part.file_url);
  const name = textOrNothing(part.filename);
  return {
    type: "file",
    ...(data !== undefined ? dataOf(data) : sourceOf(url, textOf(part.file_id))),
    ...(name !== undefined && { name }),
    ...decodeCache(part),
    ...mark(restOf(part, [
      "type",
      "prompt_cache_breakpoint",
      "filename",
      data !== undefined ? "file_data" : url !== undefined ? "file_url" : "file_id",
    ])),
  };
}

export function encodeFile(part: FilePart, path: string): JsonObject {
  const { source, mediaType, name } = part;
  return {
    ...ownInput(part),
    type: "input_file",
    ...(source.type === "file-id"
      ? { file_id: fileId(source, path) }
      : source.type === "url"
      ? { file_url: source.url }
      : { file_data: fileData(source, mediaType) }),
    ...(name !== undefined ? { filename: name } : defaultName(part)),
  };
}

/** The vendor requires a name for file bytes. */
function defaultName({ source, mediaType, native }: FilePart): JsonObject {
  if (native?.format === format || source.type === "url" || source.type === "file-id") return {};
  const plain = source.type === "text" || mediaType?.startsWith("text/");
  return { filename: plain ? "document.txt" : "document.pdf" };
}

function fileData(
  source: Extract<MediaSource, { type: "base64" | "text" }>,
  mediaType: string | undefined,
): string {
  // A file without a media type arrived as bare base64.
  if (source.type === "base64" && mediaType === undefined) return source.data;
  return urlOf(source, mediaType ?? "text/plain");
}

export function decodeAudio(part: JsonObject): AudioPart {
  const audio = objectOf(part.input_audio);
  return {
    type: "audio",
    source: { type: "base64", data: textOf(audio.data) },
    mediaType: `audio/${textOf(audio.format)}`,
    ...mark(restOf(part, ["type", "input_audio"])),
  };
}

export function encodeAudio(part: AudioPart, path: string): JsonObject {
  const own = ownFields(part);
  if (!own || part.source.type !== "base64") throw unsupportedMedia(path, "audio", format);
  const { data } = part.source;
  return {
    ...own,
    type: "input_audio",
    input_audio: { data, format: (part.mediaType ?? "").replace(/^audio\//, "") },
  };
}

function sourceOf(
  url: string | undefined,
  id: string,
): { source: MediaSource; mediaType?: string } {
  if (url === undefined) return { source: { type: "file-id", id, format } };
  return url.startsWith("data:") ? dataOf(url) : { source: { type: "url", url } };
}

const dataUrl = /^data:([^,]{1,200}?);base64,/;

/** A data URL in base64, or bare base64; a data URL in another encoding stays an address. */
function dataOf(text: string): { source: MediaSource; mediaType?: string } {
  const head = dataUrl.exec(text.slice(0, 256));
  if (head) {
    return {
      source: { type: "base64", data: text.slice(head[0].length) },
      mediaType: head[1],
    };
  }
  if (text.startsWith("data:")) return { source: { type: "url", url: text } };
  return { source: { type: "base64", data: text } };
}

function urlOf(source: Exclude<MediaSource, { type: "file-id" }>, mediaType: string): string {
  switch (source.type) {
    case "url":
      return source.url;
    case "base64":
      return `data:${mediaType};base64,${source.data}`;
    case "text":
      return `data:${mediaType};base64,${new TextEncoder().encode(source.text).toBase64()}`;
    default:
      return source satisfies never;
  }
}

/** File ids belong to the vendor that stores the files; chat-completions and responses share a vendor. */
function fileId({ id, format: issuer }: Extract<MediaSource, { type: "file-id" }>, path: string) {
  if (issuer === format || issuer === "chat-completions") return id;
  throw foreignFile(path);
}
