import type { AudioPart, FilePart, ImagePart, MediaSource, VideoPart } from "../canonical/mod.ts";

/** Pixels per token, after scaling an image to at most 1568 pixels a side. */
const pixelsPerToken = 750;
const imageSideMax = 1568;
/** Maximum tokens of an image. */
export const imageTokensMax = 1600;
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

/** Pixels of an image. */
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
