import { AssertionError, suffix } from "./assertion_error.ts";
import { inspect } from "./difference.ts";

export function assertGreater<T>(actual: T, expected: T, msg?: string): void {
  expectOrder(actual > expected, [actual, ">", expected], msg);
}

export function assertGreaterOrEqual<T>(
  actual: T,
  expected: T,
  msg?: string,
): void {
  expectOrder(actual >= expected, [actual, ">=", expected], msg);
}

export function assertLess<T>(actual: T, expected: T, msg?: string): void {
  expectOrder(actual < expected, [actual, "<", expected], msg);
}

export function assertLessOrEqual<T>(
  actual: T,
  expected: T,
  msg?: string,
): void {
  expectOrder(actual <= expected, [actual, "<=", expected], msg);
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

function expectOrder(
  holds: boolean,
  [left, sign, right]: readonly [unknown, string, unknown],
  msg?: string,
): void {
  if (holds) return;
  throw new AssertionError(
    msg ?? `Expect ${inspect(left)} ${sign} ${inspect(right)}`,
  );
}

function exponential(value: number): string {
  return Number.isInteger(value) ? String(value) : value.toExponential();
}
