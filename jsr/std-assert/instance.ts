import { AssertionError, suffix } from "./assertion_error.ts";

/** A constructor, also of an abstract class. */
export type AnyConstructor = abstract new (...args: never[]) => unknown;

export function assertInstanceOf<T extends AnyConstructor>(
  actual: unknown,
  expectedType: T,
  msg = "",
): asserts actual is InstanceType<T> {
  if (actual instanceof expectedType) return;
  throw new AssertionError(
    `Expected object to be an instance of "${expectedType.name || "anonymous class"}" but was ` +
      `"${kindOf(actual)}"${suffix(msg)}`,
  );
}

export function assertNotInstanceOf<A, T>(
  actual: A,
  unexpectedType: abstract new (...args: never[]) => T,
  msg?: string,
): asserts actual is Exclude<A, T> {
  if (!(actual instanceof unexpectedType)) return;
  throw new AssertionError(
    `Expected object to not be an instance of "${unexpectedType.name}"${suffix(msg)}`,
  );
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (typeof value !== "object") return typeof value;
  return value.constructor?.name ?? "Object";
}
