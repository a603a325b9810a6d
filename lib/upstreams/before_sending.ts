import { changedError, GatewayError } from "../canonical/mod.ts";

/** Marks a refusal by work that comes before the request is sent: no upstream is to blame for it. */
export function beforeSending<T>(work: () => T): T {
  try {
    return work();
  } catch (thrown) {
    throw thrown instanceof GatewayError ? changedError(thrown, { unsent: true }) : thrown;
  }
}
