import type Stripe from "stripe";
import type { AuditDraft } from "../store/audit/mod.ts";
import { createPayment, listPayments } from "../store/money/mod.ts";
import type { User } from "../store/users/mod.ts";
import type { PaymentServices } from "./settle_payment.ts";
import { nanoPerCent } from "./usd.ts";

/** Which amounts may be paid in, in whole dollars. */
export interface PaymentBounds {
  readonly paymentUsdMin: number;
  readonly paymentUsdMax: number;
}

/** What somebody who wants to pay asks for. */
export interface PaymentWanted {
  readonly user: User;
  readonly amountNanoUsd: bigint;
  /** Of the page to come back to, with no query: `https://gateway.example.com/console/topup`. */
  readonly returnUrl: string;
  /** In which Stripe's page is shown. */
  readonly language: "en" | "zh";
  /** Written to the audit log in the same commit, for the payment of that id. */
  readonly audit?: (id: string) => AuditDraft;
}

/** What came of beginning a payment; `message` is for people. */
export type BeginResult =
  /** The payment's id, and where to pay. */
  | { readonly type: "begun"; readonly id: string; readonly url: string }
  | { readonly type: "invalid"; readonly message: string }
  /** Too many payments were begun and not finished. */
  | { readonly type: "wait"; readonly message: string }
  /** Stripe does not answer; nothing was charged. */
  | { readonly type: "failed" };

const hourMs = 3_600_000;
/** How long a payment can be made; Stripe takes half an hour to a day. */
const openHours = 2;
const openPerHourMax = 20;

/**
 * Begins a payment at Stripe's Checkout. Its record is stored before anybody is sent there, so
 * that no payment can be made that the gateway does not know. Rejects where Stripe does not answer.
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
  if (!url) throw new Error("Cannot begin payment: Stripe gave no address to pay at");
  await createPayment(services.store, {
    id,
    url,
    accountId: wanted.user.id,
    amountNanoUsd: wanted.amountNanoUsd,
    createdAtMs: nowMs,
  }, { audit: wanted.audit?.(id) });
  return { type: "begun", id, url };
}

/** Undefined where the amount can be paid. */
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
        unit_amount: Number(amountNanoUsd / nanoPerCent), // at most paymentUsdMax
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

/** Stripe refuses addresses that the internet does not have, such as root@localhost. */
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
