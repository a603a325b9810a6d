import { Buffer } from "node:buffer";
import { crc32 } from "node:zlib";
import { lenientText } from "../../bytes.ts";
import { GatewayError } from "../../canonical/mod.ts";
import { truncated } from "../../http/stream/transcoder.ts";

/** A message of an `application/vnd.amazon.eventstream` body. */
export interface EventFrame {
  /** Only texts: no header of another type means anything to the gateway. */
  readonly headers: Readonly<Record<string, string>>;
  readonly payload: Uint8Array;
}

/** The lengths of a frame and of its headers, and the checksum of both. */
const preludeBytes = 12;
const checksumBytes = 4;
const emptyBytes = preludeBytes + checksumBytes;
/** AWS's own limit of a frame. */
const frameBytesMax = 16 * 1024 * 1024;

/**
 * Reads frames from chunks that are cut anywhere. Both checksums of a frame are checked before it
 * is returned. Throws `upstream_invalid_response` for damaged or too long frames.
 */
export class FrameReader {
  #waiting: Uint8Array[] = [];
  #length = 0;
  readonly #bytesMax: number;

  constructor(bytesMax: number = frameBytesMax) {
    this.#bytesMax = Math.min(bytesMax, frameBytesMax);
  }

  push(chunk: Uint8Array): readonly EventFrame[] {
    this.#waiting.push(chunk.slice()); // the source may use its buffer again
    this.#length += chunk.length;
    const frames: EventFrame[] = [];
    for (let bytes = this.#nextFrame(); bytes; bytes = this.#nextFrame()) {
      frames.push(frameOf(bytes));
    }
    return frames;
  }

  /** The body is over. Throws `upstream_truncated` if that cut a frame. */
  end(): void {
    if (this.#length > 0) throw truncated();
  }

  /** The bytes of the next frame; undefined until it has arrived. */
  #nextFrame(): Uint8Array | undefined {
    if (this.#length < preludeBytes) return undefined;
    if ((this.#waiting[0]?.length ?? 0) < preludeBytes) this.#join();
    const [first = noBytes] = this.#waiting;
    const total = totalLength(first, this.#bytesMax);
    if (this.#length < total) return undefined;
    if (first.length < total) this.#join();
    const [bytes = noBytes] = this.#waiting;
    this.#waiting[0] = bytes.subarray(total);
    this.#length -= total;
    return bytes.subarray(0, total);
  }

  #join(): void {
    this.#waiting = [Buffer.concat(this.#waiting)];
  }
}

const noBytes = new Uint8Array();

/** The length of a frame whose prelude is whole. The lengths are believed only with their checksum. */
function totalLength(bytes: Uint8Array, bytesMax: number): number {
  const view = viewOf(bytes);
  if (view.getUint32(8) !== crc32(bytes.subarray(0, 8))) throw damaged("a checksum is wrong");
  const total = view.getUint32(0);
  const headers = view.getUint32(4);
  if (total > bytesMax) throw damaged(`an event is longer than ${bytesMax} bytes`);
  if (total < emptyBytes + headers) throw damaged("an event is shorter than its headers");
  return total;
}

function frameOf(bytes: Uint8Array): EventFrame {
  const view = viewOf(bytes);
  const end = bytes.length - checksumBytes;
  if (view.getUint32(end) !== crc32(bytes.subarray(0, end))) throw damaged("a checksum is wrong");
  const payloadAt = preludeBytes + view.getUint32(4);
  return {
    headers: headersIn(bytes.subarray(preludeBytes, payloadAt)),
    payload: bytes.subarray(payloadAt, end),
  };
}

/** The lengths of the values of fixed length, by the number of their type. */
const fixedBytes = new Map([[0, 0], [1, 0], [2, 1], [3, 2], [4, 4], [5, 8], [8, 8], [9, 16]]);
const textType = 7;

function headersIn(bytes: Uint8Array): Record<string, string> {
  const headers: Record<string, string> = {};
  const view = viewOf(bytes);
  try {
    for (let at = 0; at < bytes.length;) {
      const typeAt = at + 1 + view.getUint8(at);
      const type = view.getUint8(typeAt);
      const fixed = fixedBytes.get(type);
      const valueAt = typeAt + (fixed === undefined ? 3 : 1);
      const end = valueAt + (fixed ?? view.getUint16(typeAt + 1));
      if (end > bytes.length) throw new RangeError("The value is cut");
      const name = lenientText(bytes.subarray(at + 1, typeAt));
      if (type === textType) headers[name] = lenientText(bytes.subarray(valueAt, end));
      at = end;
    }
  } catch (cause) {
    throw damaged("the headers of an event are cut", cause);
  }
  return headers;
}

function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}

/** The error of a stream that is not what it seems. */
export function damaged(problem: string, cause?: unknown): GatewayError {
  return new GatewayError(
    "upstream_invalid_response",
    `Cannot read the upstream's event stream: ${problem}`,
    { cause },
  );
}
