import { AssertionError } from "./assertion_error.ts";
import { difference } from "./difference.ts";

/** The class of an error; `never` parameters, as only `instanceof` uses it. */
type ErrorClass<E extends Error> = abstract new (...args: never[]) => E;

export function assertThrows(fn: () => unknown): unknown;
export function assertThrows<E extends Error = Error>(
  fn: () => unknown,
  ErrorClass: ErrorClass<E>,
  msgIncludes?: string,
): E;
export function assertThrows(
  fn: () => unknown,
  kind?: ErrorClass<Error>,
  msgIncludes?: string,
): unknown {
  try {
    fn();
  } catch (error) {
    check(error, { kind, msgIncludes, notAnError: "A non-Error object was thrown." });
    return error;
  }
  throw new AssertionError("Expected function to throw.");
}

export function assertRejects(fn: () => PromiseLike<unknown>): Promise<unknown>;
export function assertRejects<E extends Error = Error>(
  fn: () => PromiseLike<unknown>,
  ErrorClass: ErrorClass<E>,
  msgIncludes?: string,
): Promise<E>;
export async function assertRejects(
  fn: () => PromiseLike<unknown>,
  kind?: ErrorClass<Error>,
  msgIncludes?: string,
): Promise<unknown> {
  const promise = start(fn);
  try {
    await promise;
  } catch (error) {
    check(error, { kind, msgIncludes, notAnError: "A non-Error object was rejected." });
    return error;
  }
  throw new AssertionError("Expected function to reject.");
}

/** A synchronous throw is a different failure from a rejection. */
function start(fn: () => PromiseLike<unknown>): PromiseLike<unknown> {
  let promise;
  try {
    promise = fn();
  } catch {
    // Reported below: there is no promise.
  }
  if (typeof promise?.then === "function") return promise;
  throw new AssertionError("Function throws when expected to reject.");
}

interface Expectation {
  readonly kind?: ErrorClass<Error>;
  readonly msgIncludes?: string;
  readonly notAnError: string;
}

function check(error: unknown, { kind, msgIncludes, notAnError }: Expectation): void {
  if (kind === undefined) return;
  if (!(error instanceof Error)) throw new AssertionError(notAnError);
  if (!(error instanceof kind)) {
    throw new AssertionError(
      `Expected error to be instance of "${kind.name}", but was "${nameOf(error)}".`,
    );
  }
  if (msgIncludes === undefined || error.message.includes(msgIncludes)) return;
  const shown = msgIncludes.includes("\n") || error.message.includes("\n")
    ? difference(error.message, msgIncludes)
    : `, but got ${JSON.stringify(error.message)}.`;
  throw new AssertionError(
    `Expected error message to include ${JSON.stringify(msgIncludes)}${shown}`,
  );
}

function nameOf(value: object): string {
  return value.constructor.name;
}
