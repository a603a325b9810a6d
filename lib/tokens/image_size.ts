/** Pixels of an image. */
export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

/** A JPEG states its size after its metadata; beyond this limit the size counts as unknown. */
const headerBase64CharsMax = 256 * 1024;

/** The size in the header of a PNG, GIF, WebP or JPEG; undefined for anything else. */
export function imageSize(base64: string): ImageSize | undefined {
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
