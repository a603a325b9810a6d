import type Stripe from "stripe";
import { z } from "zod";
import { findPaymentOfIntent, type Payment } from "../store/money/mod.ts";
import { type PaymentServices, settlePayment } from "./settle_payment.ts";

/** By what an event's object names the payment. */
const subjectOf = {
  "checkout.session.completed": "session",
  "checkout.session.async_payment_succeeded": "session",
  "checkout.session.async_payment_failed": "session",
  "checkout.session.expired": "session",
  "charge.refunded": "intent",
  "charge.refund.updated": "intent",
  "refund.failed": "intent",
  "charge.dispute.created": "intent",
  "charge.dispute.updated": "intent",
  "charge.dispute.funds_withdrawn": "intent",
  "charge.dispute.funds_reinstated": "intent",
  "charge.dispute.closed": "intent",
} as const;

/** What is read of an event. */
export type PaymentEvent = Pick<Stripe.Event, "type" | "data">;

type PaymentEventType = keyof typeof subjectOf;

/** The events to subscribe to; all others are acknowledged and left alone. */
export const paymentEventTypes = Object.keys(subjectOf) as readonly PaymentEventType[]; // its own keys

type EventResult =
  | { readonly type: "settled"; readonly payment: Payment }
  /** Of a payment that this server did not begin: another shop's of the same Stripe account. */
  | { readonly type: "foreign" }
  | { readonly type: "ignored" };

/** All that is read of an event's object, in any version of the API; the rest is asked for. */
const objectSchema = z.object({
  id: z.string(),
  payment_intent: z.union([
    z.string(),
    z.object({ id: z.string() }).transform(({ id }) => id),
  ]).nullish(),
});

/**
 * Takes note of an event: asks Stripe for the payment that it is about and brings the ledger in
 * line with it. Rejects where Stripe or the store does not answer; then it is to come again.
 */
export async function takeEvent(
  services: PaymentServices,
  event: PaymentEvent,
): Promise<EventResult> {
  if (!isPaymentEvent(event.type)) return { type: "ignored" };
  const id = await paymentOfEvent(services, event);
  const payment = id === undefined ? undefined : await settlePayment(services, id);
  return payment ? { type: "settled", payment } : { type: "foreign" };
}

/** The id of the Checkout session that an event is about, whoever began it; undefined where there is none. */
export async function paymentOfEvent(
  services: PaymentServices,
  { type, data }: PaymentEvent,
): Promise<string | undefined> {
  if (!isPaymentEvent(type)) return undefined;
  const { id, payment_intent: intentId } = objectSchema.parse(data.object);
  if (subjectOf[type] === "session") return id;
  return intentId ? await sessionOfIntent(services, intentId) : undefined;
}

/** A refund may be heard of before the payment: then only Stripe knows whose it is. */
async function sessionOfIntent(
  { store, stripe }: PaymentServices,
  intentId: string,
): Promise<string | undefined> {
  const known = await findPaymentOfIntent(store, intentId);
  if (known !== undefined) return known;
  const { data } = await stripe.checkout.sessions.list({ payment_intent: intentId, limit: 1 });
  return data.at(0)?.id;
}

function isPaymentEvent(type: string): type is PaymentEventType {
  return Object.hasOwn(subjectOf, type);
}
