import { markLength, strictText } from "../bytes.ts";
import type { Pace } from "../pace.ts";
import { spaceEnd, valuePartEnd } from "./tokens.ts";
import { type JsonObject, type JsonValue, setMember } from "./json.ts";
import { type LateMember, makeLate } from "./late_member.ts";
import { longString, longText } from "./long_text.ts";
import { pieceBytes } from "./scan.ts";

/** Long JSON, with the ends of its long objects, arrays and strings. */
interface LongJson {
  readonly bytes: Uint8Array;
  readonly long: ReadonlyMap<number, number>;
  readonly pace: Pace;
  /** True if values are only checked, and dropped at once. */
  readonly drops?: boolean;
}

/** `JSON.parse` that yields to other work between the pieces of long objects, arrays and strings. */
export async function parsedInPieces(json: LongJson): Promise<JsonValue> {
  const start = spaceEnd(json.bytes, markLength(json.bytes));
  const end = json.long.get(start);
  if (end === undefined) return JSON.parse(await textOf(json, start, json.bytes.length));
  if (spaceEnd(json.bytes, end) < json.bytes.length) throw malformed();
  return await valueAt(json, start, end);
}

/**
 * Checks a long object in the same pieces, and parses only what is short in it: its long members are
 * late. Throws like `parsedInPieces`, and a `SyntaxError` for anything but an object.
 */
export async function checkedInPieces(json: LongJson): Promise<JsonObject> {
  const start = spaceEnd(json.bytes, markLength(json.bytes));
  const end = json.long.get(start);
  if (end === undefined || json.bytes[start] !== 0x7b) throw malformed();
  if (spaceEnd(json.bytes, end) < json.bytes.length) throw malformed();
  const late = new Map<string, LateMember>();
  const object = await objectAt(json, start, end, async (name, from, to) => {
    await valueAt({ ...json, drops: true }, from, to);
    late.set(name, lateMember(name, json.bytes.subarray(from, to)));
    return 0;
  });
  makeLate(object, [...late.values()].filter(({ name }) => object[name] === 0));
  return object;
}

function lateMember(name: string, bytes: Uint8Array): LateMember {
  const text = () => strictText(bytes);
  return { name, bytes, text, searched: text, hasOnlyObjects: false };
}

function valueAt(json: LongJson, start: number, end: number): Promise<JsonValue> {
  if (json.bytes[start] === quote) {
    return longString(json.bytes.subarray(start, end), json.pace, json.drops);
  }
  const isObject = json.bytes[start] === 0x7b;
  if (json.bytes[end - 1] !== (isObject ? 0x7d : 0x5d)) return Promise.reject(malformed());
  return isObject ? objectAt(json, start, end) : arrayAt(json, start, end);
}

async function arrayAt(json: LongJson, start: number, end: number): Promise<JsonValue> {
  const array: JsonValue[] = [];
  for (const { from, to, long } of pieces(json, start, end)) {
    if (long === undefined) {
      const run = await parsedRun<JsonValue[]>(json, from, to, "[]");
      if (!json.drops) { for (const value of run) array.push(value); }
    } else if (spaceEnd(json.bytes, from) === long) {
      const value = await valueAt(json, long, to);
      if (!json.drops) array.push(value);
    } else throw malformed();
    await json.pace.giveWay();
  }
  return array;
}

async function objectAt(
  json: LongJson,
  start: number,
  end: number,
  longAt = (_: string, from: number, to: number) => valueAt(json, from, to),
): Promise<JsonObject> {
  const object: Record<string, JsonValue> = {};
  for (const { from, to, long } of pieces(json, start, end)) {
    const run = long === undefined
      ? await parsedRun<JsonObject>(json, from, to, "{}")
      : JSON.parse(`{${await textOf(json, from, long)}null}`);
    for (const [name, value] of Object.entries<JsonValue>(run)) {
      const read = long === undefined ? value : await longAt(name, long, to);
      if (!json.drops) setMember(object, name, read);
    }
    await json.pace.giveWay();
  }
  return object;
}

/** Several short values or members, parsed together, or one with a long value, which starts at `long`. */
interface Piece {
  readonly from: number;
  readonly to: number;
  readonly long?: number;
}

/** The pieces of the object or array between two brackets, without the commas between them. */
function* pieces({ bytes, long }: LongJson, start: number, end: number): Generator<Piece> {
  const last = end - 1;
  if (spaceEnd(bytes, start + 1) === last) return;
  let from = start + 1;
  let comma = start; // the last one, or the bracket
  for (let at = from; at <= last;) {
    const longEnd = long.get(at);
    if (longEnd !== undefined && isName(bytes, longEnd)) at = longEnd;
    else if (longEnd !== undefined) {
      if (comma >= from) yield { from, to: comma };
      yield { from: comma + 1, to: longEnd, long: at };
      at = spaceEnd(bytes, longEnd);
      if (at === last) return;
      if (bytes[at] !== 0x2c) throw malformed();
      from = at + 1;
      comma = at++;
    } else if (at === last || bytes[at] === 0x2c) {
      if (at === last || at - from > pieceBytes) {
        yield { from, to: at };
        from = at + 1;
      }
      comma = at++;
    } else at = valuePartEnd(bytes, at);
  }
}

const quote = 0x22;

/** Returns true if a colon follows: a long name is parsed with its piece. */
function isName(bytes: Uint8Array, end: number): boolean {
  return bytes[end - 1] === quote && bytes[spaceEnd(bytes, end)] === 0x3a;
}

/** Parses a run of values or members, at least one: a comma without a value is an error. */
async function parsedRun<Run>(
  json: LongJson,
  from: number,
  to: number,
  [open, close]: string,
): Promise<Run> {
  if (spaceEnd(json.bytes, from) >= to) throw malformed();
  return JSON.parse(open + await textOf(json, from, to) + close);
}

function textOf({ bytes, pace }: LongJson, from: number, to: number): Promise<string> {
  return longText(bytes.subarray(from, to), pace);
}

function malformed(): SyntaxError {
  return new SyntaxError("Misplaced bracket or comma");
}
