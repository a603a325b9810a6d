import type Stripe from "stripe";
import type { AuditDraft } from "../store/audit/mod.ts";
import { createPayment, listPayments } from "../store/money/mod.ts";
import type { User } from "../store/users/mod.ts";
import type { PaymentServices } from "./settle_payment.ts";
import { nanoPerCent } from "./stripe.ts";

/** The smallest and the largest payment, in whole dollars. */
export interface PaymentBounds {
  readonly paymentUsdMin: number;
  readonly paymentUsdMax: number;
}

/** A user's request to start a payment. */
export interface PaymentWanted {
  readonly user: User;
  readonly amountNanoUsd: bigint;
  /**
   * The page that Stripe returns to, without a query: `https://gateway.example.com/console/topup`.
   */
  readonly returnUrl: string;
  /** The language of Stripe's page. */
  readonly language: "en" | "zh";
  /** Builds the audit entry of the payment with this id; written in the same commit. */
  readonly audit?: (id: string) => AuditDraft;
}

/** The result of starting a payment; `message` is shown to the payer. */
export type BeginResult =
  /** The payment's id, and the URL of its Checkout page. */
  | { readonly type: "begun"; readonly id: string; readonly url: string }
  | { readonly type: "invalid"; readonly message: string }
  /** The account has too many open payments. */
  | { readonly type: "wait"; readonly message: string }
  /** Stripe did not answer; nothing was charged. */
  | { readonly type: "failed" };

const hourMs = 3_600_000;
/** The lifetime of a Checkout session; Stripe allows 30 minutes to 24 hours. */
const openHours = 2;
const openPerHourMax = 20;

/**
 * Starts a payment at Stripe's Checkout. The record is stored before the payer gets the URL, so
 * every payment that can be made is known here. Rejects if Stripe does not answer.
 */
export async function beginPayment(
  services: PaymentServices & { readonly limits: PaymentBounds },
  wanted: PaymentWanted,
): Promise<BeginResult> {
  const fault = amountFault(wanted.amountNanoUsd, services.limits);
  if (fault !== undefined) return { type: "invalid", message: fault };
  if (await isBusy(services, wanted.user.id)) return tooMany;
  const nowMs = services.now();
  const { id, url } = await services.stripe.checkout.sessions.create(sessionOf(wanted, nowMs));
  if (!url) throw new Error("Cannot start the payment: Stripe returned no payment page");
  await createPayment(services.store, {
    id,
    url,
    accountId: wanted.user.id,
    amountNanoUsd: wanted.amountNanoUsd,
    createdAtMs: nowMs,
  }, { audit: wanted.audit?.(id) });
  return { type: "begun", id, url };
}

/** Returns the message for an amount out of bounds or with a fraction of a cent. */
function amountFault(
  nanoUsd: bigint,
  { paymentUsdMin, paymentUsdMax }: PaymentBounds,
): string | undefined {
  const cents = nanoUsd / nanoPerCent;
  const fits = nanoUsd % nanoPerCent === 0n && cents >= BigInt(paymentUsdMin) * 100n &&
    cents <= BigInt(paymentUsdMax) * 100n;
  return fits ? undefined : `Enter an amount from $${paymentUsdMin} to $${paymentUsdMax}`;
}

function sessionOf(
  { user, amountNanoUsd, returnUrl, language }: PaymentWanted,
  nowMs: number,
): Stripe.Checkout.SessionCreateParams {
  const metadata = { tessera_account: user.id };
  return {
    mode: "payment",
    client_reference_id: user.id,
    ...(publicEmail.test(user.email) && { customer_email: user.email }),
    line_items: [{
      quantity: 1,
      price_data: {
        currency: "usd",
        unit_amount: Number(amountNanoUsd / nanoPerCent), // safe: at most paymentUsdMax
        product_data: { name: "Tessera balance" },
      },
    }],
    success_url: `${returnUrl}?payment={CHECKOUT_SESSION_ID}`,
    cancel_url: `${returnUrl}?payment=canceled`,
    expires_at: Math.floor((nowMs + openHours * hourMs) / 1_000),
    locale: language,
    submit_type: "pay",
    adaptive_pricing: { enabled: false }, // the wallet is in dollars, so the payment is too
    metadata,
    payment_intent_data: { metadata },
  };
}

/** Stripe refuses addresses without a public domain, such as root@localhost. */
const publicEmail = /^[^\s@]+@[^\s@]+\.[^\s@.]{2,}$/;

async function isBusy({ store, now }: PaymentServices, accountId: string): Promise<boolean> {
  const latest = await listPayments(store, accountId, openPerHourMax);
  const open = latest.filter(({ status, createdAtMs }) =>
    status === "open" && createdAtMs > now() - hourMs
  );
  return open.length >= openPerHourMax;
}

const tooMany = {
  type: "wait",
  message: "Too many unfinished payments. Finish one, or try again in an hour",
} as const satisfies BeginResult;
