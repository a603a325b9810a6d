import type { ServerSentEvent } from "../../formats/wire.ts";
import { answerJsonBounds, type StreamLimits } from "./answer_limits.ts";
import { JsonScan } from "../body/json_scan.ts";

/** One event of a stream with the very bytes that carried it: its closing blank line, and what came before it without an event. */
export interface SseFrame {
  readonly bytes: Uint8Array;
  readonly event: ServerSentEvent;
}

const lf = 10;
const cr = 13;

/**
 * Cuts a byte stream into server-sent events (WHATWG HTML, section 9.2). Takes LF, CRLF and CR, a
 * multi-line `data`, comments and a byte-order mark; a character split between two chunks stays whole.
 * Blocks without data, such as comments that keep a connection alive, go with the next event.
 */
export class SseReader {
  readonly #limits: StreamLimits;
  /** The bytes since the last event. May be a part of a longer buffer, so that small chunks are not copied again and again. */
  #rest: Uint8Array = nothing;
  #buffer: Uint8Array = nothing;
  /** Where the search for a line's end goes on, so that no byte is looked at twice. */
  #seen = 0;
  /** Of the block that has begun: where it begins, where its last line does, how many it has, and whether one is data. */
  #blockStart = 0;
  #lineStart = 0;
  #lines = 0;
  #hasData = false;

  constructor(limits: Partial<StreamLimits> = {}) {
    this.#limits = { ...ownStreamLimits, ...limits };
  }

  /**
   * The events completed by `chunk`. Throws a `RangeError` for an event over its bound and for a
   * stream that goes on without any, `JsonTooComplex` for one whose JSON is too complex.
   */
  push(chunk: Uint8Array): SseFrame[] {
    const bytes = this.#rest.length === 0 ? chunk : this.#joined(chunk);
    const frames: SseFrame[] = [];
    const hasCr = bytes.indexOf(cr, this.#seen) >= 0;
    let start = 0;
    let at = this.#seen;
    for (;;) {
      at = lineEndFrom(bytes, at, hasCr);
      const length = at < bytes.length ? lineEndLength(bytes, at) : incomplete;
      if (length === incomplete) break;
      const isBlank = at === this.#lineStart;
      if (!isBlank) this.#noteLine(bytes);
      at += length;
      this.#lineStart = at;
      if (!isBlank) continue;
      const event = this.#endBlock(bytes, at);
      this.#blockStart = at;
      if (!event) continue;
      frames.push({ bytes: bytes.subarray(start, at), event });
      start = at;
    }
    this.#rest = start < bytes.length ? bytes.subarray(start) : nothing; // an empty view would keep its buffer
    if (start > 0) this.#buffer = nothing; // its frames are out and must not be written over
    this.#seen = at - start;
    this.#lineStart -= start;
    this.#blockStart -= start;
    this.#assertBounded();
    return frames;
  }

  /** What is left when the stream closed: an event whose blank line never came, as lenient readers take it. */
  end(): SseFrame[] {
    const rest = this.#rest;
    this.#noteLine(rest);
    const event = this.#endBlock(rest, rest.length);
    this.#rest = nothing;
    this.#seen = this.#lineStart = this.#blockStart = 0;
    return event ? [{ bytes: rest, event }] : [];
  }

  #noteLine(bytes: Uint8Array): void {
    this.#hasData ||= isData(bytes, this.#lineStart);
    if (++this.#lines > linesMax) {
      throw new RangeError(`A server-sent event has more than ${linesMax} lines`);
    }
  }

