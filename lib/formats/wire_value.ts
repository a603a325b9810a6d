import { isJsonObject, type JsonObject, type JsonValue } from "../canonical/mod.ts";
import { parsedSimple, setMember } from "../json/mod.ts";

/** Readers of wire values that were validated before, or come from an upstream that may send anything. */

export function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

export function textOrNothing(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

export function numberOrNothing(value: unknown): number | undefined {
  return typeof value === "number" ? value : undefined;
}

export function flagOrNothing(value: unknown): boolean | undefined {
  return typeof value === "boolean" ? value : undefined;
}

/** A text that says something; some servers and clients fill in absent members with empty ones. */
export function filledText(value: unknown): string | undefined {
  return textOf(value) || undefined;
}

/** True for an absent member, and for one without any content, which means the same. */
export function saysNothing(value: unknown): boolean {
  return isHollow(value, 0);
}

/** True if no member but the known ones says anything. */
export function statesOnly(object: JsonObject, known: readonly string[]): boolean {
  return saysNothing(restOf(object, known));
}

/** Maximum depth at which a value without content is recognised. */
const hollowDepthMax = 4;

function isHollow(value: unknown, depth: number): boolean {
  if (value === undefined || value === null || value === "") return true;
  if (typeof value !== "object" || depth > hollowDepthMax) return false;
  const values: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
  return values.every((inner) => isHollow(inner, depth + 1));
}

/** A position as text, for messages about it. Unlike `String`, never throws: JSON can hold a `toString`. */
export function positionText(value: unknown): string {
  return typeof value === "number" ? String(value) : "without a number";
}

/** The one object for everything that has no members. */
export const noMembers: Readonly<Record<string, never>> = Object.freeze({});

export function objectOf(value: unknown): JsonObject {
  return isJsonObject(value) ? value : noMembers;
}

export function listOf(value: unknown): readonly JsonValue[] {
  return Array.isArray(value) ? value : noItems;
}

const noItems: readonly JsonValue[] = Object.freeze([]);

/** The list itself if it holds nothing but objects. */
export function objectsOf(value: unknown): readonly JsonObject[] {
  const list = listOf(value);
  return list.every(isJsonObject) ? list : list.filter(isJsonObject);
}

export function textsOf(value: unknown): readonly string[] {
  return listOf(value).filter((item) => typeof item === "string");
}

/** A count of tokens or calls: never negative, fractional or infinite. */
export function countOf(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) && value > 0 ? Math.trunc(value) : 0;
}

/** The object in a JSON text; undefined for any other text. */
export function objectIn(text: string): JsonObject | undefined {
  try {
    const value: unknown = parsedSimple(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** A call's arguments as text; empty for an object without members or with too deep nesting. */
export function argumentsText(value: unknown): string {
  if (typeof value === "string") return value;
  if (!isJsonObject(value) || isEmpty(value)) return "";
  try {
    return JSON.stringify(value);
  } catch {
    return "";
  }
}

/** The members that `known` does not name. Every format treats `null` as absent. */
export function restOf(object: JsonObject, known: readonly string[]): JsonObject {
  let kept: Record<string, JsonValue> | undefined;
  for (const key in object) {
    const value = object[key];
    if (value !== undefined && value !== null && !known.includes(key)) {
      setMember(kept ??= {}, key, value);
    }
  }
  return kept ?? noMembers;
}

/** The object without its `undefined` members. */
export function defined<T extends object>(object: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  const kept: Record<string, JsonValue> = {};
  for (const key in object) {
    const value = object[key];
    if (value !== undefined) setMember(kept, key, value as JsonValue);
  }
  // sound: an absent member reads as `undefined`, which the callers' types allow
  return kept as { [K in keyof T]: Exclude<T[K], undefined> };
}

export function isEmpty(object: object): boolean {
  for (const _ in object) return false;
  return true;
}
