import type { Codec } from "../../formats/codec.ts";
import type { Framing } from "../../formats/wire.ts";
import { concatenated, noBytes } from "../body/bytes.ts";
import { sseKeepAlive } from "./sse.ts";

/** The signs of life of one stream, which go out while the upstream is silent. */
export interface SignsOfLife {
  next(): Uint8Array;
  /** Bytes of the stream as they go out behind the signs so far: whole events, or signs of a stream within. */
  continuedBy(bytes: Uint8Array): Uint8Array;
  /** The bytes that a clean close needs behind the signs so far; usually none. */
  end(): Uint8Array;
}

/** Signs before an answer has begun, when a format's own would come too early. */
export function earlySigns({ takesComments }: Codec, framing: Framing): SignsOfLife {
  if (framing === "json-array") return apartFromEvents(jsonSpace);
  return takesComments === false ? new GrowingLine() : apartFromEvents(comment);
}

/** Signs between an answer's events; undefined where its framing has no place for any. */
export function signsOfLife(codec: Codec, framing: Framing | object): SignsOfLife | undefined {
  if (typeof framing !== "string") return undefined;
  return framing === "sse" && codec.keepAlive
    ? apartFromEvents(text.encode(codec.keepAlive))
    : earlySigns(codec, framing);
}

/** Closes a body cleanly. */
export function closeBehindSigns(
  controller: ReadableStreamDefaultController<Uint8Array>,
  signs: SignsOfLife | undefined,
): void {
  const rest = signs?.end() ?? noBytes;
  if (rest.length > 0) controller.enqueue(rest);
  controller.close();
}

/** One sign again and again, which ends where it stands. */
function apartFromEvents(sign: Uint8Array): SignsOfLife {
  return { next: () => sign, continuedBy: (bytes) => bytes, end: () => noBytes };
}

/**
 * For clients that fail on comments: a data line that has begun and grows by spaces. The next event
 * continues it, and JSON ignores the spaces before it. Such a format's events have no names, so the
 * line alone matters of an event.
 */
class GrowingLine implements SignsOfLife {
  #isOpen = false;

  next(): Uint8Array {
    const sign = this.#isOpen ? space : lineStart;
    this.#isOpen = true;
    return sign;
  }

  continuedBy(bytes: Uint8Array): Uint8Array {
    if (!this.#isOpen || bytes.length === 0) return bytes;
    const value = firstDataValue(bytes);
    if (!value) return concatenated([this.end(), bytes]);
    this.#isOpen = false;
    return value.length > 0 ? value : space; // an empty chunk may end a body
  }

  /** No client can read an empty line of data, and each reads an object without members. */
  end(): Uint8Array {
    if (!this.#isOpen) return noBytes;
    this.#isOpen = false;
    return emptyObject;
  }
}

const text = new TextEncoder();
const comment = text.encode(sseKeepAlive);
const jsonSpace = text.encode("\n");
const lineStart = text.encode("data: ");
const space = text.encode(" ");
const emptyObject = text.encode("{}\n\n");
const field = text.encode("data:");
const mark = [0xef, 0xbb, 0xbf];
const lf = 10;
const cr = 13;

/** The bytes behind the first `data:` at the start of a line: comments, other fields and a byte-order mark before it are left out. */
function firstDataValue(bytes: Uint8Array): Uint8Array | undefined {
  let at = mark.every((byte, index) => bytes[index] === byte) ? mark.length : 0;
  while (at < bytes.length) {
    if (field.every((byte, index) => bytes[at + index] === byte)) {
      return bytes.subarray(at + field.length);
    }
    while (at < bytes.length && bytes[at] !== lf && bytes[at] !== cr) at++;
    at++;
  }
  return undefined;
}
