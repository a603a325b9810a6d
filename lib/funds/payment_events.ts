import type Stripe from "stripe";
import { z } from "zod";
import { findPaymentOfIntent, type Payment } from "../store/money/mod.ts";
import { type PaymentServices, settlePayment } from "./settle_payment.ts";

/** The id of a payment that the object of each event carries. */
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

/** The fields of an event that are read. */
export type PaymentEvent = Pick<Stripe.Event, "type" | "data">;

type PaymentEventType = keyof typeof subjectOf;

/** The events to subscribe to; all others are acknowledged and ignored. */
export const paymentEventTypes = Object.keys(subjectOf) as readonly PaymentEventType[]; // its own keys

type EventResult =
  | { readonly type: "settled"; readonly payment: Payment }
  /** A payment that another application of the same Stripe account started. */
  | { readonly type: "foreign" }
  | { readonly type: "ignored" };

/** The ids in an event's object, the same in every API version; all else is fetched from Stripe. */
const objectSchema = z.object({
  id: z.string(),
  payment_intent: z.union([
    z.string(),
    z.object({ id: z.string() }).transform(({ id }) => id),
  ]).nullish(),
});

/**
 * Handles an event: reads the payment that it is about from Stripe and settles it in the ledger.
 * Rejects if Stripe or the store does not answer; Stripe must then redeliver the event.
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

/**
 * Returns the id of an event's Checkout session, of another application too, or undefined without
 * one.
 */
export async function paymentOfEvent(
  services: PaymentServices,
  { type, data }: PaymentEvent,
): Promise<string | undefined> {
  if (!isPaymentEvent(type)) return undefined;
  const { id, payment_intent: intentId } = objectSchema.parse(data.object);
  if (subjectOf[type] === "session") return id;
  return intentId ? await sessionOfIntent(services, intentId) : undefined;
}

/** A refund event may arrive before the payment is recorded: then Stripe maps it to a session. */
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
