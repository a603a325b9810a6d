import { computed, signal } from "@preact/signals";
import { type Kind, special } from "./encoding.ts";

/** Reads the output of `serialize`. */
export function revive(text: string): unknown {
  const [root, ...members] = JSON.parse(text);
  return read(root, { members, values: new Map() });
}

interface Reading {
  readonly members: readonly unknown[];
  readonly values: Map<number, unknown>;
}

function read(place: number, reading: Reading): unknown {
  if (place < 0) return specialAt(place);
  if (reading.values.has(place)) return reading.values.get(place);
  const member = reading.members[place - 1];
  const keep = <T>(value: T): T => {
    reading.values.set(place, value);
    return value;
  };
  if (typeof member !== "object" || member === null) return keep(member);
  if (!Array.isArray(member)) return readObject(member, keep({}), reading);
  if (typeof member[0] === "string") return readKind(member, keep, reading);
  return readList(member, keep([]), reading);
}

function specialAt(place: number): unknown {
  switch (place) {
    case special.null:
      return null;
    case special.nan:
      return NaN;
    case special.infinity:
      return Infinity;
    case special.negativeInfinity:
      return -Infinity;
    case special.negativeZero:
      return -0;
    default:
      return undefined;
  }
}

function readObject(member: object, value: object, reading: Reading): object {
  for (const [name, place] of Object.entries(member)) {
    // Defined, not assigned: a prop may be called `__proto__`.
    Object.defineProperty(value, name, {
      value: read(place, reading),
      writable: true,
      enumerable: true,
      configurable: true,
    });
  }
  return value;
}

function readList(
  member: number[],
  value: unknown[],
  reading: Reading,
): unknown[] {
  value.length = member.length;
  member.forEach((place, i) => {
    if (place !== special.hole) value[i] = read(place, reading);
  });
  return value;
}

// Sound: the content of each kind is what `serialize` wrote for it.
// deno-lint-ignore no-explicit-any
type Content = any;

function readKind(
  [kind, content, more]: Content[],
  keep: <T>(value: T) => T,
  reading: Reading,
): unknown {
  switch (kind as Kind) {
    case "Date":
      return keep(new Date(content ?? NaN));
    case "BigInt":
      return keep(BigInt(content));
    case "URL":
      return keep(new URL(content));
    case "RegExp":
      return keep(new RegExp(content, more));
    case "Uint8Array":
      return keep(
        Uint8Array.from(atob(content), (character) => character.charCodeAt(0)),
      );
    case "Signal":
      return keepSignal(content, keep, reading);
    case "Computed": {
      const value = read(content, reading);
      return keep(computed(() => value));
    }
    case "Set":
      return readSet(content, keep(new Set()), reading);
    case "Map":
      return readMap(content, keep(new Map()), reading);
  }
}

/** A signal is kept before its value is read: the value may hold the signal. */
function keepSignal(
  content: number,
  keep: <T>(value: T) => T,
  reading: Reading,
): unknown {
  const value = keep(signal<unknown>(undefined));
  value.value = read(content, reading);
  return value;
}

function readSet(
  places: number[],
  set: Set<unknown>,
  reading: Reading,
): Set<unknown> {
  for (const place of places) set.add(read(place, reading));
  return set;
}

function readMap(
  places: number[],
  map: Map<unknown, unknown>,
  reading: Reading,
): Map<unknown, unknown> {
  for (let i = 0; i < places.length; i += 2) {
    map.set(read(places[i], reading), read(places[i + 1], reading));
  }
  return map;
}
