import { type JsonBounds, jsonWeight } from "./scan.ts";
import { notJson, scalarEnd, spaceEnd, textEnd } from "./tokens.ts";

/** A long object or array in the outermost object, by positions in bytes. */
export interface LongMember {
  /** The range of its name, with the quotes. */
  readonly keyStart: number;
  readonly keyEnd: number;
  readonly start: number;
  readonly end: number;
  /** True for an array of which each element is an object. */
  readonly hasOnlyObjects: boolean;
}

interface CheckBounds extends JsonBounds {
  /** Maximum `jsonWeight`, in which long strings without escapes count for an eighth of their length. */
  readonly weightMax: number;
}

/** The long members of a valid JSON object. */
export interface CheckedJson {
  /** The members of the outermost object, repeated ones included. */
  readonly topMembers: number;
  readonly long: readonly LongMember[];
  /** Byte ranges inside long strings that an outline leaves out, in order: start, end, start, end … */
  readonly prose: readonly number[];
}

/**
 * Checks a whole JSON object in one pass over its bytes, as strictly as `JSON.parse`, apart from its
 * UTF-8. Undefined if it is malformed, begins with a byte-order mark or is too complex: `JsonScan`
 * and `JSON.parse` say why.
 */
export function checkJson(bytes: Uint8Array, bounds: CheckBounds): CheckedJson | undefined {
  if (bytes.length * plainShare > bounds.weightMax) return undefined; // too heavy even as plain strings
  try {
    return new JsonChecker(bytes, bounds).checked();
  } catch (thrown) {
    if (thrown === notJson) return undefined;
    throw thrown;
  }
}

/** The most calls within each other that surely fit on the stack. */
const depthMax = 500;
/** Shorter values take less time to parse than to remember. */
const longBytes = 1024;
/** Longer strings, counted with their quotes, are prose or data. */
const proseBytes = 512;
/** The weight per byte of a long string without escapes. */
const plainShare = 1 / 8;
/** An outline keeps their first bytes, which may begin a data URL. */
const proseKeptBytes = 64;
/** Members with a longer name are none that formats have. */
const nameBytesMax = 64;

const quote = 0x22;
const comma = 0x2c;
const colon = 0x3a;
const openArray = 0x5b;
const backslash = 0x5c;
const closeArray = 0x5d;
const openObject = 0x7b;
const closeObject = 0x7d;

/** Its methods return the index after what they read, and throw `notJson`. */
class JsonChecker {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #bounds: CheckBounds;
  readonly #long: LongMember[] = [];
  readonly #prose: number[] = [];
  /** Bytes of long strings without escapes. */
  #plainBytes = 0;
  #depth = 0;
  #containers = 0;
  #members = 0;
  #topMembers = 0;
  #commas = 0;
  /** Of the array that ended last. */
  #hasOnlyObjects = false;

  constructor(bytes: Uint8Array, bounds: CheckBounds) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    this.#bounds = { ...bounds, nestingMax: Math.min(bounds.nestingMax, depthMax) };
  }

  checked(): CheckedJson {
    const start = spaceEnd(this.#bytes, 0);
    this.#expect(start, openObject);
    const end = this.#objectEnd(start);
    if (spaceEnd(this.#bytes, end) !== this.#bytes.length) throw notJson;
    return { topMembers: this.#topMembers, long: this.#long, prose: this.#prose };
  }

  #valueEnd(at: number): number {
    const byte = this.#bytes[at];
    if (byte === quote) return this.#stringEnd(at);
    if (byte === openObject) return this.#objectEnd(at);
    if (byte === openArray) return this.#arrayEnd(at);
    return scalarEnd(this.#bytes, at);
  }

  #stringEnd(start: number): number {
    const end = textEnd(this.#bytes, this.#view, start + 1);
    if (end - start > proseBytes) {
      this.#prose.push(start + proseKeptBytes, end - 1);
      const isPlain = this.#bytes.subarray(start, end).indexOf(backslash) < 0;
      if (isPlain) this.#plainBytes += end - start;
    }
    return end;
  }

  #arrayEnd(start: number): number {
    const bytes = this.#bytes;
    let hasOnlyObjects = true;
    let at = this.#enter(start);
    while (bytes[at] !== closeArray) {
      if (bytes[at] !== openObject) hasOnlyObjects = false;
      at = this.#nextStart(this.#valueEnd(at), closeArray);
    }
    this.#depth--;
    this.#hasOnlyObjects = hasOnlyObjects;
    return at + 1;
  }

  #objectEnd(start: number): number {
    const { objectMembersMax = Infinity } = this.#bounds;
    let at = this.#enter(start);
    for (let members = 0; this.#bytes[at] !== closeObject; members++) {
      if (members === objectMembersMax) throw notJson;
      at = this.#nextStart(this.#memberEnd(at), closeObject);
    }
    this.#depth--;
    return at + 1;
  }

  #memberEnd(keyStart: number): number {
    this.#expect(keyStart, quote);
    if (++this.#members > this.#bounds.membersMax) throw notJson;
    const keyEnd = textEnd(this.#bytes, this.#view, keyStart + 1);
    const between = spaceEnd(this.#bytes, keyEnd);
    this.#expect(between, colon);
    const start = spaceEnd(this.#bytes, between + 1);
    const end = this.#valueEnd(start);
    if (this.#depth === 1) this.#note({ keyStart, keyEnd, start, end });
    return end;
  }

  #note(member: Omit<LongMember, "hasOnlyObjects">): void {
    this.#topMembers++;
    const { keyStart, keyEnd, start, end } = member;
    const isLong = end - start >= longBytes && keyEnd - keyStart <= nameBytesMax;
    const first = this.#bytes[start];
    if (!isLong || (first !== openArray && first !== openObject)) return;
    this.#long.push({ ...member, hasOnlyObjects: first === openArray && this.#hasOnlyObjects });
  }

  /** The index of the first element or member of the container that starts here, or of its end. */
  #enter(start: number): number {
    const { nestingMax, containersMax } = this.#bounds;
    if (++this.#depth > nestingMax || ++this.#containers > containersMax) throw notJson;
    return spaceEnd(this.#bytes, start + 1);
  }

  /** The index of the next element or member, or of the container's end. */
  #nextStart(end: number, close: number): number {
    this.#assertLight(end);
    const at = spaceEnd(this.#bytes, end);
    if (this.#bytes[at] === close) return at;
    this.#expect(at, comma);
    if (++this.#commas > this.#bounds.valuesMax) throw notJson;
    const next = spaceEnd(this.#bytes, at + 1);
    if (this.#bytes[next] === close) throw notJson;
    return next;
  }

  /** Ends a check that would take too long, before it does. */
  #assertLight(at: number): void {
    const length = at - (1 - plainShare) * this.#plainBytes;
    const weight = jsonWeight({ length, containers: this.#containers, members: this.#members });
    if (weight > this.#bounds.weightMax) throw notJson;
  }

  #expect(at: number, byte: number): void {
    if (this.#bytes[at] !== byte) throw notJson;
  }
}
