import { GatewayError } from "../canonical/mod.ts";
import { storeRetryAfterSeconds } from "../store/mod.ts";

const param = "Idempotency-Key";

export function malformedKey(): GatewayError {
  const message = "Idempotency-Key must have 1 to 255 visible ASCII characters";
  return new GatewayError("invalid_request", message, { param });
}

/** Another address or body came with the same key. */
export function keyReused(requestId: string): GatewayError {
  return new GatewayError(
    "idempotency_key_reused",
    `Call ${requestId} had the same Idempotency-Key and another body in the last 24 hours. Use a new key for a new request`,
    { param },
  );
}

/** The first call runs in another isolate or process, and has not ended in time. */
export function stillRunning(): GatewayError {
  return new GatewayError(
    "request_in_progress",
    "The first call with this Idempotency-Key is still running. Retry in a moment with the same key",
    { param, retryable: true, retryAfterSeconds: 2 },
  );
}

/** The first call was charged, and nobody can get its answer again. */
export function notStored(requestId: string): GatewayError {
  return new GatewayError(
    "answer_not_stored",
    `Call ${requestId} with this Idempotency-Key was charged, but its answer was too long to be stored. Use a new key to call the model again`,
    { param },
  );
}

/** The store did not confirm the claim, or another call has taken its place. */
export function unclaimed(): GatewayError {
  return new GatewayError(
    "store_unavailable",
    "The gateway's store did not confirm the Idempotency-Key in time, so the end of the response is withheld. " +
      "Retry later with the same key",
    { retryAfterSeconds: storeRetryAfterSeconds },
  );
}
