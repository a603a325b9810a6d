import {
  type AudioPart,
  type FilePart,
  type ImagePart,
  isJsonObject,
  type JsonObject,
  type MediaSource,
  type VideoPart,
} from "../../canonical/mod.ts";
import { unsupported } from "../error.ts";
import { defined, objectOf, textOf, textOrNothing } from "../wire_value.ts";
import { cacheMembers } from "./cache.ts";
import { extraMembers, format, keep, linkedFile, mark, ownFields } from "./native.ts";

const details = ["low", "high", "auto", "original"] as const;
const audioMembers = new Set(["data", "format"]);
const fileMembers = new Set(["file_id", "file_data", "filename"]);

export function decodeImage(wire: JsonObject): ImagePart {
  const image = typeof wire.image_url === "string" ? { url: wire.image_url } : wire.image_url;
  const { url, detail, ...rest } = objectOf(image);
  const known = details.find((name) => name === detail);
  const unknown = known ? rest : { ...rest, ...(detail !== undefined && { detail }) };
  return {
    type: "image",
    ...sourceOf(textOf(url)),
    ...(known && { detail: known }),
    ...keep(extraMembers(unknown, new Set())),
  };
}

export function encodeImage(part: ImagePart, path: string): JsonObject {
  const url = urlOf(part.source, part.mediaType ?? "image/png");
  if (url === undefined) throw unsupported(path, "is an image that only its vendor can read");
  return {
    type: "image_url",
    image_url: defined({ ...ownFields(part), url, detail: part.detail }),
  };
}

/** Video by address or as data; only routers of this format have it. */
export function decodeVideo(wire: JsonObject): VideoPart {
  return { type: "video", ...sourceOf(textOf(objectOf(wire.video_url).url)), ...mark({}) };
}

export function encodeVideo(part: VideoPart, path: string): JsonObject {
  const url = urlOf(part.source, part.mediaType ?? "video/mp4");
  if (!ownFields(part) || url === undefined) {
    throw unsupported(path, "is a video, which the chat-completions format does not accept");
  }
  return { type: "video_url", video_url: { url } };
}

const audioTypes = new Map([["wav", "audio/wav"], ["mp3", "audio/mpeg"]]);
const audioFormats = new Map([
  ["audio/wav", "wav"],
  ["audio/x-wav", "wav"],
  ["audio/wave", "wav"],
  ["audio/mpeg", "mp3"],
  ["audio/mp3", "mp3"],
]);

export function decodeAudio(wire: JsonObject): AudioPart {
  const audio = objectOf(wire.input_audio);
  const name = textOf(audio.format);
  return {
    type: "audio",
    source: { type: "base64", data: textOf(audio.data) },
    mediaType: audioTypes.get(name) ?? `audio/${name}`,
    ...keep({
      ...extraMembers(audio, audioMembers),
      ...(!audioTypes.has(name) && { format: name }),
    }),
  };
}

export function encodeAudio(part: AudioPart, path: string): JsonObject {
  const own = ownFields(part);
  const name = own?.format ?? audioFormats.get(part.mediaType?.split(";")[0] ?? "");
  if (part.source.type !== "base64" || name === undefined) {
    throw unsupported(
      path,
      "is audio, which the chat-completions format accepts only as WAV or MP3",
    );
  }
  return { type: "input_audio", input_audio: { ...own, data: part.source.data, format: name } };
}

/**
 * `file_data` is a data URL; some routers also accept an address or bare base64. Mistral states the
 * id beside the part's type (2026-11): that part is kept whole for upstreams of this format.
 */
export function decodeFile(wire: JsonObject): FilePart {
  const stored = textOrNothing(wire.file_id);
  if (stored !== undefined && !isJsonObject(wire.file)) {
    const source = { type: "file-id", id: stored, format } as const;
    return {
      type: "file",
      source,
      ...mark({ [linkedFile]: extraMembers(wire, new Set(cacheMembers)) }),
    };
  }
  const file = objectOf(wire.file);
  const id = textOrNothing(file.file_id);
  const name = textOrNothing(file.filename);
  const source = id === undefined ? fileSource(textOf(file.file_data)) : {
    source: { type: "file-id", id, format } as const,
  };
  return {
    type: "file",
    ...source,
    ...(name !== undefined && { name }),
    ...mark(extraMembers(file, fileMembers)),
  };
}

