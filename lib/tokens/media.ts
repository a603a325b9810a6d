import type {
  AudioPart,
  FilePart,
  ImagePart,
  JsonObject,
  MediaSource,
  VideoPart,
} from "../canonical/mod.ts";

/** Pixels per token, after scaling an image to at most 1568 pixels a side. */
const pixelsPerToken = 750;
const imageSideMax = 1568;
const imageTokensMax = 1600;
const lowDetailTokens = 85;
/** Tokens of an image of unknown size, about a megapixel. */
const unknownImageTokens = 1100;

const bytesPerToken = { audio: 1000, video: 1000, text: 4, file: 32 } as const;
/** Tokens of a remote medium, whose bytes are unknown. */
const remoteTokens = 1000;

export function imageTokens({ source, detail }: ImagePart): number {
  if (detail === "low") return lowDetailTokens;
  const size = source.type === "base64" ? imageSize(source.data) : undefined;
  return size ? scaledImageTokens(size) : unknownImageTokens;
}

/** Tokens of a medium other than an image, by its bytes; the caller counts text inside. */
export function mediaTokens({ type, source, mediaType }: AudioPart | VideoPart | FilePart): number {
  if (source.type !== "base64") return source.type === "text" ? 0 : remoteTokens;
  const kind = type === "file" && isText(mediaType) ? "text" : type;
  return Math.ceil(base64Bytes(source.data) / bytesPerToken[kind]);
}

/** Bytes within the request itself; undefined for a remote medium. */
export function mediaBytes(source: MediaSource): number | undefined {
  switch (source.type) {
    case "base64":
      return base64Bytes(source.data);
    case "text":
      return new TextEncoder().encode(source.text).length;
    case "url":
    case "file-id":
      return undefined;
    default:
      return source satisfies never;
  }
}

function scaledImageTokens({ width, height }: ImageSize): number {
  const scale = Math.min(1, imageSideMax / Math.max(width, height));
  const tokens = Math.ceil(width * scale * height * scale / pixelsPerToken);
  return Math.min(imageTokensMax, Math.max(1, tokens));
}

function isText(mediaType = ""): boolean {
  return mediaType.startsWith("text/") ||
    /^application\/([\w.-]+\+)?(json|xml|yaml)/.test(mediaType);
}

function base64Bytes(data: string): number {
  const padding = data.endsWith("==") ? 2 : data.endsWith("=") ? 1 : 0;
  return Math.max(0, Math.floor(data.length * 3 / 4) - padding);
}

interface ImageSize {
  readonly width: number;
  readonly height: number;
}

/** A JPEG states its size after its metadata; beyond this limit the size counts as unknown. */
const headerBase64CharsMax = 256 * 1024;

/** The size in the header of a PNG, GIF, WebP or JPEG; undefined for anything else. */
function imageSize(base64: string): ImageSize | undefined {
  const bytes = headerBytes(base64);
  if (!bytes) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const read = readers.find(({ signature, at }) =>
    ascii(bytes, at, signature.length) === signature
  );
  const size = read?.size(view, bytes);
  return size && size.width > 0 && size.height > 0 ? size : undefined;
}

interface Reader {
  readonly signature: string;
  readonly at: number;
  size(view: DataView, bytes: Uint8Array): ImageSize | undefined;
}

const readers: readonly Reader[] = [
  { signature: "\x89PNG\r\n\x1a\n", at: 0, size: pngSize },
  { signature: "GIF8", at: 0, size: gifSize },
  { signature: "WEBP", at: 8, size: webpSize },
  { signature: "\xff\xd8\xff", at: 0, size: jpegSize },
];

function headerBytes(base64: string): Uint8Array | undefined {
  const head = base64.slice(0, headerBase64CharsMax);
  const whole = head.slice(0, head.length - head.length % 4);
  try {
    return Uint8Array.fromBase64(whole);
  } catch {
    return undefined;
  }
}

function ascii(bytes: Uint8Array, start: number, length: number): string {
  return String.fromCharCode(...bytes.subarray(start, start + length));
}

function pngSize(view: DataView): ImageSize | undefined {
  if (view.byteLength < 24) return undefined;
  return { width: view.getUint32(16), height: view.getUint32(20) };
}

function gifSize(view: DataView): ImageSize | undefined {
  if (view.byteLength < 10) return undefined;
  return { width: view.getUint16(6, true), height: view.getUint16(8, true) };
}

/** A WebP is lossy (`VP8 `), lossless (`VP8L`) or extended (`VP8X`), each with its own header. */
function webpSize(view: DataView, bytes: Uint8Array): ImageSize | undefined {
  if (view.byteLength < 30) return undefined;
  switch (ascii(bytes, 12, 4)) {
    case "VP8 ":
      return {
        width: view.getUint16(26, true) & 0x3fff,
        height: view.getUint16(28, true) & 0x3fff,
      };
    case "VP8L": {
      const bits = view.getUint32(21, true);
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
    }
    case "VP8X":
      return { width: uint24(view, 24) + 1, height: uint24(view, 27) + 1 };
    default:
      return undefined;
  }
}

function uint24(view: DataView, at: number): number {
  return view.getUint16(at, true) | view.getUint8(at + 2) << 16;
}

