import type { Pace } from "../pace.ts";
import { stringEndInBytes } from "./tokens.ts";

/** Limits of the complexity of JSON, apart from its length. */
export interface JsonBounds {
  /** Maximum nesting of objects and arrays. */
  readonly nestingMax: number;
  /** Maximum number of objects and arrays. */
  readonly containersMax: number;
  /** Maximum number of members of objects. */
  readonly membersMax: number;
  /** Maximum number of members of one object; default: no limit of its own. */
  readonly objectMembersMax?: number;
  /** Maximum number of values; 16 bytes outside of strings count as one at least. */
  readonly valuesMax: number;
}

/** JSON whose complexity exceeds its limits. Its message follows "is" or "holds". */
export class JsonTooComplex extends Error {
  override readonly name = "JsonTooComplex";
}

interface JsonSize {
  readonly length: number;
  readonly containers: number;
  readonly members: number;
}

/** The length of the pieces in which long JSON is parsed. */
export const pieceBytes = 128 * 1024;
/** Maximum bytes of a body, and maximum weight of JSON, that are read in one step of a few milliseconds. */
export const atOnceMax = 1024 * 1024;
/** The parse cost of an object, an array or a member, in bytes of text that cost as much. */
const containerWeight = 32;
const memberWeight = 16;
/** Numbers that are longer on average, and white space, count as more values. */
const valueBytes = 16;
/** Bytes scanned before yielding to other work. */
const sliceBytes = 512 * 1024;

/** The cost of parsing all of it, as the length in bytes of a text that costs as much. */
export function jsonWeight({ length, containers, members }: JsonSize): number {
  return length + containerWeight * containers + memberWeight * members;
}

/** Scans JSON that arrived completely, yielding to other work. Throws `JsonTooComplex`. */
export async function scanJson(bytes: Uint8Array, scan: JsonScan, pace: Pace): Promise<void> {
  for (let at = 0; at < bytes.length; at += sliceBytes) {
    scan.push(bytes.subarray(at, at + sliceBytes));
    await pace.giveWay();
  }
}

/** Bytes of a string that are scanned without a call. */
const nearBytes = 64;
const backslash = 0x5c;
const quote = 0x22;
const comma = 0x2c;
const colon = 0x3a;
const openArray = 0x5b;
const closeArray = 0x5d;
const openObject = 0x7b;
const closeObject = 0x7d;

/**
 * Scans JSON as it arrives, before it is parsed, because parsing is expensive: a few bytes may
 * become an object of a hundred. Only the text of strings is free. Does not validate.
 */
export class JsonScan {
  /** Absent until there is a long value, as few bodies have one. */
  #long: Map<number, number> | undefined;
  readonly #bounds: JsonBounds;
  /** The starts of the open objects and arrays. */
  readonly #open: number[] = [];
  /** The members so far of the objects around the innermost one, by their depth, and its own. */
  readonly #outerMembers: number[] = [];
  #ownMembers = 0;
  /** Bytes before the current chunk. */
  #offset = 0;
  #containers = 0;
  #members = 0;
  #topMembers = 0;
  #commas = 0;
  /** Bytes outside of strings. */
  #bareBytes = 0;
  /** The start of the last string. */
  #stringStart = 0;
  #inString = false;
  /** True if the next byte follows a backslash. */
  #escaped = false;

  constructor(bounds: JsonBounds) {
    this.#bounds = bounds;
  }

  /** The bytes scanned so far. */
  get length(): number {
    return this.#offset;
  }

  /** The ends of long objects, arrays and strings, by their starts. */
  get long(): ReadonlyMap<number, number> {
    return this.#long ?? noLong;
  }

  /** The members of the outermost object, repeated ones included. */
  get topMembers(): number {
    return this.#topMembers;
  }

