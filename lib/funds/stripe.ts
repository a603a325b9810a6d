import Stripe from "stripe";
import type { StripeSettings } from "../config.ts";

/** A payer waits for the answer, and Stripe for that to its webhooks. */
const timeoutMs = 8_000;
const retriesMax = 1;

/** The client that asks Stripe. It is Stripe's own, pinned to the version of the API that it was made for. */
export function createStripe({ secretKey, apiBase }: StripeSettings): Stripe {
  return new Stripe(secretKey, {
    timeout: timeoutMs,
    maxNetworkRetries: retriesMax,
    telemetry: false,
    ...(apiBase !== undefined && addressOf(new URL(apiBase))),
  });
}

/** Whether Stripe says that it knows no such object, rather than that something went wrong. */
export function isMissing(error: unknown): boolean {
  return error instanceof Stripe.errors.StripeInvalidRequestError &&
    error.code === "resource_missing";
}

/** Whether Stripe does not accept the key, or not for this. */
export function isRefusedKey(error: unknown): boolean {
  return error instanceof Stripe.errors.StripeAuthenticationError ||
    error instanceof Stripe.errors.StripePermissionError;
}

/** Whether somebody else than Stripe sent it, or somebody sent it again much later. */
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
