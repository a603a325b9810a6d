import { changedError, GatewayError } from "../canonical/mod.ts";

/** Marks a refusal by work that comes before the request is sent: no upstream is to blame for it. */
export function beforeSending<T>(work: () => T): T {
  try {
    return work();
  } catch (thrown) {
    return throwUnsent(thrown);
  }
}

/** The same for work that takes turns. */
export function throwUnsent(thrown: unknown): never {
  throw thrown instanceof GatewayError ? changedError(thrown, { unsent: true }) : thrown;
}