  #endBlock(bytes: Uint8Array, end: number): ServerSentEvent | undefined {
    const event = this.#hasData ? eventIn(bytes.subarray(this.#blockStart, end)) : undefined;
    this.#hasData = false;
    this.#lines = 0;
    if (event && event.data.length > simpleChars) {
      new JsonScan(answerJsonBounds(this.#limits)).push(encoder.encode(event.data));
    }
    return event;
  }

  #assertBounded(): void {
    const { eventBytesMax, silentBytesMax } = this.#limits;
    const { length } = this.#rest;
    if (length - this.#blockStart > eventBytesMax) {
      throw new RangeError(`A server-sent event is longer than ${eventBytesMax} bytes`);
    }
    const hasData = this.#hasData || isData(this.#rest, this.#lineStart);
    if ((hasData ? this.#blockStart : length) > silentBytesMax) {
      throw new RangeError(`A stream has gone on for ${silentBytesMax} bytes without an event`);
    }
  }

  /** The event that has begun with `chunk` behind it. The buffer doubles when it is full, so a byte is copied twice at most. */
  #joined(chunk: Uint8Array): Uint8Array {
    const { length } = this.#rest;
    if (length + chunk.length > this.#buffer.length) {
      this.#buffer = new Uint8Array(2 * (length + chunk.length));
      this.#buffer.set(this.#rest);
    }
    this.#buffer.set(chunk, length);
    return this.#buffer.subarray(0, length + chunk.length);
  }
}

/** For streams of our own, whose events were looked at when they came. */
export const ownStreamLimits: StreamLimits = {
  eventBytesMax: 16 * 1024 * 1024,
  silentBytesMax: Infinity,
  nestingMax: Infinity,
  answerContainersMax: Infinity,
};
/** An event that somebody wrote over several lines has some thousands. */
const linesMax = 65_536;
/** So short, an event's JSON cannot be too complex. */
const simpleChars = 16 * 1024;

const nothing = new Uint8Array(0);
const incomplete = -1;
const encoder = new TextEncoder();

/** The index of the next line end at or after `at`, or the length. Native searches, since every byte is looked at. */
function lineEndFrom(bytes: Uint8Array, at: number, hasCr: boolean): number {
  const nextLf = bytes.indexOf(lf, at);
  const end = nextLf < 0 ? bytes.length : nextLf;
  if (!hasCr) return end;
  const nextCr = bytes.subarray(at, end).indexOf(cr);
  return nextCr < 0 ? end : at + nextCr;
}

/** The length of the line end at `at`; `incomplete` when the bytes stop too early to tell. */
function lineEndLength(bytes: Uint8Array, at: number): number {
  if (bytes[at] === lf) return 1;
  if (at + 1 >= bytes.length) return incomplete;
  return bytes[at + 1] === lf ? 2 : 1;
}

const [d, a, t] = encoder.encode("dat");

/** Whether the line that begins at `at` is of the field `data`; a stream's first one may have a byte-order mark. */
function isData(bytes: Uint8Array, at: number): boolean {
  const start = bytes[at] === 0xef && bytes[at + 1] === 0xbb && bytes[at + 2] === 0xbf
    ? at + 3
    : at;
  return bytes[start] === d && bytes[start + 1] === a && bytes[start + 2] === t &&
    bytes[start + 3] === a;
}

const decoder = new TextDecoder();

function eventIn(bytes: Uint8Array): ServerSentEvent | undefined {
  const block = decoder.decode(bytes);
  return plainEventOf(block) ?? eventOf(block);
}

/** What most blocks are: one `data` line that ends in LF. */
function plainEventOf(block: string): ServerSentEvent | undefined {
  const end = block.length - 2;
  const plain = block.startsWith("data: ") && block.indexOf("\n") === end &&
    block.indexOf("\r") < 0;
  return plain && end > 6 ? { data: block.slice(6, end) } : undefined;
}

function eventOf(block: string): ServerSentEvent | undefined {
  let name: string | undefined;
  let data: string | undefined;
  for (const line of block.split(/\r\n|\n|\r/)) {
    const colon = line.indexOf(":");
    const field = colon < 0 ? line : line.slice(0, colon);
    if (field !== "data" && field !== "event") continue;
    const value = colon < 0 ? "" : line.slice(line[colon + 1] === " " ? colon + 2 : colon + 1);
    if (field === "event") name = value;
    else data = data === undefined ? value : `${data}\n${value}`;
  }
  if (data === undefined || data === "") return undefined;
  return name === undefined ? { data } : { event: name, data };
}

/** The bytes of one event: `event:` only where the format names its events, one `data:` line, a blank line. */
export function sseText({ event, data }: ServerSentEvent): string {
  return event === undefined ? `data: ${data}\n\n` : `event: ${event}\ndata: ${data}\n\n`;
}

/** A comment event of its own, which every client skips and no proxy times out on. */
export const sseKeepAlive = ": keep-alive\n\n";
