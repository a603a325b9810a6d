import {
  type AudioPart,
  type FilePart,
  type ImagePart,
  isJsonObject,
  type JsonObject,
  type MediaSource,
  type VideoPart,
} from "../../canonical/mod.ts";
import { foreignFile } from "../error.ts";
import { defined, isEmpty, objectOf, restOf, textOf } from "../wire_value.ts";
import { format, keep, withOwnFields } from "./native.ts";

type MediaPart = ImagePart | AudioPart | VideoPart | FilePart;

export function isMedia(part: { readonly type: string }): part is MediaPart {
  return ["image", "audio", "video", "file"].includes(part.type);
}

/** Decodes a part with `inlineData` or `fileData`; `rest` holds its other members. */
export function decodeMedia(part: JsonObject, rest: JsonObject): MediaPart {
  return isJsonObject(part.inlineData)
    ? decodeInline(part.inlineData, rest)
    : decodeFile(objectOf(part.fileData), rest);
}

export function encodeMedia(part: MediaPart, path: string): JsonObject {
  const { source } = part;
  const displayName = part.type === "file" ? part.name : undefined;
  switch (source.type) {
    case "base64": {
      const mimeType = part.mediaType ?? sniffed(source.data) ?? fallbackType[part.type];
      return withOwnFields(
        { inlineData: defined({ mimeType, data: source.data, displayName }) },
        part,
      );
    }
    case "text": {
      const mimeType = part.mediaType ?? "text/plain";
      const data = new TextEncoder().encode(source.text).toBase64();
      return withOwnFields({ inlineData: defined({ mimeType, data, displayName }) }, part);
    }
    case "url": {
      const mimeType = part.mediaType ?? typeOfName(source.url);
      return withOwnFields({
        fileData: defined({ mimeType, fileUri: source.url, displayName }),
      }, part);
    }
    case "file-id":
      if (source.format !== format) throw foreignFile(path);
      return withOwnFields({
        fileData: defined({ mimeType: part.mediaType, fileUri: source.id, displayName }),
      }, part);
    default:
      return source satisfies never;
  }
}

function decodeInline(inline: JsonObject, rest: JsonObject): MediaPart {
  const source: MediaSource = { type: "base64", data: standardBase64(textOf(inline.data)) };
  const mediaType = textOf(inline.mimeType);
  const others = restOf(inline, ["data", "mimeType"]);
  return mediaPart(partTypeOf(mediaType), {
    source,
    mediaType,
    others,
    holder: "inlineData",
    rest,
  });
}

function decodeFile(file: JsonObject, rest: JsonObject): MediaPart {
  const uri = textOf(file.fileUri);
  const mediaType = textOf(file.mimeType);
  const source: MediaSource = isVendorFile(uri)
    ? { type: "file-id", id: uri, format }
    : { type: "url", url: uri };
  const kind = isVideoPage(uri) ? "video" : partTypeOf(mediaType || (typeOfName(uri) ?? ""));
  const others = restOf(file, ["fileUri", "mimeType"]);
  return mediaPart(kind, { source, mediaType, others, holder: "fileData", rest });
}

interface MediaFields {
  readonly source: MediaSource;
  readonly mediaType: string;
  /** Members beside the data. */
  readonly others: JsonObject;
  readonly holder: "inlineData" | "fileData";
  readonly rest: JsonObject;
}

function mediaPart(type: MediaPart["type"], fields: MediaFields): MediaPart {
  const { displayName, ...others } = fields.others;
  const named = type === "file" && typeof displayName === "string";
  const kept = named ? others : fields.others;
  return {
    type,
    source: fields.source,
    ...(fields.mediaType !== "" && { mediaType: fields.mediaType }),
    ...(named && { name: displayName }),
    ...keep({ ...fields.rest, ...(!isEmpty(kept) && { [fields.holder]: kept }) }),
  };
}

function partTypeOf(mediaType: string): MediaPart["type"] {
  const main = mediaType.slice(0, mediaType.indexOf("/"));
  return main === "image" || main === "audio" || main === "video" ? main : "file";
}

/** Proto3 JSON accepts URL-safe base64, too; other vendors do not. */
function standardBase64(data: string): string {
  if (!/[-_]/.test(data) && data.length % 4 === 0) return data;
  const standard = data.replaceAll("-", "+").replaceAll("_", "/");
  return standard.padEnd(Math.ceil(standard.length / 4) * 4, "=");
}

/** Returns true for files in the vendor's own storage, which no other vendor can read. */
function isVendorFile(uri: string): boolean {
  return uri.startsWith("gs://") || uri.startsWith("files/") ||
    /^https:\/\/generativelanguage\.googleapis\.com\/[^/]+\/files\//.test(uri);
}

function isVideoPage(uri: string): boolean {
  return /^https?:\/\/(?:www\.|m\.)?(?:youtube\.com|youtu\.be)\//.test(uri);
}

/** The first base64 characters of known file types. */
const beginnings: readonly (readonly [string, string])[] = [
  ["iVBOR", "image/png"],
  ["/9j/", "image/jpeg"],
  ["R0lGOD", "image/gif"],
  ["UklGR", "image/webp"],
  ["JVBERi", "application/pdf"],
];

function sniffed(base64: string): string | undefined {
  return beginnings.find(([beginning]) => base64.startsWith(beginning))?.[1];
}

const fallbackType = {
  image: "image/png",
  audio: "audio/wav",
  video: "video/mp4",
  file: "text/plain",
} as const satisfies Record<MediaPart["type"], string>;

const typeOfEnding: ReadonlyMap<string, string> = new Map([
  ["png", "image/png"],
  ["jpg", "image/jpeg"],
  ["jpeg", "image/jpeg"],
  ["gif", "image/gif"],
  ["webp", "image/webp"],
  ["heic", "image/heic"],
  ["pdf", "application/pdf"],
  ["mp3", "audio/mp3"],
  ["wav", "audio/wav"],
  ["mp4", "video/mp4"],
  ["webm", "video/webm"],
  ["mov", "video/quicktime"],
]);

function typeOfName(name: string): string | undefined {
  const path = name.split(/[?#]/, 1)[0];
  return typeOfEnding.get(path.slice(path.lastIndexOf(".") + 1).toLowerCase());
}
