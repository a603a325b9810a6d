import { lenientText } from "../../bytes.ts";
import type { ServerSentEvent } from "../../formats/wire.ts";
import { JsonScan } from "../../json/mod.ts";
import { answerJsonBounds, type StreamLimits } from "./answer.ts";
import { BlockText, eventIn, eventOf, noText } from "./sse_block.ts";

/**
 * One event of a stream with its original bytes, including its closing blank line and preceding
 * blocks without data.
 */
export interface SseFrame {
  readonly bytes: Uint8Array;
  readonly event: ServerSentEvent;
}

const lf = 10;
const cr = 13;
const space = 32;

/**
 * Splits a byte stream into server-sent events (WHATWG HTML, section 9.2). Accepts LF, CRLF and CR,
 * multi-line `data`, comments and a byte-order mark; a character split between two chunks stays
 * whole. Blocks without data, such as keep-alive comments, belong to the next event.
 */
export class SseReader {
  readonly limits: StreamLimits;
  /**
   * The bytes since the last event. May be a view of a longer buffer, to avoid copying small chunks
   * repeatedly.
   */
  #rest: Uint8Array = nothing;
  #buffer: Uint8Array = nothing;
  /** The chunk that is being read, after the bytes since the last event. */
  #bytes: Uint8Array = nothing;
  #text = noText;
  #hasCr = false;
  /** The end of the last event within the chunk. */
  #start = 0;
  /** The position at which the search for a line's end continues, so that no byte is read twice. */
  #at = 0;
  /** The current block: its start, the start of its last line, its number of lines, and whether it has data. */
  #blockStart = 0;
  #lineStart = 0;
  #lines = 0;
  #hasData = false;
  /** The line of a long event, with its data if it is decoded already. */
  #ahead?: { readonly start: number; readonly end: number; readonly data?: string } | undefined;

  constructor(limits: Partial<StreamLimits> = {}) {
    this.limits = { ...ownStreamLimits, ...limits };
  }

  /**
   * The events completed by `chunk`. Throws a `RangeError` for an event over its limit and for a
   * stream without any event, `JsonTooComplex` for an event whose JSON is too complex.
   */
  push(chunk: Uint8Array): SseFrame[] {
    this.feed(chunk);
    const frames: SseFrame[] = [];
    for (let frame: SseFrame | undefined; (frame = this.next());) frames.push(frame);
    return frames;
  }

  /** The data of a long event whose line ends in `chunk`; undefined for nearly all chunks. */
  longData(chunk: Uint8Array): Uint8Array | undefined {
    const { length } = this.#rest;
    const start = this.#lineStart;
    if (length - start < longEventBytes || this.#rest[start] !== d || !isData(this.#rest, start)) {
      return undefined;
    }
    const end = length + lineEndFrom(chunk, 0, chunk.includes(cr));
    if (end === length + chunk.length) return undefined;
    this.#ahead = { start, end };
    const data = this.#joined(chunk).subarray(start + "data:".length, end);
    return data[0] === space ? data.subarray(1) : data;
  }

