import { AssertionError, suffix } from "./assertion_error.ts";
import { difference } from "./difference.ts";

/** The class of an error; `never` parameters, as only `instanceof` is asked of it. */
export type ErrorClass<E extends Error> = abstract new (...args: never[]) => E;

export function assertThrows(fn: () => unknown, msg?: string): unknown;
export function assertThrows<E extends Error = Error>(
  fn: () => unknown,
  ErrorClass: ErrorClass<E>,
  msgIncludes?: string,
  msg?: string,
): E;
export function assertThrows(
  fn: () => unknown,
  classOrMessage?: ErrorClass<Error> | string,
  msgIncludes?: string,
  msg?: string,
): unknown {
  const expected = expectation(classOrMessage, msgIncludes, msg);
  try {
    fn();
  } catch (error) {
    check(error, expected, "A non-Error object was thrown");
    return error;
  }
  throw new AssertionError(
    `Expected function to throw${suffix(expected.message)}`,
  );
}

export function assertRejects(
  fn: () => PromiseLike<unknown>,
  msg?: string,
): Promise<unknown>;
export function assertRejects<E extends Error = Error>(
  fn: () => PromiseLike<unknown>,
  ErrorClass: ErrorClass<E>,
  msgIncludes?: string,
  msg?: string,
): Promise<E>;
export async function assertRejects(
  fn: () => PromiseLike<unknown>,
  classOrMessage?: ErrorClass<Error> | string,
  msgIncludes?: string,
  msg?: string,
): Promise<unknown> {
  const expected = expectation(classOrMessage, msgIncludes, msg);
  const promise = start(fn, expected.message);
  try {
    await promise;
  } catch (error) {
    check(error, expected, "A non-Error object was rejected");
    return error;
  }
  throw new AssertionError(
    `Expected function to reject${suffix(expected.message)}`,
  );
}

interface Expectation {
  readonly kind?: ErrorClass<Error>;
  readonly includes?: string;
  readonly message?: string;
}

function expectation(
  classOrMessage: ErrorClass<Error> | string | undefined,
  includes: string | undefined,
  message: string | undefined,
): Expectation {
  return typeof classOrMessage === "string"
    ? { message: classOrMessage }
    : { kind: classOrMessage, includes, message };
}

/** A synchronous throw is a different failure from a rejection. */
function start(
  fn: () => PromiseLike<unknown>,
  message?: string,
): PromiseLike<unknown> {
  let promise;
  try {
    promise = fn();
  } catch {
    throw new AssertionError(
      `Function throws when expected to reject${suffix(message)}`,
    );
  }
  if (typeof promise?.then === "function") return promise;
  throw new AssertionError(
    `Function throws when expected to reject${suffix(message)}`,
  );
}

function check(
  error: unknown,
  expected: Expectation,
  notAnError: string,
): void {
  const { kind, includes, message } = expected;
  if (kind === undefined) return;
  if (!(error instanceof Error)) {
    throw new AssertionError(`${notAnError}${suffix(message)}`);
  }
  if (!(error instanceof kind)) {
    const names = `"${kind.name}", but was "${nameOf(error)}"`;
    throw new AssertionError(
      `Expected error to be instance of ${names}${suffix(message)}`,
    );
  }
  if (includes === undefined || error.message.includes(includes)) return;
  const shown = includes.includes("\n") || error.message.includes("\n")
    ? difference(error.message, includes)
    : `, but got ${JSON.stringify(error.message)}${suffix(message)}`;
  throw new AssertionError(
    `Expected error message to include ${JSON.stringify(includes)}${shown}`,
  );
}

function nameOf(value: object): string {
  return value.constructor?.name ?? "Object";
}
