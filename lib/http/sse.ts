import type { ServerSentEvent } from "../formats/codec.ts";

/** One event of a stream with the very bytes that carried it, its closing blank line included. */
export interface SseFrame {
  readonly bytes: Uint8Array;
  /** Absent for a block of comments or an empty block, which only keep a connection alive. */
  readonly event?: ServerSentEvent;
}

const lf = 10;
const cr = 13;

/**
 * Cuts a byte stream into server-sent events (WHATWG HTML, section 9.2). Takes LF, CRLF and CR, a
 * multi-line `data`, comments and a byte-order mark; a character split between two chunks stays whole.
 */
export class SseReader {
  readonly #bytesMax: number;
  /** The event that has begun. May stand in a longer buffer, so that small chunks are not copied again and again. */
  #rest: Uint8Array = nothing;
  #buffer: Uint8Array = nothing;
  /** Where the search for a blank line goes on, so that no byte is looked at twice. */
  #seen = 0;

  /** `bytesMax` bounds one event: a stream without blank lines must not grow for ever. */
  constructor(bytesMax = 16 * 1024 * 1024) {
    this.#bytesMax = bytesMax;
  }

  /** The events completed by `chunk`. Throws a `RangeError` for an event over the bound. */
  push(chunk: Uint8Array): SseFrame[] {
    const bytes = this.#rest.length === 0 ? chunk : this.#joined(chunk);
    const frames: SseFrame[] = [];
    let start = 0;
    let at = this.#seen;
    for (;;) {
      at = lineEndFrom(bytes, at);
      if (at >= bytes.length) break;
      const end = blankLineEnd(bytes, at);
      if (end === incomplete) break;
      if (end !== none) {
        frames.push(frameOf(bytes.subarray(start, end)));
        start = end;
        at = end;
      } else at++;
    }
    this.#rest = start < bytes.length ? bytes.subarray(start) : nothing; // an empty view would keep its buffer
    if (start > 0) this.#buffer = nothing; // its frames are out and must not be written over
    this.#seen = at - start;
    if (this.#rest.length > this.#bytesMax) {
      throw new RangeError(`A server-sent event is longer than ${this.#bytesMax} bytes`);
    }
    return frames;
  }

  /** What is left when the stream closed: an event whose blank line never came, as lenient readers take it. */
  end(): SseFrame[] {
    const rest = this.#rest;
    this.#rest = nothing;
    this.#seen = 0;
    return rest.length === 0 ? [] : [frameOf(rest)];
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

const nothing = new Uint8Array(0);
const none = -1;
const incomplete = -2;

/** The index of the next line end at or after `at`, or the length. Native searches, since every byte is looked at. */
function lineEndFrom(bytes: Uint8Array, at: number): number {
  const nextLf = bytes.indexOf(lf, at);
  const end = nextLf < 0 ? bytes.length : nextLf;
  const nextCr = bytes.subarray(at, end).indexOf(cr);
  return nextCr < 0 ? end : at + nextCr;
}

/** The index after the blank line that begins with the line end at `at`; `incomplete` when more bytes must decide. */
function blankLineEnd(bytes: Uint8Array, at: number): number {
  const first = lineEndLength(bytes, at);
  if (first <= 0) return first === 0 ? none : incomplete;
  const second = lineEndLength(bytes, at + first);
  if (second === 0) return none;
  return second < 0 ? incomplete : at + first + second;
}

/** The length of the line end at `at`: 0 for none, -1 when the bytes stop too early to tell. */
function lineEndLength(bytes: Uint8Array, at: number): number {
  if (at >= bytes.length) return -1;
  if (bytes[at] === lf) return 1;
  if (bytes[at] !== cr) return 0;
  if (at + 1 >= bytes.length) return -1;
  return bytes[at + 1] === lf ? 2 : 1;
}

const decoder = new TextDecoder();

function frameOf(bytes: Uint8Array): SseFrame {
  const block = decoder.decode(bytes);
  const event = plainEventOf(block) ?? eventOf(block);
  return event ? { bytes, event } : { bytes };
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
