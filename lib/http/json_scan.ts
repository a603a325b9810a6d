import { Pace } from "./pace.ts";

/** How complex JSON may be, whatever its length. */
export interface JsonBounds {
  /** Objects and arrays within one another. */
  readonly nestingMax: number;
  /** Objects and arrays in all. */
  readonly containersMax: number;
  /** Members of objects in all. */
  readonly membersMax: number;
}

/** JSON that costs more to read than its bounds allow. Its words follow "is" or "holds". */
export class JsonTooComplex extends Error {
  override readonly name = "JsonTooComplex";
}

/** Where objects and arrays end that are long enough to be parsed piece by piece, by where they begin. */
export type LongContainers = ReadonlyMap<number, number>;

/** A longer object or array is parsed in pieces of about this length. */
export const pieceBytes = 128 * 1024;
/** Bytes that are scanned before other work gets a turn. */
const sliceBytes = 512 * 1024;

/**
 * Scans JSON before it is parsed, since parsing is what costs: a few bytes may become an object of a
 * hundred. Scalars are free: they cost about what they are long. Knows nothing of what is valid.
 * Throws `JsonTooComplex`.
 */
export async function scanJson(
  bytes: Uint8Array,
  bounds: JsonBounds,
  pace = new Pace(),
): Promise<LongContainers> {
  const scan = new JsonScan(bytes, bounds);
  for (let end = sliceBytes; end < bytes.length; end += sliceBytes) {
    scan.to(end);
    await pace.giveWay();
  }
  scan.to(bytes.length);
  return scan.long;
}

/** The same in one go, for what is short. */
export function scanShortJson(bytes: Uint8Array, bounds: JsonBounds): LongContainers {
  const scan = new JsonScan(bytes, bounds);
  scan.to(bytes.length);
  return scan.long;
}

const quote = 0x22;
const colon = 0x3a;
const openArray = 0x5b;
const backslash = 0x5c;
const closeArray = 0x5d;
const openObject = 0x7b;
const closeObject = 0x7d;

class JsonScan {
  readonly long = new Map<number, number>();
  readonly #bytes: Uint8Array;
  readonly #bounds: JsonBounds;
  /** Where the open objects and arrays begin. */
  readonly #open: number[] = [];
  #at = 0;
  #containers = 0;
  #members = 0;

  constructor(bytes: Uint8Array, bounds: JsonBounds) {
    this.#bytes = bytes;
    this.#bounds = bounds;
  }

  /** Goes on to `end`, and to the end of a string that lies across it. */
  to(end: number): void {
    const bytes = this.#bytes;
    let at = this.#at;
    let members = 0;
    for (; at < end; at++) {
      const byte = bytes[at];
      if (byte < colon && byte !== quote) continue; // digits, commas and spaces, which are most of what is no string
      if (byte === quote) at = stringEnd(bytes, at + 1) - 1;
      else if (byte === colon) members++;
      else if (byte === openObject || byte === openArray) this.#enter(at);
      else if (byte === closeObject || byte === closeArray) this.#leave(at + 1);
    }
    this.#at = at;
    this.#members += members;
    const { membersMax } = this.#bounds;
    if (this.#members > membersMax) {
      throw new JsonTooComplex(`holds more than ${membersMax} members of objects`);
    }
  }

  #enter(at: number): void {
    const { nestingMax, containersMax } = this.#bounds;
    if (this.#open.push(at) > nestingMax) {
      throw new JsonTooComplex(`is nested deeper than ${nestingMax} levels`);
    }
    if (++this.#containers > containersMax) {
      throw new JsonTooComplex(`holds more than ${containersMax} objects and arrays`);
    }
  }

  #leave(end: number): void {
    const start = this.#open.pop();
    if (start !== undefined && end - start > pieceBytes) this.long.set(start, end);
  }
}

/** So much of a string is looked at here before it is searched natively, which is faster only for a long one. */
const nearBytes = 32;

/** The index behind a string's closing quote, or the length where there is none; `at` is behind its opening one. */
export function stringEnd(bytes: Uint8Array, at: number): number {
  while (at < bytes.length) {
    const near = Math.min(at + nearBytes, bytes.length);
    for (; at < near; at++) {
      const byte = bytes[at];
      if (byte === quote) return at + 1;
      if (byte === backslash) at++;
    }
    const found = bytes.indexOf(quote, at);
    if (found < 0) return bytes.length;
    const isClosing = backslashesBefore(bytes, found, at) % 2 === 0;
    at = found + 1;
    if (isClosing) return at;
  }
  return bytes.length;
}

function backslashesBefore(bytes: Uint8Array, end: number, start: number): number {
  let at = end;
  while (at > start && bytes[at - 1] === backslash) at--;
  return end - at;
}
