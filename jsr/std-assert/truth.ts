import { AssertionError, suffix } from "./assertion_error.ts";

export function assert(expr: unknown, msg = ""): asserts expr {
  if (!expr) throw new AssertionError(msg);
}

/** The falsy values, so that a union narrows to its falsy members. */
export type Falsy = false | 0 | 0n | "" | null | undefined;

export function assertFalse(expr: unknown, msg = ""): asserts expr is Falsy {
  if (expr) throw new AssertionError(msg);
}

export function assertExists<T>(
  actual: T,
  msg?: string,
): asserts actual is NonNullable<T> {
  if (actual !== null && actual !== undefined) return;
  throw new AssertionError(
    `Expected actual: "${actual}" to not be null or undefined${suffix(msg)}`,
  );
}

export function fail(msg?: string): never {
  throw new AssertionError(`Failed assertion${suffix(msg)}`);
}

export function unreachable(msg?: string): never {
  throw new AssertionError(`Unreachable${suffix(msg)}`);
}

export function unimplemented(msg?: string): never {
  throw new AssertionError(`Unimplemented${suffix(msg)}`);
}
