import { GatewayError } from "../canonical/mod.ts";
import type { Candidate } from "../upstreams/upstream.ts";

/**
 * Tries candidates in order until one begins an answer. Moves on only after a failure that another
 * upstream may not have, and never once the caller has left or the deadline has passed. Throws the
 * last failure; `client_closed` where nobody waits for it any more.
 */
export async function firstSuccess<T>(
  candidates: readonly Candidate[],
  attempt: (candidate: Candidate) => Promise<T>,
  until: AttemptsEnd,
): Promise<T> {
  let failure: GatewayError | undefined;
  for (const candidate of candidates) {
    try {
      return await attempt(candidate);
    } catch (error) {
      if (!(error instanceof GatewayError) || !error.retryable) throw error;
      if (until.caller.aborted) throw callerLeft(error);
      if (performance.now() >= until.deadline) throw error;
      failure = error;
    }
  }
  throw failure ??
    new GatewayError(
      "no_upstream",
      "No upstream serves this model to the key's group at the moment",
    );
}

export interface AttemptsEnd {
  readonly caller: AbortSignal;
  /** On the clock of `performance.now()`. */
  readonly deadline: number;
}

function callerLeft(cause: GatewayError): GatewayError {
  return new GatewayError("client_closed", "The caller closed the connection", { cause });
}
