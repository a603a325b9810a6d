import { concatenated, noBytes } from "../../bytes.ts";
import type { GatewayError } from "../../canonical/mod.ts";
import type { Codec } from "../../formats/codec.ts";
import type { Framing, SentEvents, ServerSentEvent } from "../../formats/wire.ts";
import { encodedText } from "../body/slab.ts";
import type { Call } from "../call.ts";
import { errorCodecOf } from "../errors.ts";
import { type SseFrame, sseKeepAlive, sseText } from "./sse.ts";

/** Writes events as text or bytes. */
export interface Framer {
  text(event: ServerSentEvent): string;
  frame(event: ServerSentEvent): Uint8Array;
  /** The bytes of an upstream's frame, unchanged for the same framing. */
  pass(frame: SseFrame): Uint8Array;
  close(): Uint8Array;
}

/** A framer for one stream; `begun`: true if events of it were sent already. */
export function framerOf(framing: Framing, begun = false): Framer {
  return framing === "sse" ? sseFramer : jsonArrayFramer(begun);
}

const sseFramer: Framer = {
  text: sseText,
  frame: (event) => encodedText(sseText(event)),
  pass: ({ bytes }) => bytes,
  close: () => noBytes,
};

/** A JSON array that grows: `[{…},\n{…}]`. */
function jsonArrayFramer(begun: boolean): Framer {
  let opened = begun;
  const text = ({ data }: ServerSentEvent) => {
    const lead = opened ? ",\n" : "[";
    opened = true;
    return lead + data;
  };
  const frame = (event: ServerSentEvent) => encodedText(text(event));
  return {
    text,
    frame,
    pass: ({ event }) => frame(event),
    close: () => encodedText(opened ? "]" : "[]"),
  };
}

/** The error of a call in the form of its stream; `sent`: the events before it, as far as known. */
export function errorForm(
  call: Call,
  error: GatewayError,
  framing: Framing,
  { begun = false, sent }: { readonly begun?: boolean; readonly sent?: SentEvents } = {},
): Uint8Array {
  const framer = framerOf(framing, begun);
  const events = errorCodecOf(call).encodeStreamError(error, call.id, sent);
  return concatenated([...events.map((event) => framer.frame(event)), framer.close()]);
}

/** The keep-alives of one stream, sent while the upstream is silent. */
export interface SignsOfLife {
  next(): Uint8Array;
  /** The bytes of the stream as they follow the keep-alives: whole events, or keep-alives of an inner stream. */
  continuedBy(bytes: Uint8Array): Uint8Array;
  /** The bytes that a clean close needs after the keep-alives; usually none. */
  end(): Uint8Array;
}

/** Keep-alives before an answer starts, when the format's own would be too early. */
export function earlySigns({ takesComments }: Codec, framing: Framing): SignsOfLife {
  if (framing === "json-array") return apartFromEvents(jsonSpace);
  return takesComments === false ? new GrowingLine() : apartFromEvents(comment);
}

/** Keep-alives between an answer's events; undefined if its framing allows none. */
export function signsOfLife(codec: Codec, framing: Framing | object): SignsOfLife | undefined {
  if (typeof framing !== "string") return undefined;
  return framing === "sse" && codec.keepAlive
    ? apartFromEvents(encodedText(codec.keepAlive))
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

/** A repeated keep-alive that is complete in itself. */
function apartFromEvents(sign: Uint8Array): SignsOfLife {
  return { next: () => sign, continuedBy: (bytes) => bytes, end: () => noBytes };
}

/**
 * For clients that fail on comments: opens a data line and extends it with spaces. The next event
 * continues the line, and JSON ignores leading spaces. Events of such a format have no names, so
 * only the data line matters.
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

  /** Completes the open line with an empty object: no client can parse an empty line of data. */
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

/**
 * The bytes after the first `data:` at the start of a line, without what precedes it: comments,
 * other fields, a byte-order mark.
 */
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