/**
 * A document by address in the parts of Mistral (`document_url`) and Perplexity (`file_url`, also
 * with bare base64; 2026-11). The part is kept whole for upstreams of this format.
 */
export function decodeLinkedFile(wire: JsonObject): FilePart {
  const stated = wire[textOf(wire.type)];
  const url = typeof stated === "string" ? stated : textOf(objectOf(stated).url);
  const name = textOrNothing(wire.document_name) ?? textOrNothing(wire.file_name);
  return {
    type: "file",
    ...(url.startsWith(pdfBeginning) && { mediaType: "application/pdf" }),
    ...fileSource(url),
    ...(name !== undefined && { name }),
    ...mark({ [linkedFile]: extraMembers(wire, new Set(cacheMembers)) }),
  };
}

/** The first base64 characters of every PDF. */
const pdfBeginning = "JVBER";

export function encodeFile(part: FilePart, path: string): JsonObject {
  const { source, mediaType, name } = part;
  const own = ownFields(part);
  if (isJsonObject(own?.[linkedFile])) return own[linkedFile];
  if (source.type === "file-id") {
    return {
      type: "file",
      file: defined({ ...own, file_id: fileId(source, path), filename: name }),
    };
  }
  return {
    type: "file",
    file: defined({
      ...own,
      file_data: fileData(part, path),
      filename: name ?? (own ? undefined : defaultName(mediaType)),
    }),
  };
}

/** The text of a plain-text file, which this format's vendor refuses as a file. */
export function plainTextOf({ source, mediaType }: FilePart): string | undefined {
  if (source.type === "text") return source.text;
  if (source.type !== "base64" || !mediaType?.startsWith("text/")) return undefined;
  try {
    return new TextDecoder().decode(Uint8Array.fromBase64(source.data));
  } catch {
    return undefined;
  }
}

/** Images of an answer, in the member that routers of this format use. */
export function decodeImages(images: unknown): ImagePart[] {
  if (!Array.isArray(images)) return [];
  return images.filter((image) => isJsonObject(image) && isJsonObject(image.image_url))
    .map(decodeImage).map((image) => ({ ...image, ...mark(objectOf(image.native?.fields)) }));
}

function fileData({ source, mediaType, native }: FilePart, path: string): string {
  const own = ownFields({ native });
  if (source.type === "base64") {
    return own && mediaType === undefined
      ? source.data
      : dataUrl(mediaType ?? "application/pdf", source.data);
  }
  if (source.type === "url" && own) return source.url;
  throw unsupported(path, "is a file by URL. Send its content as base64 instead");
}

/** Chat completions and responses share the vendor's file storage. */
function fileId({ id, format: issuer }: MediaSource & { type: "file-id" }, path: string): string {
  if (issuer === format || issuer === "responses") return id;
  throw unsupported(path, "is a file stored by another vendor. Send its content instead");
}

function defaultName(mediaType: string | undefined): string {
  return mediaType === undefined || mediaType === "application/pdf" ? "document.pdf" : "document";
}

function fileSource(data: string): { source: MediaSource; mediaType?: string } {
  if (data.startsWith("data:") || /^https?:/i.test(data)) return sourceOf(data);
  return { source: { type: "base64", data } };
}

const dataPrefix = /^data:([^;,]{0,255})(?:;[^;,]{0,255}){0,8}?;base64,/i;

function sourceOf(url: string): { source: MediaSource; mediaType?: string } {
  const found = dataPrefix.exec(url.slice(0, 1024));
  if (!found) return { source: { type: "url", url } };
  const [prefix, mediaType] = found;
  return {
    source: { type: "base64", data: url.slice(prefix.length) },
    ...(mediaType !== "" && { mediaType }),
  };
}

function urlOf(source: MediaSource, mediaType: string): string | undefined {
  switch (source.type) {
    case "base64":
      return dataUrl(mediaType, source.data);
    case "url":
      return source.url;
    case "text":
    case "file-id":
      return undefined;
    default:
      return source satisfies never;
  }
}

function dataUrl(mediaType: string, data: string): string {
  return `data:${mediaType};base64,${data}`;
}