  get isShort(): boolean {
    const [length, containers, members] = [this.#offset, this.#containers, this.#members];
    return length <= pieceBytes || jsonWeight({ length, containers, members }) <= atOnceMax;
  }

  /** Scans the next bytes. Throws `JsonTooComplex`. */
  push(bytes: Uint8Array): void {
    let at = this.#inString ? this.#stringEnd(bytes, this.#escaped ? 1 : 0) : 0;
    let members = 0;
    const outerMembers = this.#outerMembers;
    const ownMax = this.#bounds.objectMembersMax ?? Infinity;
    let ownMembers = this.#ownMembers;
    let topMembers = 0;
    let commas = 0;
    let bareBytes = bytes.length - at;
    let depth = this.#open.length;
    for (; at < bytes.length; at++) {
      const byte = bytes[at];
      if (byte === quote) {
        let end = at + 1; // most strings are short: their ends are found here
        const near = Math.min(end + nearBytes, bytes.length);
        while (end < near && bytes[end] !== quote && bytes[end] !== backslash) end++;
        end = end < near && bytes[end] === quote ? end + 1 : this.#stringEnd(bytes, end, at);
        bareBytes -= end - at;
        at = end - 1;
      } else if (byte < colon) { // digits, commas and spaces, the most frequent bytes outside strings
        if (byte === comma) commas++;
      } else if (byte === colon) {
        members++;
        ownMembers++;
        if (depth === 1) topMembers++;
      } else if (byte === openObject || byte === openArray) {
        outerMembers[depth] = ownMembers;
        ownMembers = 0;
        depth = this.#enter(this.#offset + at);
      } else if (byte === closeObject || byte === closeArray) {
        if (ownMembers > ownMax) break;
        ownMembers = depth > 0 ? outerMembers[depth - 1] : 0;
        depth = this.#leave(this.#offset + at + 1);
      }
    }
    this.#offset += bytes.length;
    this.#members += members;
    this.#ownMembers = ownMembers;
    this.#topMembers += topMembers;
    this.#commas += commas;
    this.#bareBytes += bareBytes;
    this.#assertBounded();
  }

  #assertBounded(): void {
    const { membersMax, objectMembersMax = Infinity, valuesMax } = this.#bounds;
    if (this.#ownMembers > objectMembersMax) {
      throw new JsonTooComplex(`has more than ${objectMembersMax} members in one object`);
    }
    if (this.#members > membersMax) {
      throw new JsonTooComplex(`has more than ${membersMax} object members`);
    }
    if (this.#commas > valuesMax) {
      throw new JsonTooComplex(`has more than ${valuesMax} values`);
    }
    if (this.#bareBytes > valuesMax * valueBytes) {
      const bytesMax = valuesMax * valueBytes;
      throw new JsonTooComplex(`has more than ${bytesMax} bytes of numbers and white space`);
    }
  }

  /**
   * The index after the closing quote, or the length if the string continues in the next chunk.
   * `openedAt` is the index of its opening quote, unless that was in an earlier chunk.
   */
  #stringEnd(bytes: Uint8Array, start: number, openedAt?: number): number {
    const end = stringEndInBytes(bytes, start);
    if (openedAt !== undefined && end - openedAt <= pieceBytes && end <= bytes.length) return end; // most strings
    if (openedAt !== undefined) this.#stringStart = this.#offset + openedAt;
    this.#inString = end > bytes.length;
    this.#escaped = end === bytes.length + 2;
    const length = this.#offset + end - this.#stringStart;
    if (!this.#inString && length > pieceBytes) {
      this.#noteLong(this.#stringStart, this.#offset + end);
    }
    return Math.min(end, bytes.length);
  }

  /** Returns the depth from here on, like `#leave`. */
  #enter(at: number): number {
    const { nestingMax, containersMax } = this.#bounds;
    const depth = this.#open.push(at);
    if (depth > nestingMax) {
      throw new JsonTooComplex(`is nested deeper than ${nestingMax} levels`);
    }
    if (++this.#containers > containersMax) {
      throw new JsonTooComplex(`has more than ${containersMax} objects and arrays`);
    }
    return depth;
  }

  #leave(end: number): number {
    const start = this.#open.pop();
    if (start !== undefined && end - start > pieceBytes) this.#noteLong(start, end);
    return this.#open.length;
  }

  #noteLong(start: number, end: number): void {
    (this.#long ??= new Map()).set(start, end);
  }
}

const noLong: ReadonlyMap<number, number> = new Map();
