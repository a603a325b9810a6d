import { AssertionError, suffix } from "./assertion_error.ts";
import { inspect } from "./difference.ts";
import { equal } from "./equal.ts";
import { assertEquals } from "./equality.ts";

export function assertMatch(
  actual: string,
  expected: RegExp,
  msg?: string,
): void {
  if (expected.test(actual)) return;
  throw new AssertionError(
    `Expected actual: "${actual}" to match: "${expected}"${suffix(msg)}`,
  );
}

export function assertNotMatch(
  actual: string,
  expected: RegExp,
  msg?: string,
): void {
  if (!expected.test(actual)) return;
  throw new AssertionError(
    `Expected actual: "${actual}" to not match: "${expected}"${suffix(msg)}`,
  );
}

export function assertStringIncludes(
  actual: string,
  expected: string,
  msg?: string,
): void {
  if (actual.includes(expected)) return;
  throw new AssertionError(
    `Expected actual: "${actual}" to contain: "${expected}"${suffix(msg)}`,
  );
}

/** An array, or what looks like one; a string is refused, as its members are not meant. */
type ArrayLikeArg<T> = ArrayLike<T> & object;

export function assertArrayIncludes<T>(
  actual: ArrayLikeArg<T>,
  expected: ArrayLikeArg<T>,
  msg?: string,
): void {
  const members = Array.from(actual);
  const missing = Array.from(expected).filter((item) => !members.some((own) => equal(own, item)));
  if (missing.length === 0) return;
  throw new AssertionError(
    `Expected actual: "${inspect(actual)}" to include: "${inspect(expected)}"${suffix(msg)}\n` +
      `missing: ${inspect(missing)}`,
  );
}

/** Compares only the members of `expected`, at every depth; arrays may be longer. */
export function assertObjectMatch(
  actual: Record<PropertyKey, unknown>,
  expected: Record<PropertyKey, unknown>,
  msg?: string,
): void {
  assertEquals(part(actual, expected, new Map()), expected, msg);
}

/** The part of `value` that `wanted` has members for, to be compared by plain equality. */
function part(
  value: unknown,
  wanted: unknown,
  seen: Map<unknown, unknown>,
): unknown {
  if (seen.has(wanted)) return seen.get(wanted);
  if (Array.isArray(value) && Array.isArray(wanted)) {
    const list: unknown[] = [];
    seen.set(wanted, list);
    value.slice(0, wanted.length).forEach((item, i) => list.push(part(item, wanted[i], seen)));
    return list;
  }
  if (isMatched(value) && isMatched(wanted)) {
    return partOfObject(value, wanted, seen);
  }
  return value;
}

function partOfObject(
  value: object,
  wanted: object,
  seen: Map<unknown, unknown>,
): object {
  const result: object = Object.create(Object.getPrototypeOf(wanted));
  seen.set(wanted, result);
  for (const key of Reflect.ownKeys(wanted)) {
    if (!(key in value)) continue;
    Reflect.set(
      result,
      key,
      part(Reflect.get(value, key), Reflect.get(wanted, key), seen),
    );
  }
  return result;
}

/** Objects compared by their keys; the others are compared whole. */
function isMatched(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value) &&
    !whole.some((kind) => value instanceof kind) && !ArrayBuffer.isView(value);
}

const whole = [Date, RegExp, URL, Map, Set] as const;
