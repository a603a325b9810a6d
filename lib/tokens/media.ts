import type { AudioPart, FilePart, ImagePart, MediaSource, VideoPart } from "../canonical/mod.ts";
import { type ImageSize, imageSize } from "./image_size.ts";

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
