import type Stripe from "stripe";
import type { StripeSettings } from "../config.ts";

/** Stripe states amounts in cents. */
export const nanoPerCent = 10_000_000n;

/** Short, because a payer waits for the answer, and Stripe waits for ours to its webhooks. */
const timeoutMs = 8_000;
const retriesMax = 1;

/**
 * Creates Stripe's own client, pinned to the API version that it was made for. Loads the library,
 * which only gateways with payments need.
 */
export async function createStripe({ secretKey, apiBase }: StripeSettings): Promise<Stripe> {
  const { default: Stripe } = await import("stripe");
  return new Stripe(secretKey, {
    timeout: timeoutMs,
    maxNetworkRetries: retriesMax,
    telemetry: false,
    ...(apiBase !== undefined && addressOf(new URL(apiBase))),
  });
}

/** Returns true if Stripe reports that the object does not exist. */
export function isMissing(error: unknown): boolean {
  return isOfType(error, "StripeInvalidRequestError") && error.code === "resource_missing";
}

/** Returns true if Stripe rejects the key, or the key lacks the permission. */
export function isRefusedKey(error: unknown): boolean {
  return isOfType(error, "StripeAuthenticationError") || isOfType(error, "StripePermissionError");
}

/** Returns true if the webhook is not from Stripe, or is a late replay. */
export function isBadSignature(error: unknown): boolean {
  return isOfType(error, "StripeSignatureVerificationError");
}

/** Stripe documents `type` for this, and its classes would have to be loaded. */
function isOfType(error: unknown, type: string): error is Error & { readonly code?: string } {
  return error instanceof Error && "type" in error && error.type === type;
}

function addressOf({ protocol, hostname, port }: URL) {
  const plain = protocol === "http:";
  return {
    protocol: plain ? "http" : "https",
    host: hostname,
    port: port || (plain ? "80" : "443"),
  } as const;
}
