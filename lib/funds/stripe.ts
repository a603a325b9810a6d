import Stripe from "stripe";
import type { StripeSettings } from "../config.ts";

/** Short, because a payer waits for the answer, and Stripe waits for ours to its webhooks. */
const timeoutMs = 8_000;
const retriesMax = 1;

/** Creates Stripe's own client, pinned to the API version that it was made for. */
export function createStripe({ secretKey, apiBase }: StripeSettings): Stripe {
  return new Stripe(secretKey, {
    timeout: timeoutMs,
    maxNetworkRetries: retriesMax,
    telemetry: false,
    ...(apiBase !== undefined && addressOf(new URL(apiBase))),
  });
}

/** Returns true if Stripe reports that the object does not exist. */
export function isMissing(error: unknown): boolean {
  return error instanceof Stripe.errors.StripeInvalidRequestError &&
    error.code === "resource_missing";
}

/** Returns true if Stripe rejects the key, or the key lacks the permission. */
export function isRefusedKey(error: unknown): boolean {
  return error instanceof Stripe.errors.StripeAuthenticationError ||
    error instanceof Stripe.errors.StripePermissionError;
}

/** Returns true if the webhook is not from Stripe, or is a late replay. */
export function isBadSignature(error: unknown): boolean {
  return error instanceof Stripe.errors.StripeSignatureVerificationError;
}

function addressOf({ protocol, hostname, port }: URL) {
  const plain = protocol === "http:";
  return {
    protocol: plain ? "http" : "https",
    host: hostname,
    port: port || (plain ? "80" : "443"),
  } as const;
}
