import { AssertionError, suffix } from "./assertion_error.ts";
import { inspect } from "./difference.ts";

export function assert(expr: unknown, msg = ""): asserts expr {
  if (!expr) throw new AssertionError(msg);
}

export function assertMatch(actual: string, expected: RegExp, msg?: string): void {
  if (expected.test(actual)) return;
  throw new AssertionError(
    `Expected actual: "${actual}" to match: "${expected}"${suffix(msg)}`,
  );
}

export function assertStringIncludes(actual: string, expected: string, msg?: string): void {
  if (actual.includes(expected)) return;
  throw new AssertionError(
    `Expected actual: "${actual}" to contain: "${expected}"${suffix(msg)}`,
  );
}

/** A constructor, also of an abstract class. */
type AnyConstructor = abstract new (...args: never[]) => unknown;

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

function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (typeof value !== "object") return typeof value;
  return value.constructor?.name ?? "Object";
}

export function assertLess<T>(actual: T, expected: T, msg?: string): void {
  if (actual < expected) return;
  throw new AssertionError(msg ?? `Expect ${inspect(actual)} < ${inspect(expected)}`);
}

/** Without a tolerance, one ten-millionth of the expected value. */
export function assertAlmostEquals(
  actual: number,
  expected: number,
  tolerance?: number,
  msg?: string,
): void {
  if (Object.is(actual, expected)) return;
  const allowed = tolerance ??
    (Number.isFinite(expected) ? Math.abs(expected * 1e-7) : 1e-7);
  const delta = Math.abs(expected - actual);
  if (delta <= allowed) return;
  throw new AssertionError(
    `Expected actual: "${exponential(actual)}" to be close to "${exponential(expected)}": ` +
      `delta "${exponential(delta)}" is greater than "${exponential(allowed)}"${suffix(msg)}`,
  );
}

function exponential(value: number): string {
  return Number.isInteger(value) ? String(value) : value.toExponential();
}