/** Walks the segments to the frame header: markers C0 to CF but for C4, C8 and CC. */
function jpegSize(view: DataView): ImageSize | undefined {
  let at = 2;
  while (at + 9 <= view.byteLength && view.getUint8(at) === 0xff) {
    const marker = view.getUint8(at + 1);
    if (isFrameHeader(marker)) {
      return { width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
    }
    at += marker === 0xff ? 1 : 2 + view.getUint16(at + 2);
  }
  return undefined;
}

function isFrameHeader(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
}

type MediumKind = "image" | "audio" | "video" | "file";

/** Members that contain a medium or its address, by their own name or, for `url`, by their object's. */
const mediumOfMember: ReadonlyMap<string, MediumKind> = new Map([
  ["image_url", "image"],
  ["video_url", "video"],
  ["file_url", "file"],
  ["file_data", "file"],
  ["fileUri", "file"],
  ["file_uri", "file"],
]);

/** A remote medium costs as much as a large image, because its size is unknown. */
const elsewhereTokens = imageTokensMax;

/**
 * The tokens of a member that no model reads as text: a medium, or a vendor's own reasoning;
 * undefined for a text.
 */
export function nonTextTokens(
  name: string,
  owner: JsonObject,
  ownerName: string,
): number | undefined {
  const value = nonTextMembers.has(name) ? owner[name] : undefined;
  if (typeof value !== "string") return undefined;
  return mediumTokens(name, owner, ownerName) ?? proofTokens(name, value, owner);
}

/** The tokens of a medium in a member of a request; undefined for a text. */
export function mediumTokens(
  name: string,
  owner: JsonObject,
  ownerName: string,
): number | undefined {
  const value = owner[name];
  if (typeof value !== "string") return undefined;
  if (name === "data") return dataTokens(value, owner, ownerName);
  if (name === "file_id" && (ownerName === "file" || typeof owner.type === "string")) {
    return elsewhereTokens;
  }
  if (name === "url" && owner.type === "url") return elsewhereTokens;
  const kind = mediumOfMember.get(name === "url" ? ownerName : name);
  return kind && sourceTokens(kind, value);
}

/** Bytes beside their type, as in three formats; a text document is marked as one. */
function dataTokens(data: string, owner: JsonObject, ownerName: string): number | undefined {
  const mediaType = owner.media_type ?? owner.mimeType ?? owner.mime_type;
  if (ownerName === "input_audio") return bytesTokens("audio", data);
  if (typeof mediaType !== "string" || owner.type === "text") return undefined;
  const [kind] = mediaType.split("/");
  return bytesTokens(isMediumKind(kind) ? kind : "file", data, mediaType);
}

function isMediumKind(kind: string): kind is MediumKind {
  return kind === "image" || kind === "audio" || kind === "video";
}

/** A data URL, bare base64 or an address. */
function sourceTokens(kind: MediumKind, source: string): number {
  const comma = source.startsWith("data:") ? source.indexOf(",") : -1;
  if (comma >= 0) {
    const [mediaType] = source.slice("data:".length, comma).split(";", 1);
    return bytesTokens(kind, source.slice(comma + 1), mediaType);
  }
  return Math.max(elsewhereTokens, bytesTokens(kind, source));
}

function bytesTokens(type: MediumKind, data: string, mediaType?: string): number {
  if (type === "image") return imageTokensMax;
  const source = { type: "base64", data } as const;
  return mediaTokens({ type, source, ...(mediaType && { mediaType }) });
}

const proofMembers = new Set([
  "signature",
  "thoughtSignature",
  "thought_signature",
  "encrypted_content",
]);
const proofTypes: ReadonlySet<unknown> = new Set(["redacted_thinking", "reasoning.encrypted"]);
const proofCharsMin = 64;
/** Sealed reasoning is as long as its content in base64. */
const proofCharsPerToken = 4;

/** A vendor's own reasoning, which it may bill again; undefined for a text. */
export function proofTokens(name: string, value: string, { type }: JsonObject): number | undefined {
  const isProof = proofMembers.has(name) || (name === "data" && proofTypes.has(type));
  if (!isProof || value.length < proofCharsMin || value.includes(" ")) return undefined;
  return value.length / proofCharsPerToken;
}

/** Members that hold a medium or its address as a text, depending on the members beside them. */
const textMembers = ["data", "file_id"];

/** The members that can hold a medium or its address. */
export const mediumMembers: readonly string[] = [...textMembers, "url", ...mediumOfMember.keys()];

/**
 * Each text of a body with a medium matches one of these, and hardly any other does: schemas of
 * tools have members such as `url`, too. Two patterns, because V8 searches for long words faster.
 */
export const mediumPatterns: readonly RegExp[] = [
  new RegExp(
    `"(?:${textMembers.join("|")})"\\s*:\\s*"|"(?:${[...mediumOfMember.keys()].join("|")})"`,
  ),
  /:\s*"url"|\\u00/, // a type, or an escape that may hide a name
];

/** All names that `mediumTokens` and `proofTokens` know, so that one look-up finds a text. */
const nonTextMembers: ReadonlySet<string> = new Set([...mediumMembers, ...proofMembers]);
