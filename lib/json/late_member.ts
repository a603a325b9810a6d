import { strictText } from "../bytes.ts";
import { valuePartEnd } from "./tokens.ts";
import type { JsonObject, JsonValue } from "./json.ts";

/** A long object or array of a body, parsed when it is first read. */
export interface LateMember {
  readonly name: string;
  /** Valid JSON in UTF-8. */
  readonly bytes: Uint8Array;
  /** The same as text. */
  readonly text: () => string;
  /** As in `searchedText`. */
  readonly searched: () => string;
  /** True for an array of which each element is an object. */
  readonly hasOnlyObjects: boolean;
  /** Undefined until it is read. */
  value?: JsonValue;
}

/** A symbol in the object, because a young collection would keep the long values of a `WeakMap`. */
const lateMembers = Symbol("late members");

interface HasLateMembers {
  readonly [lateMembers]?: ReadonlyMap<string, LateMember>;
}

/**
 * Replaces members of an object by late ones. They cannot be assigned: `withOwnMember` makes a copy
 * with another value.
 */
export function makeLate(object: JsonObject, members: readonly LateMember[]): void {
  for (const { name } of members) {
    const get = getters.get(name) ?? getterOf(name);
    Object.defineProperty(object, name, { get, enumerable: true, configurable: true });
  }
  setLateMembers(object, members);
}

const gettersMax = 64;
/**
 * One for each name, for all objects: V8 keeps the getter of a single object, and all that it refers
 * to, until a full collection.
 */
const getters = new Map<string, () => JsonValue | undefined>();

function getterOf(name: string): () => JsonValue | undefined {
  const getter = function (this: JsonObject): JsonValue | undefined {
    const member = lateMember(this, name);
    return member && (member.value ??= JSON.parse(member.text()));
  };
  if (getters.size === gettersMax) getters.clear(); // few names have long values
  getters.set(name, getter);
  return getter;
}

/** A copy with one member set. Its late members stay unparsed until they are read. */
export function withOwnMember(object: JsonObject, name: string, value: JsonValue): JsonObject {
  const late = lateIn(object);
  if (!late) return { ...object, [name]: value };
  const own = { value, writable: true, enumerable: true, configurable: true };
  const copy: JsonObject = Object.defineProperties({}, {
    ...Object.getOwnPropertyDescriptors(object),
    [name]: own,
  });
  setLateMembers(copy, [...late.values()].filter((member) => member.name !== name));
  return copy;
}

/** Returns true if a member is an array. Parses nothing. */
export function isListIn(object: JsonObject, name: string): boolean {
  const late = lateMember(object, name);
  return late ? late.bytes[0] === openArray : Array.isArray(object[name]);
}

/**
 * The first element of an array that is wanted; undefined if none is, or if the member is no array.
 * Of a late member it parses a few elements, and all only if the wanted one is not among them.
 */
export function findIn(
  object: JsonObject,
  name: string,
  isWanted: (element: JsonValue) => boolean,
): JsonValue | undefined {
  if (!isListIn(object, name)) return undefined;
  const late = lateMember(object, name);
  const first = late && firstElements(late.bytes).find(isWanted);
  return first ?? (object[name] as JsonValue[]).find(isWanted); // sound: it is an array
}

/**
 * Returns true if a late member is an array of objects, and a pattern matches nothing in its
 * outline: no name, no short value and no beginning of a long one. The pattern must match escapes
 * (`\u00…`) as well, which may spell what it looks for.
 */
export function surelyLacks(object: JsonObject, name: string, pattern: RegExp): boolean {
  const late = lateMember(object, name);
  return late !== undefined && late.hasOnlyObjects && !pattern.test(late.searched());
}

function lateMember(object: JsonObject, name: string): LateMember | undefined {
  return lateIn(object)?.get(name);
}

function lateIn(object: JsonObject): ReadonlyMap<string, LateMember> | undefined {
  return (object as HasLateMembers)[lateMembers]; // sound: only makeLate and withOwnMember set it
}

function setLateMembers(object: JsonObject, members: readonly LateMember[]): void {
  const value = new Map(members.map((member) => [member.name, member]));
  Object.defineProperty(object, lateMembers, { value, configurable: true });
}

const comma = 0x2c;
const openArray = 0x5b;
const closeArray = 0x5d;

/** Conversations have the caller's first turn within the first few. */
const firstCount = 8;

/** The first elements of a valid array. */
function* firstElements(bytes: Uint8Array): Generator<JsonValue> {
  let start = 1;
  for (let count = 0; count < firstCount && start < bytes.length; count++) {
    const end = elementEnd(bytes, start);
    const text = strictText(bytes.subarray(start, end)).trim();
    if (text !== "") yield JSON.parse(text); // an empty array has only space
    start = end + 1;
  }
}

/** The index of the comma or bracket after an element. */
function elementEnd(bytes: Uint8Array, start: number): number {
  let at = start;
  while (bytes[at] !== comma && bytes[at] !== closeArray) at = valuePartEnd(bytes, at);
  return at;
}