  /** Keeps the text of `longData`, so that it is not decoded and scanned again. */
  keepData(data: string): void {
    if (this.#ahead) this.#ahead = { ...this.#ahead, data };
  }

  /** Takes a chunk whose events `next` then returns one by one. */
  feed(chunk: Uint8Array): void {
    this.#bytes = this.#rest.length === 0 ? chunk : this.#joined(chunk);
    this.#text = new BlockText(this.#bytes);
    this.#hasCr = this.#text.hasCr(this.#at);
  }

  /** The next event of the chunk; undefined if it has no more. Throws like `push`. */
  next(): SseFrame | undefined {
    const event = this.#nextEvent();
    return event && { bytes: this.#taken(), event };
  }

  /** As `next`, for readers that do not pass the event's bytes on. */
  nextEvent(): ServerSentEvent | undefined {
    const event = this.#nextEvent();
    if (event) this.#taken();
    else this.#start = 0;
    return event;
  }

  #nextEvent(): ServerSentEvent | undefined {
    const bytes = this.#bytes;
    for (;;) {
      const end = lineEndFrom(bytes, this.#at, this.#hasCr);
      const length = end < bytes.length ? lineEndLength(bytes, end) : incomplete;
      if (length === incomplete) return this.#keepRest(end);
      const isBlank = end === this.#lineStart;
      if (!isBlank) this.#noteLine(bytes);
      this.#at = this.#lineStart = end + length;
      if (!isBlank) continue;
      const event = this.#endBlock(this.#text, this.#at);
      this.#blockStart = this.#at;
      if (event) return event;
    }
  }

  /**
   * Takes the bytes of whole events up to the position that `endOf` finds, in a text with a character
   * for each byte; undefined if it finds none, and within an event.
   */
  takeTo(endOf: (text: string, at: number, bytes: Uint8Array) => number): Uint8Array | undefined {
    const at = this.#start;
    if (this.#at !== at || this.#hasCr || at === this.#bytes.length) return undefined;
    const end = endOf(this.#text.byByte(), at, this.#bytes);
    if (end === at) return undefined;
    this.#at = this.#lineStart = this.#blockStart = end;
    return this.#taken();
  }

  /** The bytes since the last event, which end here. */
  #taken(): Uint8Array {
    const [bytes, start, end] = [this.#bytes, this.#start, this.#at];
    this.#start = end;
    if (end - start > longEventBytes) this.#drop(end);
    return start === 0 && end === bytes.length ? bytes : bytes.subarray(start, end);
  }

  /** Leaves a long event, which would be decoded with those after it. */
  #drop(end: number): void {
    this.#bytes = this.#bytes.subarray(end);
    this.#text = new BlockText(this.#bytes);
    this.#buffer = nothing;
    this.#start =
      this.#at =
      this.#lineStart =
      this.#blockStart =
        0;
  }

  /** Keeps an unfinished event for the next chunk; its lines were searched up to `seen`. */
  #keepRest(seen: number): undefined {
    const [bytes, start] = [this.#bytes, this.#start];
    this.#rest = start < bytes.length ? bytes.subarray(start) : nothing; // an empty view would keep its buffer
    if (start > 0) this.#buffer = nothing; // its frames were returned and must not be overwritten
    this.#bytes = nothing;
    this.#text = noText;
    this.#start = 0;
    this.#at = seen - start;
    this.#lineStart -= start;
    this.#blockStart -= start;
    this.#assertBounded();
  }

  /** The rest when the stream closes: an event without its blank line, which lenient readers accept. */
  end(): SseFrame[] {
    const rest = this.#rest;
    this.#noteLine(rest);
    const event = this.#endBlock(new BlockText(rest), rest.length);
    this.#rest = nothing;
    this.#at = this.#lineStart = this.#blockStart = 0;
    return event ? [{ bytes: rest, event }] : [];
  }

  #noteLine(bytes: Uint8Array): void {
    this.#hasData ||= isData(bytes, this.#lineStart);
    if (++this.#lines > linesMax) {
      throw new RangeError(`A server-sent event has more than ${linesMax} lines`);
    }
  }

  #endBlock(text: BlockText, end: number): ServerSentEvent | undefined {
    const long = this.#ahead && this.#longEvent(end);
    const event = long ?? (this.#hasData ? eventIn(text.slice(this.#blockStart, end)) : undefined);
    this.#hasData = false;
    this.#lines = 0;
    if (event && !long && event.data.length > simpleChars) {
      new JsonScan(answerJsonBounds(this.limits)).push(encoder.encode(event.data));
    }
    return event;
  }

  /** The event of a block with one line of data, which is decoded already. */
  #longEvent(blockEnd: number): ServerSentEvent | undefined {
    const { start, end, data } = this.#ahead ?? { start: 0, end: 0 };
    this.#ahead = undefined;
    if (data === undefined) return undefined;
    const before = lenientText(this.#bytes.subarray(this.#blockStart, start));
    const after = lenientText(this.#bytes.subarray(end, blockEnd));
    const event = eventOf(`${before}data: 0${after}`);
    return event?.data === "0" ? { ...event, data } : undefined;
  }

  #assertBounded(): void {
    const { eventBytesMax, silentBytesMax } = this.limits;
    const { length } = this.#rest;
    if (length - this.#blockStart > eventBytesMax) {
      throw new RangeError(`A server-sent event is longer than ${eventBytesMax} bytes`);
    }
    const hasData = this.#hasData || isData(this.#rest, this.#lineStart);
    if ((hasData ? this.#blockStart : length) > silentBytesMax) {
      throw new RangeError(`The stream has sent ${silentBytesMax} bytes without an event`);
    }
  }

  /**
   * The current event followed by `chunk`. The buffer doubles when it is full again, so a byte is
   * copied a few times at most.
   */
  #joined(chunk: Uint8Array): Uint8Array {
    const { length } = this.#rest;
    if (length + chunk.length > this.#buffer.length) {
      const factor = this.#buffer.length === 0 ? 1 : 2; // most chunks complete the event
      this.#buffer = new Uint8Array(factor * (length + chunk.length));
      this.#buffer.set(this.#rest);
    }
    this.#buffer.set(chunk, length);
    return this.#buffer.subarray(0, length + chunk.length);
  }
}

/** For the gateway's own streams, whose events were checked when they arrived. */
export const ownStreamLimits: StreamLimits = {
  eventBytesMax: 16 * 1024 * 1024,
  silentBytesMax: Infinity,
  nestingMax: Infinity,
  answerContainersMax: Infinity,
};
/** Maximum lines of an event; a handwritten one has some thousands. */
const linesMax = 65_536;
/** The JSON of a longer event is parsed ahead of it, with turns for other work. */
const longEventBytes = 512 * 1024;
/** An event of at most this length cannot have too complex JSON. */
const simpleChars = 16 * 1024;

const nothing = new Uint8Array(0);
const incomplete = -1;
const encoder = new TextEncoder();

/**
 * The index of the next line end at or after `at`, or the length. Uses native searches, because
 * every byte is read.
 */
function lineEndFrom(bytes: Uint8Array, at: number, hasCr: boolean): number {
  const nextLf = bytes.indexOf(lf, at);
  const end = nextLf < 0 ? bytes.length : nextLf;
  if (!hasCr) return end;
  const nextCr = bytes.subarray(at, end).indexOf(cr);
  return nextCr < 0 ? end : at + nextCr;
}

/** The length of the line end at `at`; `incomplete` if more bytes are needed to decide. */
function lineEndLength(bytes: Uint8Array, at: number): number {
  if (bytes[at] === lf) return 1;
  if (at + 1 >= bytes.length) return incomplete;
  return bytes[at + 1] === lf ? 2 : 1;
}

const [d, a, t] = encoder.encode("dat");

/** Returns true if the line at `at` is a `data` field; the first line of a stream may have a byte-order mark. */
function isData(bytes: Uint8Array, at: number): boolean {
  const start = bytes[at] === 0xef && bytes[at + 1] === 0xbb && bytes[at + 2] === 0xbf
    ? at + 3
    : at;
  return bytes[start] === d && bytes[start + 1] === a && bytes[start + 2] === t &&
    bytes[start + 3] === a;
}

/** The text of one event: `event:` only if the format names its events, one `data:` line, a blank line. */
export function sseText({ event, data }: ServerSentEvent): string {
  return event === undefined ? `data: ${data}\n\n` : `event: ${event}\ndata: ${data}\n\n`;
}

/** A comment event, which clients skip and which keeps proxies from timing out. */
export const sseKeepAlive = ": keep-alive\n\n";
