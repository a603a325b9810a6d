import { computed, Signal } from "@preact/signals";
import { isValidElement } from "preact";
import { type Kind, special } from "./encoding.ts";

/** Writes island props for the browser; throws for values that cannot be sent there. */
export function serialize(value: unknown): string {
  const list: Written = { places: new Map(), members: [] };
  const place = write(value, list);
  return JSON.stringify([place, ...list.members]);
}

interface Written {
  readonly places: Map<unknown, number>;
  readonly members: unknown[];
}

/** The place of a value in the list, to which it is added when it is new. */
function write(value: unknown, list: Written): number {
  const known = specialOf(value) ?? list.places.get(value);
  if (known !== undefined) return known;
  // The first member is the place of the root, so all others are one further on.
  const place = list.members.push(null);
  list.places.set(value, place);
  list.members[place - 1] = memberOf(value, list);
  return place;
}

function specialOf(value: unknown): number | undefined {
  if (value === undefined) return special.undefined;
  if (value === null) return special.null;
  if (typeof value !== "number") return undefined;
  if (Number.isNaN(value)) return special.nan;
  if (value === Infinity) return special.infinity;
  if (value === -Infinity) return special.negativeInfinity;
  return Object.is(value, -0) ? special.negativeZero : undefined;
}

function memberOf(value: unknown, list: Written): unknown {
  switch (typeof value) {
    case "function":
      throw new Error("Serializing functions is not supported.");
    case "symbol":
      throw new Error("Serializing symbols is not supported.");
    case "bigint":
      return kind("BigInt", String(value));
    case "object":
      return value === null ? null : objectMember(value, list);
    default:
      return value;
  }
}

function objectMember(value: object, list: Written): unknown {
  if (value instanceof Signal) {
    const name = Object.getPrototypeOf(value) === computedPrototype ? "Computed" : "Signal";
    return kind(name, write(value.peek(), list));
  }
  // Checked after signals, because a signal in JSX passes for an element.
  if (isValidElement(value)) throw new Error("Serializing JSX is not part of this stand-in.");
  if (Array.isArray(value)) {
    return Array.from(
      value,
      (item, i) => i in value ? write(item, list) : special.hole,
    );
  }
  return builtInMember(value, list) ?? plainMember(value, list);
}

function builtInMember(value: object, list: Written): unknown {
  if (value instanceof Date) return kind("Date", value.getTime());
  if (value instanceof URL) return kind("URL", value.href);
  if (value instanceof RegExp) {
    return [...kind("RegExp", value.source), value.flags];
  }
  if (value instanceof Uint8Array) return kind("Uint8Array", value.toBase64());
  if (value instanceof Set) {
    return kind(
      "Set",
      [...value].map((item) => write(item, list)),
    );
  }
  if (value instanceof Map) {
    return kind("Map", [...value].flat().map((item) => write(item, list)));
  }
  return undefined;
}

function plainMember(value: object, list: Written): Record<string, number> {
  const entries = Object.entries(value).map(([name, item]) => [name, write(item, list)] as const);
  return Object.fromEntries(entries);
}

function kind(name: Kind, content: unknown): unknown[] {
  return [name, content];
}

/** Signals do not export the class of computed ones. */
const computedPrototype: object = Object.getPrototypeOf(computed(() => null));
