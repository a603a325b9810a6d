import { AssertionError, suffix } from "./assertion_error.ts";
import { difference, inspect } from "./difference.ts";
import { equal } from "./equal.ts";

export function assertEquals<T>(actual: T, expected: T, msg?: string): void {
  if (equal(actual, expected)) return;
  throw new AssertionError(
    `Values are not equal${suffix(msg)}${difference(actual, expected)}`,
  );
}

export function assertNotEquals<T>(actual: T, expected: T, msg?: string): void {
  if (!equal(actual, expected)) return;
  throw new AssertionError(
    `Expected actual: ${inspect(actual)} not to be: ${inspect(expected)}${suffix(msg)}`,
  );
}

export function assertStrictEquals<T>(
  actual: unknown,
  expected: T,
  msg?: string,
): asserts actual is T {
  if (Object.is(actual, expected)) return;
  const printed = inspect(actual);
  if (printed === inspect(expected)) {
    const indented = printed.split("\n").map((line) => `    ${line}`).join(
      "\n",
    );
    const what = "Values have the same structure but are not reference-equal";
    throw new AssertionError(`${what}${suffix(msg)}\n\n${indented}\n`);
  }
  throw new AssertionError(
    `Values are not strictly equal${suffix(msg)}${difference(actual, expected)}`,
  );
}
